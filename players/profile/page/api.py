from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.leaderboards.boards import (
    COMBINED,
    COMBINED_NAMES,
    LEVEL_PART,
    LOGGED_STATISTICS,
    STATISTIC_PART,
    STYLE,
    BoardKey,
    board_key,
    checked_level,
)
from players.leaderboards.ranked_games import ranked_games
from players.leaderboards.sub_n.selectors import sub_ladders
from players.people.selectors import player_of_id, player_with_names, surviving_player
from players.profile.charts import games as player_games
from players.profile.charts.request import LEVEL, STATISTIC, hardest_level
from players.profile.page.board_counts import board_counts
from players.profile.page.comparison import compare
from players.profile.page.records.ranks_of_bests import ranks_then
from players.profile.page.records.site_records import site_records_of
from players.profile.page.rivals import rivals_of
from players.profile.page.selectors import count_not_owned, player_bests
from players.profile.page.serializers import (
    By3bvSerializer,
    PlayerDetailSerializer,
    RivalsPageSerializer,
    SiteRecordsSerializer,
    VersusSerializer,
    by_3bv_values,
    player_values,
    rivals_values,
    site_record_values,
    versus_values,
)
from players.web.api import PublicView, read_query
from players.web.parameters import query_of

#: The style of the sub ladders and of lost games; the bests are of every style.
LadderQuery = query_of(STYLE)


class PlayerView(PublicView):
    """One player."""

    @extend_schema(
        operation_id="players_detail",
        parameters=[LadderQuery],
        responses={200: PlayerDetailSerializer},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return a player.

        Bests with their ranks, best lost games, sub ladders and names.
        """
        player, names = player_with_names(pk)
        style = read_query(LadderQuery, request)["style"]
        not_owned = count_not_owned(player.pk)
        totals = player_games.totals_of(player.pk)
        then = ranks_then(player.pk)
        boards_played = board_counts(player.pk)
        values = player_values(
            player, names, player_bests(player.pk), sub_ladders(player.pk, style), not_owned, totals, then,
            boards_played, ranked_games().best_corpses(player.pk, style),
        )  # fmt: skip
        return Response(PlayerDetailSerializer(values).data)


By3bvQuery = query_of(STYLE)


class By3bvView(PublicView):
    """A player's bests by 3BV."""

    @extend_schema(
        operation_id="players_by_3bv",
        parameters=[LEVEL_PART, STATISTIC_PART, By3bvQuery],
        responses={200: By3bvSerializer},
    )
    def get(self, request: Request, pk: int, level: str, statistic: str) -> Response:
        """List a player's best value for each 3BV.

        Every 3BV that the player has won, lowest first.
        """
        player = player_of_id(pk)
        board_key(checked_level(level), statistic)
        key = board_key(level, statistic, read_query(By3bvQuery, request)["style"])
        values = by_3bv_values(player, key, ranked_games().best_by_3bv(player.pk, key))
        return Response(By3bvSerializer(values).data)


RivalsQuery = query_of(LEVEL, STATISTIC, STYLE)


class RivalsView(PublicView):
    """A player's neighbours."""

    @extend_schema(operation_id="players_rivals", parameters=[RivalsQuery], responses={200: RivalsPageSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return the neighbours of a player on a board.

        The players just above and below on the board of a level, the hardest one if none is given, and on the combined board.
        """
        player = player_of_id(pk)
        values = read_query(RivalsQuery, request)
        level, statistic = values["level"] or hardest_level(player.pk), values["statistic"]
        keys = [board_key(level, statistic, values["style"])]
        if statistic in COMBINED_NAMES:
            keys.insert(0, BoardKey(COMBINED, statistic, values["style"]))
        rows = [rivals_values(key, rivals_of(player.pk, key)) for key in keys]
        return Response(RivalsPageSerializer({"rows": rows}).data)


class SiteRecordsView(PublicView):
    """A player's records of the site."""

    @extend_schema(
        operation_id="players_site_records", parameters=[LadderQuery], responses={200: SiteRecordsSerializer}
    )
    def get(self, request: Request, pk: int) -> Response:
        """List the site records of a player.

        The last record of the site that the player set on each board: those still held, then the lost ones.
        """
        player = player_of_id(pk)
        records = site_records_of(player.pk, read_query(LadderQuery, request)["style"])
        return Response(SiteRecordsSerializer({"rows": [site_record_values(record) for record in records]}).data)


class VersusView(PublicView):
    """Two players."""

    @extend_schema(operation_id="players_versus", parameters=[LadderQuery], responses={200: VersusSerializer})
    def get(self, request: Request, pk: int, other: int) -> Response:
        """Compare two players.

        Their bests on the main boards, and who has the better one.
        """
        players = player_of_id(pk), surviving_player(other)
        style = read_query(LadderQuery, request)["style"]
        rows = compare((players[0].pk, players[1].pk), style, LOGGED_STATISTICS)
        totals = [player_games.totals_of(player.pk) for player in players]
        return Response(VersusSerializer(versus_values(players, totals, style, rows)).data)
