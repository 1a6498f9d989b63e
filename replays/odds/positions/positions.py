from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlencode

from analysis.errors import BadField, Inconsistent, LimitExceeded
from analysis.probability import Position
from replays.odds.positions.refusal import Refusal

MAX_CELLS = 10_000  # 100 x 100; links to larger positions would be too long for proxies
_SYMBOLS = str.maketrans({"-": ".", "_": ".", "#": ".", "f": "F", "\t": None, " ": None})


class Flags(StrEnum):
    """Ways to interpret flags."""

    TRUSTED = "trusted"  # as mines, unless they contradict the numbers or the count of mines
    IGNORED = "ignored"  # as closed cells


@dataclass(frozen=True, slots=True)
class PositionQuery:
    """``rows``: as in ``Position.of_rows``; ``mines``: of the whole board."""

    rows: tuple[str, ...]
    mines: int
    flags: Flags = Flags.TRUSTED

    @property
    def trust_flags(self) -> bool:
        return self.flags is Flags.TRUSTED

    @property
    def cells(self) -> int:
        return sum(map(len, self.rows))

    @property
    def parameters(self) -> str:
        values = {"position": "/".join(self.rows), "mines": str(self.mines)}
        if not self.trust_flags:
            values["flags"] = self.flags.value
        return urlencode(values, safe="/")

    def position(self) -> Position:
        """Raise :class:`Refusal` if it is not a position, or too large."""
        if self.cells > MAX_CELLS:
            raise Refusal("too_large", {"cells": self.cells, "limit": MAX_CELLS})
        try:
            return Position.of_rows(self.rows, self.mines)
        except BadField as error:
            raise self._bad_cell(int(str(error.params["offset"]))) from error
        except LimitExceeded as error:
            raise Refusal("long_side", error.params) from error
        except Inconsistent as error:
            raise self._inconsistent(error) from error

    def _bad_cell(self, offset: int) -> Refusal:
        row, column = divmod(offset, len(self.rows[0]))
        values = {"row": row + 1, "column": column + 1, "value": self.rows[row][column]}
        return Refusal("bad_cell", values, cells=((row, column),))

    def _inconsistent(self, error: Inconsistent) -> Refusal:
        if "row" in error.params:
            row = int(str(error.params["row"]))
            lengths = {"found": len(self.rows[row]), "wanted": len(self.rows[0])}
            return Refusal("ragged_rows", {"row": row + 1, **lengths})
        if "closed" in error.params:
            return Refusal("too_many_mines", error.params)
        return Refusal("no_cells")


def read_rows(text: str) -> tuple[str, ...]:
    """The rows of a pasted or linked text, separated by line breaks or slashes.

    Blanks and empty lines are removed; ``-``, ``_`` and ``#`` are closed cells too, and ``f`` is a flag.
    """
    lines = text.replace("/", "\n").translate(_SYMBOLS).splitlines()
    return tuple(line for line in lines if line)


def mines_of_density(rows: Sequence[str], density: float) -> int:
    """The whole number of mines nearest to ``density`` mines per cell."""
    return round(density * sum(map(len, rows)))
