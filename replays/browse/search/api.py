from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView, read_query
from players.web.parameters import query_of
from players.web.users import signed_in_user
from replays.browse.search.selectors import QUERY, SEARCH_LIMIT, count_search, search
from replays.browse.search.serializers import FoundSerializer

SearchQuery = query_of(QUERY)


class SearchView(PublicView):
    """Players, replays, boards, statistics, words and pages."""

    rate_limits = {"GET": (SEARCH_LIMIT,)}

    @extend_schema(
        operation_id="search",
        parameters=[SearchQuery],
        responses={200: FoundSerializer},
    )
    def get(self, request: Request) -> Response:
        """Search players, replays, boards, words and pages.

        The first few players, replays, boards, statistics, words of the glossary and pages that a text names.
        """
        values = read_query(SearchQuery, request)
        count_search(request)
        return Response(FoundSerializer(search(values["q"], signed_in_user(request))).data)
