"""The games behind boards: which are ranked, which of two is better, and which beat all before them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from django.apps import apps
from django.db.models import F, Max, Min, Q, QuerySet, RowRange, Window
from django.db.models.expressions import OrderBy

from analysis.statistics import Better, Statistic
from players.boards import GAME_COLUMNS, Game, game_of_row
from players.models import ALL_STYLES

#: Rows that the database hands over at once.
_CHUNK: Final = 2_000


def replays() -> Any:
    """All replays.  Reached by name, as a foreign key upward is: players must not import replays."""
    return apps.get_model("replays", "Replay")._default_manager


def ranked_games(level: str, style: str, statistic: str | None = None) -> QuerySet[Any, Any]:
    """The ranked games of a level in one style, or all; those that have a value of ``statistic`` if one is given."""
    games: QuerySet[Any, Any] = replays().filter(ranked=True, level=level)
    if statistic is not None:
        games = games.filter(**{f"{statistic}__isnull": False})
    return games if style == ALL_STYLES else games.filter(style=style)


def games_of(player_ids: Collection[int], levels: Collection[str] | None = None) -> Iterator[Game]:
    """The ranked games of these players (on ``levels``, if given), in no order, a few at a time from the database."""
    rows = replays().filter(ranked=True, player_id__in=player_ids)
    if levels is not None:
        rows = rows.filter(level__in=levels)
    return map(game_of_row, rows.values_list(*GAME_COLUMNS).iterator(chunk_size=_CHUNK))


def best_first(row: Statistic) -> tuple[OrderBy | str, ...]:
    """The order in which games are ranked: by their value of ``row``, then the earlier, then the one stored first."""
    value = F(row.name).desc() if row.better is Better.HIGH else F(row.name).asc()
    return value, "achieved_at", "id"


def better_than(row: Statistic, value: Any) -> Q:
    """The condition that a game's value of ``row`` beats ``value``, which may be a column."""
    return Q(**{f"{row.name}__{'gt' if row.better is Better.HIGH else 'lt'}": value})


def steps_of(games: QuerySet[Any, Any], row: Statistic, partition_by: str | None = None) -> QuerySet[Any, Any]:
    """Those of ``games`` that beat all of them achieved before, in no order.

    ``partition_by``: a column; a game has to beat only those that share its value there.  Of games of the same instant
    the one stored first counts as the earlier.  The database sorts, and only the steps leave it.
    """
    best = Max if row.better is Better.HIGH else Min
    before = Window(
        best(row.name), partition_by=partition_by, order_by=("achieved_at", "id"), frame=RowRange(start=None, end=-1)
    )
    steps: QuerySet[Any, Any] = games.annotate(best_before=before)
    return steps.filter(Q(best_before__isnull=True) | better_than(row, F("best_before")))
