"""Playing Minesweeper, given only what a player sees.

    board = generate(Level.EXPERT, Rules.WIN7, seed=1)
    Solver().play(board, rules=Rules.WIN7).won
    Solver().choose(Position.of_rows(["1.", ".."], mines=1)).cells

A solver opens every certain cell first.  Where none is certain it plays perfectly if few layouts of the mines are left,
plays out pockets on which the rest of the board has no influence, and else weighs each promising cell by what every
number that it may show would lead to.  It is deterministic; :class:`Strength` makes weaker players of it.
"""

from __future__ import annotations

from analysis.solver.boards import NoSuchBoard as NoSuchBoard
from analysis.solver.boards import Rules as Rules
from analysis.solver.boards import generate as generate
from analysis.solver.boards import start_of as start_of
from analysis.solver.solver import Move as Move
from analysis.solver.solver import Reason as Reason
from analysis.solver.solver import Solver as Solver
from analysis.solver.strength import Options as Options
from analysis.solver.strength import Strength as Strength
