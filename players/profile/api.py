"""The REST interface of one player."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.claims.claimed_games import claimed_games
from players.leaderboards.boards import LEVEL_PART, STATISTIC_PART, STYLE, board_key, checked_level
from players.leaderboards.ranked_games import ranked_games
from players.leaderboards.sub_n.selectors import sub_ladders
from players.people.selectors import player_of_id, player_with_names
from players.profile.selectors import player_bests
from players.profile.serializers import (
    By3bvSerializer,
    PlayerDetailSerializer,
    by_3bv_values,
    player_values,
)
from players.web.api import PublicView, read_query
from players.web.parameters import query_of

#: The style of the sub ladders; the bests are of every style.
LadderQuery = query_of(STYLE)


class PlayerView(PublicView):
    """One player."""

    @extend_schema(
        operation_id="players_detail",
        parameters=[LadderQuery],
        responses={200: PlayerDetailSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Bests with their ranks, sub ladders and names of a player."""
        player, names = player_with_names(pk)
        style = read_query(LadderQuery, request)["style"]
        not_owned = claimed_games().send_not_owned(player.pk)()
        values = player_values(player, names, player_bests(player.pk), sub_ladders(player.pk, style), not_owned)
        return Response(PlayerDetailSerializer(values).data)


#: The parameters of bests by 3BV.
By3bvQuery = query_of(STYLE)


class By3bvView(PublicView):
    """A player's bests by 3BV."""

    @extend_schema(
        operation_id="players_by_3bv",
        parameters=[LEVEL_PART, STATISTIC_PART, By3bvQuery],
        responses={200: By3bvSerializer},
    )
    def get(self, request: Request, pk: int, level: str, statistic: str) -> Response:
        """The best value of a statistic for each 3BV that the player has won, lowest 3BV first."""
        player = player_of_id(pk)
        board_key(checked_level(level), statistic)
        key = board_key(level, statistic, read_query(By3bvQuery, request)["style"])
        values = by_3bv_values(player, key, ranked_games().best_by_3bv(player.pk, key))
        return Response(By3bvSerializer(values).data)
