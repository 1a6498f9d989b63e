from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards import ranked_games
from players.leaderboards.boards import (
    STYLE,
)
from players.leaderboards.sub_n.selectors import sub_ladders
from players.people.selectors import player_with_names
from players.profile.charts import games as player_games
from players.profile.page.board_counts import board_counts
from players.profile.page.records.ranks_of_bests import ranks_then
from players.profile.page.selectors import count_not_owned, player_bests
from players.profile.page.serializers import (
    PlayerDetailSerializer,
    player_values,
)
from players.web.api import PublicView

#: The style of the sub ladders and of lost games; the bests are of every style.


class PlayerView(PublicView):
    """One player."""

    query = {"GET": (STYLE,)}

    @extend_schema(operation_id="players_detail", responses={200: PlayerDetailSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return a player.

        Bests with their ranks, best lost games, sub ladders and names.
        """
        player, names = player_with_names(pk)
        style = self.params["style"]
        not_owned = count_not_owned(player.pk)
        totals = player_games.totals_of(player.pk)
        then = ranks_then(player.pk)
        boards_played = board_counts(player.pk)
        values = player_values(
            player, names, player_bests(player.pk), sub_ladders(player.pk, style), not_owned, totals, then,
            boards_played, ranked_games.best_corpses(player.pk, style),
        )  # fmt: skip
        return Response(PlayerDetailSerializer(values).data)
