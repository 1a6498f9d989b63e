from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.boards import STATISTIC_PART, STYLE, board_key
from players.profile.top_lists.country_ranking import country_ranking
from players.profile.top_lists.improvements import LEVELS, checked_improvement_level, improvements
from players.profile.top_lists.serializers import (
    CountryRankingSerializer,
    ImprovementsSerializer,
    country_ranking_values,
    improvements_values,
)
from players.web.api import PublicView, read_query
from players.web.parameters import query_of

StyleQuery = query_of(STYLE)
_LEVEL_PART = OpenApiParameter("level", str, OpenApiParameter.PATH, enum=LEVELS)


class CountriesView(PublicView):
    """Countries by their players on a board."""

    @extend_schema(
        operation_id="leaderboard_countries",
        parameters=[_LEVEL_PART, STATISTIC_PART, StyleQuery],
        responses={200: CountryRankingSerializer},
    )
    def get(self, request: Request, level: str, statistic: str) -> Response:
        """Rank countries by their three best players.

        By the average of the three; countries with fewer players follow without a rank.
        """
        key = board_key(level, statistic)
        key = key._replace(style=read_query(StyleQuery, request)["style"])
        return Response(CountryRankingSerializer(country_ranking_values(key, country_ranking(key))).data)


class ImprovementsView(PublicView):
    """Players who improved."""

    @extend_schema(
        operation_id="leaderboard_improvements",
        parameters=[_LEVEL_PART, StyleQuery],
        responses={200: ImprovementsSerializer},
    )
    def get(self, request: Request, level: str) -> Response:
        """List the most improved players.

        By how much they improved their best time in the last 30 days; 100 players at most.
        """
        checked_improvement_level(level)
        style = read_query(StyleQuery, request)["style"]
        return Response(ImprovementsSerializer(improvements_values(level, style, improvements(level, style))).data)
