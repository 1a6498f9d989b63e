from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, TypeAlias

from analysis.time_convention import decimals_apart
from players.leaderboards.board import Board
from players.models import Player
from players.people.player_refs import PlayerRef
from replays.models.stated_dates import as_stated


class BestRow(NamedTuple):
    """A row of ``PersonalBest`` with its player and columns of its replay.

    ``precision_ms``: of the replay's clock.  ``game_style``: NF or FL, also on the board of all styles.
    """

    id: int
    player_id: int
    rank_key: float
    value: float
    replay_id: int
    achieved_at: datetime
    precision_ms: int | None
    judgement: str
    bv: int | None
    bvs: float | None
    game_style: str
    date_has_zone: bool
    player: PlayerRef


class SumRow(NamedTuple):
    id: int
    player_id: int
    rank_key: float
    expert_key: float
    intermediate_key: float
    value: float
    achieved_at: datetime
    beginner_id: int
    intermediate_id: int
    expert_id: int


StoredRow: TypeAlias = BestRow | SumRow


@dataclass(frozen=True, slots=True)
class Part:
    value: float
    replay_id: int
    precision_ms: int | None
    provisional: bool
    achieved_at: datetime
    date_has_zone: bool


@dataclass(frozen=True, slots=True)
class BoardRow:
    """``parts``: by level, on combined boards, where ``replay_id`` is None.  ``precision_ms``: of the replay's clock, of a
    sum that of the coarsest clock; None if unknown.  It decides the decimals of times.  ``provisional``: the game, or one
    of those of a sum, is not final yet.  ``bv``, ``bvs``, ``style``: 3BV, 3BV/s and style of the game of ``replay_id``;
    None and "" on combined and sub-N boards.  ``completion``: the share of its 3BV that was solved, 0 to 1, on filtered
    boards, which those of lost games are.
    """

    rank: int
    player: PlayerRef
    value: float
    replay_id: int | None
    achieved_at: datetime
    precision_ms: int | None = None
    parts: dict[str, Part] = field(default_factory=dict)
    provisional: bool = False
    bv: int | None = None
    bvs: float | None = None
    style: str = ""
    completion: float | None = None
    date_has_zone: bool = True

    @property
    def shown_at(self) -> datetime:
        """The date that counts; naive if it, of a sum that of its last game, has no zone."""
        last = [part for part in self.parts.values() if part.achieved_at == self.achieved_at]
        return as_stated(self.achieved_at, self.date_has_zone and all(part.date_has_zone for part in last))

    @property
    def games(self) -> int:
        """The value on a sub-N board, where it is a number of games."""
        return int(self.value)


@dataclass(frozen=True, slots=True)
class Jump:
    """The player or value at which a board was opened, and its rank; None if the player is not on the board."""

    player: Player | None
    value: float | None
    rank: int | None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """``own_row``: the viewer's row, on this page or not.  ``board_size``: the number of rows of the whole board.
    ``jump``: None unless the board was opened at a player or value.  ``leader``: the value of the first row of the whole
    board; None if it is empty.
    """

    board: Board
    rows: list[BoardRow]
    next_cursor: str | None
    previous_cursor: str | None
    own_row: BoardRow | None
    board_size: int
    jump: Jump | None
    leader: float | None = None

    @property
    def decimals(self) -> int | None:
        """The decimals with which its different values look different; None for times and on sub-N boards."""
        row = self.board.row  # None on sub-N boards
        if row is None:
            return None
        return decimals_apart(row, (one.value for one in self.shown))

    @property
    def shown(self) -> list[BoardRow]:
        return [*self.rows, *([] if self.own_row is None or self.own_row in self.rows else [self.own_row])]


def percentile(rank: int, board_size: int) -> float:
    """100 * rank / size: rank 5 of 50 is in the top 10%.  At most 100, also for a value that would be last."""
    return min(100.0, 100 * rank / board_size) if board_size else 100.0


def coarsest(precisions_ms: Iterable[int | None]) -> int | None:
    """The largest of some clock precisions, which is that of a sum of times; None if all are unknown."""
    return max((precision for precision in precisions_ms if precision is not None), default=None)
