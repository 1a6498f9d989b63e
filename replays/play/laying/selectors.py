"""Boards of the multiplayer paper, from parameters within limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from analysis.multiplayer.laying import (
    MAX_MODULUS,
    MAX_START_NUMBER,
    MAX_STEPS,
    Area,
    Laying,
    LayingError,
    LayingStep,
    areas,
    lay,
    steps,
)
from players.web.parameters import BadParameter, Parameter, Parsed, form_of, integer

#: A board of the tool.  Of 300 x 300, which the reference calls enough, the drawing without a script has about 200 KB.
MAX_TOOL_CELLS: Final = 100_000
MAX_TOOL_SIDE: Final = 1_000
MAX_TOOL_AREA: Final = 250
_DEFAULT_STEPS: Final = 16
_DEFAULTS: Final = Laying()

_LAYING: Final[tuple[Parameter[int | None], ...]] = (
    integer("rows", least=1, most=MAX_TOOL_SIDE, default=_DEFAULTS.rows, description="Of the board."),
    integer("columns", least=1, most=MAX_TOOL_SIDE, default=_DEFAULTS.columns, description="Of the board."),
    integer("area", least=1, most=MAX_TOOL_AREA, default=_DEFAULTS.area, description="The side of an area, in cells."),
    integer("area_mines", least=0, most=MAX_TOOL_AREA**2 - 1, default=_DEFAULTS.area_mines, description="Mines of a whole area."),
    integer("modulus", least=3, most=MAX_MODULUS, default=_DEFAULTS.modulus, description="p; the paper takes a prime."),
    integer("start_number", least=1, most=MAX_START_NUMBER, default=_DEFAULTS.start_number, description="s."),
)  # fmt: skip
LayingForm: Final = form_of(*_LAYING)
LAYING_QUERY: Final = (
    *_LAYING,
    integer("first_step", least=0, most=MAX_TOOL_CELLS, default=0, description="The first step of the answer."),
    integer("steps", least=0, most=MAX_STEPS, default=_DEFAULT_STEPS, description="How many steps, a step a cell."),
)


@dataclass(frozen=True, slots=True)
class LaidBoard:
    """``mines``: uint8, shape (rows, columns); ``steps``: the requested ones."""

    laying: Laying
    mines: NDArray[np.uint8]
    areas: list[Area]
    steps: list[LayingStep]

    @property
    def mine_count(self) -> int:
        return int(self.mines.sum())

    @property
    def rows(self) -> list[str]:
        """The board as lines: ``*`` a mine, ``.`` any other cell."""
        return ["".join("*" if mine else "." for mine in line) for line in self.mines.tolist()]


def laid_board(values: Parsed, first_step: int = 0, count: int = _DEFAULT_STEPS) -> LaidBoard:
    """Lay the board; raises :class:`BadParameter` with the messages of the parameters to be changed."""
    given = {parameter.name: int(values[parameter.name]) for parameter in _LAYING}
    try:
        laying = Laying(**given)
        if laying.cells > MAX_TOOL_CELLS:
            raise BadParameter(
                {"rows": _("A board can have at most %(limit)s cells here.") % {"limit": MAX_TOOL_CELLS}}
            )
        return LaidBoard(laying, lay(laying), areas(laying), steps(laying, first_step, count))
    except LayingError as error:
        raise BadParameter(_messages(error)) from error


def parameters_of(laying: Laying) -> dict[str, int]:
    return {parameter.name: getattr(laying, parameter.name) for parameter in _LAYING}


def query_string(laying: Laying) -> str:
    return urlencode(parameters_of(laying))


def _messages(error: LayingError) -> dict[str, str]:
    match error.code:
        case "out_of_range":
            name = str(error.params["name"])
            return {name: _("%(name)s must be between %(least)d and %(most)d.") % error.params}
        case "start_number_zero":
            return {"start_number": _("The start number is a multiple of the modulus: delta would always be 0.")}
        case "too_many_cells":
            return {"rows": _("A board can have at most %(limit)s cells here.") % {"limit": MAX_TOOL_CELLS}}
        case "delta_zero":
            return {
                "modulus": _("In step %(step)s, delta becomes 0 and stays 0. Choose another modulus.") % error.params
            }
        case "delta_cycle":
            return {"modulus": _("In step %(step)s, delta never exceeds the number of cells. Choose a larger prime as "
                                 "the modulus.") % error.params}  # fmt: skip
        case _:
            return {"modulus": _("Too many multiplications are needed. Choose a larger modulus.")}
