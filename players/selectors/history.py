"""How the record of a board, or the best of one player on a board, became what it is.

A *step* is a result better than every result achieved before it; of results of the same instant the one with the older
replay counts as the first.  Steps are found among the replays that are ranked now, by the day on which they were
achieved.  The log ``RecordEvent`` cannot tell them: it holds what was news when it arrived, so old games that come in
after newer ones are missing there although they led in their day, and so is what moves up when a replay goes.

Those of a board are kept with the live boards (``players.live``) and made without reading every replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from players.boards import BoardKey, board_key, checked_level
from players.frames import WHOLE
from players.games import ranked_games, replays, steps_of
from players.keyset import Page, page_of
from players.live import LevelBoard, kept_records
from players.models import Player
from players.selectors.ranks import DEFAULT_SIZE, page_size

_ORDER: Final = ("-achieved_at", "-id")


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
        """By how much it was better, without the dust of binary subtraction; None for the first."""
        return None if self.old_value is None else round(abs(self.value - self.old_value), 9)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A step and whose it was."""

    step: Step
    player: Player


def history_key(level: str, statistic: str, style: str) -> BoardKey:
    """The board of these names if it has a history; raises ``UnknownBoard``, as for sums, which no replay achieves."""
    return board_key(checked_level(level), statistic, style)


def board_progression(key: BoardKey) -> list[Step]:
    """Every record of the board ``key`` (of one level) that its ranked replays show, oldest first.

    A replay that has gone since the records were found is left out.
    """
    records = kept_records(LevelBoard(key.level, key.statistic, key.style, WHOLE))
    games = ranked_games(key.level, key.style, key.statistic).filter(pk__in=records.rows.replay.tolist())
    return _steps(key, games)


def player_progression(player: Player, key: BoardKey) -> list[Step]:
    """Every personal best of ``player`` on the board ``key`` (of one level), oldest first, in one statement."""
    return _steps(key, steps_of(ranked_games(key.level, key.style, key.statistic).filter(player=player), key.row))


def history_page(steps: Sequence[Step], *, cursor: str | None = None, size: int = DEFAULT_SIZE) -> Page[HistoryRow]:
    """``steps`` with their players, newest first; raises ``BadCursor``.

    A replay that has gone since the steps were found is left out.
    """
    by_id = {step.replay_id: step for step in steps}
    rows = replays().filter(pk__in=by_id).select_related("player").only("achieved_at", "player")
    page = page_of(rows, _ORDER, cursor, page_size(size))
    shown = [HistoryRow(by_id[row.pk], row.player) for row in page.rows if row.player is not None]
    return Page(shown, page.next_cursor, page.previous_cursor)


def _steps(key: BoardKey, games: QuerySet[Any, Any]) -> list[Step]:
    """Those of ``games``, nearly all of them steps, that beat all before them."""
    steps: list[Step] = []
    rows = games.values_list("achieved_at", "id", key.statistic, "time_precision_ms")
    for achieved_at, replay_id, value, precision_ms in sorted(rows):
        old = steps[-1].value if steps else None
        if old is None or key.row.rank_key(value) < key.row.rank_key(old):
            steps.append(Step(replay_id, achieved_at, float(value), old, precision_ms))
    return steps
