from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from analysis.statistics import BY_NAME, Better
from analysis.time_convention import value_text
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED, ON_LEVEL, STYLES
from players.leaderboards.pages.cells import age_days, gap, gap_share
from players.leaderboards.ranks import BoardPage, BoardRow, percentile
from players.leaderboards.ranks.row_games import RowGames, row_games
from players.people.serializers import PlayerRefSerializer
from players.web.api import PageSerializer, ReplayRefSerializer, TextField, ValueField, Values, ValueSerializer
from players.web.statistic_names import StatisticField

# Texts, not enumerations: other lists use subsets of these, each of which would need a name in the schema.
LEVELS = ", ".join(ON_LEVEL)
ALL_LEVELS = f"{LEVELS}, {COMBINED}"
STYLE_NAMES = ", ".join(STYLES)
WON, LOST = "won", "lost"
RESULTS = f"Which games count: {WON} or {LOST}."


class BoardIndexRowSerializer(serializers.Serializer[Values]):
    """A level and a statistic with boards in every style."""

    level = serializers.CharField(help_text=ALL_LEVELS)
    statistic = StatisticField()
    label = serializers.CharField(help_text="Name of the statistic for people, in the language of the request.")  # type: ignore[assignment]  # DRF turns declarations into fields
    group = serializers.CharField(help_text="Group of the statistic on the data page.")
    unit = TextField(help_text="Unit of the values; null if they have none.")
    better = serializers.ChoiceField(
        choices=[better.value for better in Better if better is not Better.NONE],
        help_text="Whether low or high values are better.",
    )
    styles = serializers.ListField(child=serializers.CharField(help_text=STYLE_NAMES), help_text="Its boards by style.")
    result = serializers.CharField(help_text=RESULTS)
    url = serializers.CharField(help_text="The board in the API.")
    html_url = serializers.CharField(help_text="The page of the board.")


class BoardIndexSerializer(serializers.Serializer[Values]):
    """All boards."""

    rows = BoardIndexRowSerializer(many=True, help_text="Every board, those of lost games last.")


class BoardRowSerializer(serializers.Serializer[Values]):
    """A row of a board.  Equal values share a rank."""

    rank = serializers.IntegerField()
    player = PlayerRefSerializer()
    value = ValueField()
    text = serializers.CharField()
    replay = ReplayRefSerializer(allow_null=True, help_text="Null on combined boards: see the parts.")
    games_url = serializers.CharField(
        help_text="The list of every game with which the player takes part in this board, best first on boards of one "
        "level: of a sub-N board the games that it counts."
    )
    games_html_url = serializers.CharField(help_text="The page of the same list.")
    achieved_at = serializers.DateTimeField()
    provisional = serializers.BooleanField(help_text="A place that is not final yet; it has no entry in the history.")
    bv = serializers.IntegerField(
        allow_null=True, help_text="3BV of the game; null on sums, averages and sub-N boards."
    )
    bvs = serializers.FloatField(allow_null=True, help_text="3BV/s of the game; null where 3BV is.")
    completion = serializers.FloatField(
        required=False, allow_null=True,
        help_text="The share of the 3BV that was solved, 0 to 1; on boards of lost games alone, null on averages.",
    )  # fmt: skip
    game_style = TextField(help_text="NF or FL; null where 3BV is null.")
    gap = ValueField(help_text="The distance to the first row of the board.")
    gap_share = serializers.FloatField(help_text="What the smaller of both values lacks to the larger, 0 to 1.")
    age_days = serializers.IntegerField(help_text="For how many days the result has stood.")
    trend = serializers.ListField(
        child=serializers.FloatField(), required=False,
        help_text="The player's last personal bests on the board, in the order of upload; only with columns=trend.",
    )  # fmt: skip
    parts = serializers.DictField(child=ValueSerializer(), required=False, help_text="By level; combined boards only.")


class BoardPageSerializer(PageSerializer):
    """A page of a board; a cursor is null where the board ends."""

    level = serializers.CharField(help_text=ALL_LEVELS)
    statistic = StatisticField(help_text="Of sub-N boards: sub and N.")
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rows = BoardRowSerializer(many=True)
    own_row = BoardRowSerializer(allow_null=True, help_text="The row of the signed-in account's player.")


class PlacedRowSerializer(BoardRowSerializer):
    """A row of a board, with its percentile."""

    percentile = serializers.FloatField(help_text="100 * rank / players: 5.0 is the top 5%.")


class JumpSerializer(serializers.Serializer[Values]):
    """The player or value at which the page was opened.  A value worse than all others ranks after the last player."""

    player = PlayerRefSerializer(allow_null=True, help_text="The player that the request names.")
    value = ValueField(allow_null=True, help_text="The value that the request names, or the player's.")
    rank = serializers.IntegerField(allow_null=True, help_text="Null for a player who has no place here.")
    percentile = serializers.FloatField(allow_null=True, help_text="Rank in percent of the board: 10 is the top 10%.")


@extend_schema_serializer(component_name="Frame")  # as the field is named in responses
class BoardFilterSerializer(serializers.Serializer[Values]):
    """The filters of a board: the parameters of its address, and the datetimes behind them."""

    period = TextField(help_text="The period that the board is limited to; null: all time.")
    as_of = TextField(help_text="The board is shown as it was at the end of this day; null: now.")
    country = TextField(help_text="The country that the board is limited to; null: all.")
    min_3bv = serializers.IntegerField(help_text="0: the minimum 3BV of the site.")
    best_of = serializers.IntegerField(help_text="Values are means of so many best games.")
    result = serializers.CharField(help_text=RESULTS)
    min_completion = serializers.FloatField(
        allow_null=True,
        help_text="The smallest completion that counts on boards of lost games, 0 to 1; null on others.",
    )
    since = serializers.DateTimeField(allow_null=True, help_text="Games from this time on.")
    until = serializers.DateTimeField(allow_null=True, help_text="Games before this time.")


class OpenBoardSerializer(BoardPageSerializer):
    """A page of a board, with its filters, its size and the jump."""

    frame = BoardFilterSerializer(help_text="The filters of the board.")

    rows = PlacedRowSerializer(many=True)
    own_row = PlacedRowSerializer(allow_null=True, help_text="The row of the signed-in account's player.")
    players = serializers.IntegerField(help_text="How many players the whole board has.")
    jump = JumpSerializer(allow_null=True, help_text="Null unless player or value was given.")


def board_index_row(board: Board) -> Values:
    row = BY_NAME[board.statistic]
    return {
        "level": board.level,
        "statistic": board.statistic,
        "label": gettext(row.label),
        "group": gettext(row.group),
        "unit": gettext(row.unit) if row.unit else "",
        "better": row.better.value,
        "styles": STYLES,
        "result": LOST if board.filters.lost else WON,
        "url": board.api_path,
        "html_url": board.path,
    }


def open_board_values(page: BoardPage, trends: Mapping[int, list[float]] | None) -> Values:
    """The values of OpenBoardSerializer for ``page``; ``trends``: None: rows have none."""
    board, jump, filters = page.board, page.jump, page.board.filters
    row_values = partial(_row_values, page, page.decimals, trends, timezone.now(), row_games(board))
    return {
        "level": board.level,
        "statistic": board.statistic,
        "style": board.style,
        "rows": [row_values(row) for row in page.rows],
        "own_row": None if page.own_row is None else row_values(page.own_row),
        "next_cursor": page.next_cursor,
        "previous_cursor": page.previous_cursor,
        "frame": {
            "period": filters.period, "as_of": filters.as_of, "country": filters.country, "min_3bv": filters.min_bv,
            "best_of": filters.best_of, "result": LOST if filters.lost else WON,
            "min_completion": settings.MINIMUM_COMPLETION / 100 if filters.lost else None,
            "since": filters.since, "until": filters.until,
        },
        "players": page.board_size,
        "jump": jump and {
            "player": jump.player,
            "value": _jump_value(page),
            "rank": jump.rank,
            "percentile": None if jump.rank is None else percentile(jump.rank, page.board_size),
        },
    }  # fmt: skip


def _jump_value(page: BoardPage) -> float | None:
    value = None if page.jump is None else page.jump.value
    return value if value is None or page.board.row is not None else round(value)  # a number of games


def _row_values(
    page: BoardPage, decimals: int | None, trends: Mapping[int, list[float]] | None, now: datetime,
    games: RowGames, row: BoardRow,
) -> Values:  # fmt: skip
    of_one_game = page.board.filters.best_of == 1
    statistic = page.board.row
    leader = row.value if page.leader is None else page.leader
    values: Values = {
        "rank": row.rank,
        "player": row.player,
        "value": row.games if statistic is None else row.value,
        "text": (
            str(row.games)
            if statistic is None
            else value_text(statistic, row.value, precision_ms=row.precision_ms, decimals=decimals)
        ),
        "replay": row.replay_id,
        "games_url": games.url(row.player.pk),
        "games_html_url": games.html_url(row.player.pk),
        "achieved_at": row.achieved_at,
        "provisional": row.provisional,
        "percentile": percentile(row.rank, page.board_size),
        "bv": row.bv if of_one_game else None,
        "bvs": row.bvs if of_one_game else None,
        "game_style": row.style if of_one_game else "",
        "gap": round(gap(row.value, leader)) if statistic is None else gap(row.value, leader),
        "gap_share": gap_share(row.value, leader),
        "age_days": age_days(row.achieved_at, now),
    }
    if page.board.filters.lost:
        values["completion"] = row.completion if of_one_game else None
    if trends is not None:
        values["trend"] = trends.get(row.player.pk, [])
    if row.parts and statistic is not None:
        values["parts"] = {
            level: {
                "value": part.value,
                "text": value_text(statistic, part.value, precision_ms=part.precision_ms),
                "replay": part.replay_id,
            }
            for level, part in row.parts.items()
        }
    return values
