from __future__ import annotations

from typing import Final

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.people.selectors import player_of_id
from players.profile.charts.kinds.catalogue import KINDS, kind_of
from players.profile.charts.request import PARAMETERS, chart_query
from players.profile.charts.serializers import ChartSerializer, chart_values
from players.web.api import PublicView, read_query
from players.web.parameters import query_of

NAME_PART: Final = OpenApiParameter(
    "name", str, OpenApiParameter.PATH, enum=tuple(KINDS), description="Name of the chart."
)
#: The parameters of all charts; each takes those that mean something for it.
ChartQuery = query_of(*PARAMETERS)


class ChartView(PublicView):
    """A chart of a player."""

    @extend_schema(operation_id="players_chart", parameters=[NAME_PART, ChartQuery], responses={200: ChartSerializer})
    def get(self, request: Request, pk: int, name: str) -> Response:
        """Return the rows of a player's chart.

        A parameter that means nothing for the chart is left out of `parameters`.
        """
        kind = kind_of(name)
        player = player_of_id(pk)
        values = read_query(ChartQuery, request)
        query = chart_query(player, values, takes=kind.takes, needs_level=kind.needs_level, from_one=False)
        return Response(ChartSerializer(chart_values(kind, query, kind.build(query))).data)
