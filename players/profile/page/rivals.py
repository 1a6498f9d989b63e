from __future__ import annotations

from dataclasses import dataclass

from players.leaderboards.boards import BoardKey
from players.leaderboards.ranks.rows import BoardRow
from players.leaderboards.ranks.stored import rows_around


@dataclass(frozen=True, slots=True)
class Rival:
    """A neighbour on a board, and by how much the value differs from the player's (never negative)."""

    row: BoardRow
    difference: float


@dataclass(frozen=True, slots=True)
class Rivals:
    """The player's row on the board ``key``, and the neighbours; None at the ends of the board."""

    key: BoardKey
    own: BoardRow
    above: Rival | None
    below: Rival | None


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
    return Rival(rows[index], round(abs(rows[index].value - own.value), 9))
