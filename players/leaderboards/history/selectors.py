"""How the record of a board, or the best of one player on a board, became what it is.

A *step* is a result better than every result achieved before it; of results of the same instant the one with the older
replay counts as the first.  Steps are found among the replays that are ranked now, by the day on which they were
achieved.  The log ``RecordEvent`` cannot show them: it holds what was news when it arrived, so old games that come in
after newer ones are missing there although they led in their day, and so is what moves up when a replay is deleted.

Those of a board are cached with the live boards (``players.leaderboards.live``) and made without reading every replay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np
from django.utils import timezone

from players.db.keyset import Page, slice_of
from players.leaderboards.boards import BoardKey, board_key, checked_level
from players.leaderboards.filters import UNFILTERED
from players.leaderboards.live import LevelBoard, live_records, live_steps
from players.leaderboards.live.clock import datetime_of, microseconds
from players.leaderboards.ranked_games import ProgressRow, ranked_games
from players.models import Player
from players.people.player_refs import PlayerRef
from players.web.parameters import DEFAULT_PAGE_SIZE

#: Times of a rank history.
RANK_TIMES: Final = 120
_ORDER: Final = ("older",)


@dataclass(frozen=True, slots=True)
class Step:
    """A result that beat all before it; ``old_value`` is None for the first.  ``precision_ms``: of its clock."""

    replay_id: int
    achieved_at: datetime
    value: float
    old_value: float | None
    precision_ms: int | None

    @property
    def gain(self) -> float | None:
        """By how much it was better, without the error of binary subtraction; None for the first."""
        return None if self.old_value is None else round(abs(self.value - self.old_value), 9)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A step and whose it was."""

    step: Step
    player: PlayerRef


def history_key(level: str, statistic: str, style: str) -> BoardKey:
    """The board of these names if it has a history; raises ``UnknownBoard``, as for sums, which no replay achieves."""
    return board_key(checked_level(level), statistic, style)


def board_progression(key: BoardKey) -> list[Step]:
    """Every record of the board ``key`` (of one level) that its ranked replays show, oldest first.

    A replay that was deleted since the records were found is left out.
    """
    records = live_records(LevelBoard(key.level, key.statistic, key.style, UNFILTERED))
    return _steps(key, ranked_games().by_ids(key, records.rows.replay.tolist()))


def player_progression(player: Player, key: BoardKey) -> list[Step]:
    """Every personal best of ``player`` on the board ``key`` (of one level), oldest first, in one statement."""
    return _steps(key, ranked_games().progress_of_player(player.pk, key))


def history_page(
    steps: Sequence[Step], *, cursor: str | None = None, size: int = DEFAULT_PAGE_SIZE
) -> Page[HistoryRow]:
    """``steps`` (oldest first) with their players, newest first; raises ``BadCursor``.

    A replay that was deleted since the steps were found is left out.
    """
    count = len(steps)

    # A cursor holds how many steps are older than a row: a new step moves no page that is open.
    def find(position: tuple[Any, ...], past: bool) -> int:
        return min(max(count - 1 - int(position[0]) + past, 0), count)

    shown = slice_of(_ORDER, cursor, size, count, find, lambda index: (count - 1 - index,))
    rows = list(reversed(steps))[shown.start : shown.stop]
    players = ranked_games().players_of([step.replay_id for step in rows])
    found = [HistoryRow(step, players[step.replay_id]) for step in rows if step.replay_id in players]
    return Page(found, shown.next_cursor, shown.previous_cursor)


def rank_history(player: Player, key: BoardKey) -> list[tuple[datetime, int | None]]:
    """Times from the first game of ``player`` on the board ``key`` (of one level) until now, oldest first, and the rank
    just before each; empty without a game.

    Ranks between two games of the player change little by little as others pass, so the times are spread evenly.
    """
    steps = live_steps(LevelBoard(key.level, key.statistic, key.style, UNFILTERED))
    first_us = steps.first_of(player.pk)
    if first_us is None:
        return []
    now_us = max(microseconds(timezone.now()), first_us) + 1
    times_us = np.unique(np.linspace(first_us + 1, now_us, RANK_TIMES).astype(np.int64)).tolist()
    ranks = steps.ranks_of(player.pk, times_us)
    return [(datetime_of(time_us), rank) for time_us, rank in zip(times_us, ranks, strict=True)]


def _steps(key: BoardKey, games: Iterable[ProgressRow]) -> list[Step]:
    """Those of ``games``, nearly all of them steps, that beat all before them."""
    steps: list[Step] = []
    for achieved_at, replay_id, value, precision_ms in sorted(games):
        old = steps[-1].value if steps else None
        if old is None or key.row.rank_key(value) < key.row.rank_key(old):
            steps.append(Step(replay_id, achieved_at, float(value), old, precision_ms))
    return steps
