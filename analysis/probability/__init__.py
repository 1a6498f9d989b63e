"""Exact mine probabilities of a position: open numbers, closed cells and a count of mines.

    position = Position.of_rows(["1.", ".."], mines=1)
    probabilities(position).mine          # 1/3 in each closed cell
    exact_fractions(position)             # the same as fractions

Nothing is sampled or rounded away: every layout of the mines that agrees with the numbers counts once.
"""

from __future__ import annotations

from analysis.probability.counting import exact as exact
from analysis.probability.counting import exact_fractions as exact_fractions
from analysis.probability.odds import Limits as Limits
from analysis.probability.odds import Probabilities as Probabilities
from analysis.probability.odds import probabilities as probabilities
from analysis.probability.position import CLOSED as CLOSED
from analysis.probability.position import FLAG as FLAG
from analysis.probability.position import OPEN as OPEN
from analysis.probability.position import ImpossiblePosition as ImpossiblePosition
from analysis.probability.position import Position as Position
