from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView
from players.web.users import signed_in_user
from replays.browse.search.selectors import QUERY, SEARCH_LIMIT, count_search, search
from replays.browse.search.serializers import FoundSerializer


class SearchView(PublicView):
    """Players, replays, boards, statistics, words and pages."""

    query = {"GET": (QUERY,)}
    rate_limits = {"GET": (SEARCH_LIMIT,)}

    @extend_schema(operation_id="search", responses={200: FoundSerializer})
    def get(self, request: Request) -> Response:
        """Search players, replays, boards, words and pages.

        The first few players, replays, boards, statistics, words of the glossary and pages that a text names.
        """
        values = self.params
        count_search(request)
        return Response(FoundSerializer(search(values["q"], signed_in_user(request))).data)
