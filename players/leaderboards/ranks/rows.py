"""What a page of a board holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from players.leaderboards.boards import BoardKey
from players.models import Player
from players.people.player_refs import PlayerRef


@dataclass(frozen=True, slots=True)
class Part:
    """One level's share of a sum."""

    value: float
    replay_id: int
    precision_ms: int | None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One place of a board.

    ``parts`` (combined boards): by level; ``replay_id`` is then None.  ``precision_ms``: of the replay's clock, or of
    the coarsest one of a sum; None if unknown.  Only times are shown by it.
    """

    rank: int
    player: PlayerRef
    value: float
    replay_id: int | None
    achieved_at: datetime
    precision_ms: int | None = None
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """The value of a sub-N board, which counts games."""
        return int(self.value)


@dataclass(frozen=True, slots=True)
class Jump:
    """Where a board was opened: at the place of ``player``, or where ``value`` would stand.

    ``rank``: of that place; None if the player has none.
    """

    player: Player | None
    value: float | None
    rank: int | None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Some rows of a board, the viewer's own row wherever it is, the number of players on the whole board, and where
    it was opened (None: at a cursor, or at its top).
    """

    key: BoardKey
    rows: list[BoardRow]
    next_cursor: str | None
    previous_cursor: str | None
    own_row: BoardRow | None
    board_size: int
    jump: Jump | None


def percentile(rank: int, board_size: int) -> float:
    """The share of a board, in percent, that a rank ends: rank 5 of 50 is in the top 10 %.

    A value that would come after everybody has a rank beyond the last; it is in the top 100 % as well.
    """
    return min(100.0, 100 * rank / board_size) if board_size else 100.0


def coarsest(precisions_ms: Iterable[int | None]) -> int | None:
    """The precision of a sum of times: that of its coarsest clock; None if no clock is known."""
    return max((precision for precision in precisions_ms if precision is not None), default=None)
