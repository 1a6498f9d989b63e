from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView, read_query
from players.web.parameters import NO_PARAMETERS
from replays.browse.home.news import latest_news
from replays.browse.home.serializers import NewsListSerializer

_ROWS = 20


class NewsView(PublicView):
    """The news of the site."""

    @extend_schema(operation_id="news", responses={200: NewsListSerializer})
    def get(self, request: Request) -> Response:
        """List the latest news.

        Games with bests of time or 3BV/s that reached one of the first hundred ranks of a level, newest first.
        """
        read_query(NO_PARAMETERS, request)
        return Response(NewsListSerializer({"rows": latest_news(_ROWS)}).data)
