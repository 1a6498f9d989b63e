from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.sources import SOURCES
from analysis.statistics import STATISTICS, VERSION
from players.statistics.serializers import StatisticsSerializer
from players.web.api import PublicView


class StatisticsView(PublicView):
    """The registry."""

    @extend_schema(operation_id="statistics", responses={200: StatisticsSerializer})
    def get(self, request: Request) -> Response:
        """List all statistics.

        Every number that the site knows: its formula, its unit, its direction, its source, and when it is not defined.
        """
        return Response(StatisticsSerializer({"version": VERSION, "rows": STATISTICS, "sources": SOURCES}).data)
