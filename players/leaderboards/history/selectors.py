"""Histories: every record of a board, or every personal best of a player on a board.

A *step* of a history is a result better than every result achieved before it (of equal dates that of the lower player,
then the lower replay id, counts as the earlier).  Steps are found among the replays that are ranked now, by the dates of the games.  ``RecordEvent`` is
another list: it logs what was a record when it was uploaded, so it lacks old games that were uploaded after newer ones,
and results that became records when a replay was deleted.

The steps of a board are cached with the filtered boards (``players.leaderboards.filtered``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from django.utils import timezone

from analysis.statistics import Statistic
from analysis.time_convention import decimals_apart, difference
from players.db.keyset import Page, SortKey, slice_of
from players.leaderboards import ranked_games
from players.leaderboards.board import Board
from players.leaderboards.boards import BoardKey, board_key, checked_level
from players.leaderboards.filtered import bests_by_date, records_by_date
from players.leaderboards.filtered.sorted_board import datetime_of, microseconds
from players.leaderboards.ranked_games import ProgressRow
from players.models import Player
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef
from players.web.parameters import DEFAULT_PAGE_SIZE
from replays.models import Replay
from replays.models.stated_dates import as_stated

RANK_TIMES: Final = 120
_ORDER: Final = ("older",)


@dataclass(frozen=True, slots=True)
class Step:
    """A result better than all before it; ``old_value``: of the step before, None for the first."""

    replay_id: int
    achieved_at: datetime
    value: float
    old_value: float | None
    precision_ms: int | None
    date_has_zone: bool

    @property
    def shown_at(self) -> datetime:
        return as_stated(self.achieved_at, self.date_has_zone)

    @property
    def gain(self) -> float | None:
        """Absolute gain on the old value; None for the first."""
        return None if self.old_value is None else abs(difference(self.value, self.old_value))


@dataclass(frozen=True, slots=True)
class HistoryRow:
    step: Step
    player: PlayerRef


def history_key(level: str, statistic: str, style: str) -> BoardKey:
    """Raise ``UnknownBoard``, also for combined boards, which have no history."""
    return board_key(checked_level(level), statistic, style)


def board_progression(key: BoardKey) -> list[Step]:
    """The steps of the board ``key`` (of one level), oldest first.

    Replays that were deleted since the filtered board was updated are left out.
    """
    records = records_by_date(Board(*key))
    return _steps(key, ranked_games.by_ids(key, records.rows.replay.tolist()))


def player_progression(player: Player, key: BoardKey) -> list[Step]:
    """The steps of ``player`` on the board ``key`` (of one level), oldest first, in one statement."""
    return _steps(key, ranked_games.progress_of_player(player.pk, key))


def history_page(
    steps: Sequence[Step], *, cursor: str | None = None, size: int = DEFAULT_PAGE_SIZE
) -> Page[HistoryRow]:
    """A page of ``steps`` (given oldest first), newest first; raises ``BadCursor``.

    Replays that were deleted since the steps were read are left out.
    """
    count = len(steps)

    # A cursor holds the number of older steps, which does not change when a new step is added.
    def find(sort_key: SortKey, past: bool) -> int:
        return min(max(count - 1 - int(sort_key[0]) + past, 0), count)

    shown = slice_of(_ORDER, cursor, size, count, find, lambda index: (count - 1 - index,))
    rows = list(reversed(steps))[shown.start : shown.stop]
    played = Replay.objects.filter(pk__in=[step.replay_id for step in rows], player__isnull=False)
    players = {pk: PlayerRef(*player) for pk, *player in played.values_list("pk", *PLAYER_COLUMNS)}
    found = [HistoryRow(step, players[step.replay_id]) for step in rows if step.replay_id in players]
    return Page(found, shown.next_cursor, shown.previous_cursor)


def decimals_of_steps(row: Statistic, page: Page[HistoryRow]) -> int | None:
    """The decimals with which the values of a page of steps look different; None for times."""
    values = [value for found in page.rows for value in (found.step.value, found.step.old_value) if value is not None]
    return decimals_apart(row, values)


def rank_history(player: Player, key: BoardKey) -> list[tuple[datetime, int | None]]:
    """The ranks of ``player`` on the board ``key`` (of one level) just before :data:`RANK_TIMES` datetimes, oldest first.

    The datetimes are evenly spaced from the player's first game until now, since ranks also change with the games of
    others.  Empty without a game.
    """
    steps = bests_by_date(Board(*key))
    first_us = steps.first_of(player.pk)
    if first_us is None:
        return []
    now_us = max(microseconds(timezone.now()), first_us) + 1
    times_us = np.unique(np.linspace(first_us + 1, now_us, RANK_TIMES).astype(np.int64)).tolist()
    ranks = steps.ranks_of(player.pk, times_us)
    return [(datetime_of(time_us), rank) for time_us, rank in zip(times_us, ranks, strict=True)]


def _steps(key: BoardKey, games: Iterable[ProgressRow]) -> list[Step]:
    """Those of ``games``, which are in the order of their dates, that are better than all before them, as steps."""
    steps: list[Step] = []
    for achieved_at, replay_id, value, precision_ms, has_zone in games:
        old = steps[-1].value if steps else None
        if old is None or key.row.rank_key(value) < key.row.rank_key(old):
            steps.append(Step(replay_id, achieved_at, float(value), old, precision_ms, has_zone))
    return steps
