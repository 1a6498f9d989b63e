from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from analysis.time_convention import difference
from players.leaderboards.boards import BoardKey
from players.leaderboards.ranks.rows import BoardRow
from players.leaderboards.ranks.stored import rows_around


@dataclass(frozen=True, slots=True)
class Rival:
    """A neighbour on a board, and by how much the value differs from the player's (never negative)."""

    row: BoardRow
    difference: float


class RivalLine(NamedTuple):
    """A row of the list of rivals; ``difference`` is None and ``side`` "" for the player's own."""

    row: BoardRow
    difference: float | None
    side: str


@dataclass(frozen=True, slots=True)
class Rivals:
    """The player's row on the board ``key``, and the neighbours; None at the ends of the board."""

    key: BoardKey
    own: BoardRow
    above: Rival | None
    below: Rival | None

    @property
    def lines(self) -> list[RivalLine]:
        """The rows from above to below."""
        above = [] if self.above is None else [RivalLine(self.above.row, self.above.difference, "above")]
        below = [] if self.below is None else [RivalLine(self.below.row, self.below.difference, "below")]
        return [*above, RivalLine(self.own, None, ""), *below]


def rivals_of(player_id: int, key: BoardKey) -> Rivals | None:
    """Return None if the player is not on the board."""
    rows = rows_around(key, player_id)
    index = next((index for index, row in enumerate(rows) if row.player.pk == player_id), None)
    if index is None:
        return None
    own = rows[index]
    return Rivals(key, own, *(_rival(rows, at, own) for at in (index - 1, index + 1)))


def _rival(rows: list[BoardRow], index: int, own: BoardRow) -> Rival | None:
    if not 0 <= index < len(rows):
        return None
    return Rival(rows[index], abs(difference(rows[index].value, own.value)))
