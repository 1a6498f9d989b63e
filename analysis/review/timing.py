"""Remarks about time and way: slow stretches and detours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from analysis.film import Film
from analysis.luck import gaps_between
from analysis.review.acts import Act
from analysis.review.annotations import Annotation, Kind

DETOUR_RATIO: Final = 1.5
DETOUR_PX: Final = 64.0  # four cells
MOST_DETOURS: Final = 5


def slow_stretches(film: Film, acts: Sequence[Act]) -> list[Annotation]:
    """The slow stretches of a game with these acts."""
    opening = [act for act in acts if act.opens]
    slow = [(opening[place], gap) for place, gap in gaps_between([act.time_ms for act in opening]).slow]
    return [Annotation(Kind.SLOW, act.event, act.time_ms - gap, _cell(film, act), span_ms=gap) for act, gap in slow]


def detours(film: Film, acts: Sequence[Act]) -> list[Annotation]:
    """The worst detours between effective clicks, in the order of the game."""
    effective = [act for act in acts if act.lce or act.rce or act.dce]
    found = sorted(_detours(film, effective), key=lambda one: (-(one.ratio or 0), one.event))[:MOST_DETOURS]
    return sorted(found, key=lambda one: one.event)


def _detours(film: Film, acts: Sequence[Act]) -> Iterator[Annotation]:
    for earlier, later in pairwise(acts):
        if earlier.time_ms < 0 or earlier.cell is None or later.cell is None:
            continue
        straight = math.hypot(later.x_px - earlier.x_px, later.y_px - earlier.y_px)
        way = later.path - earlier.path
        if way - straight >= DETOUR_PX and way >= DETOUR_RATIO * straight:
            # A way back to the same place has no ratio; a cell is the least straight way.
            ratio = way / max(straight, 16.0)
            yield Annotation(Kind.DETOUR, later.event, earlier.time_ms, _cell(film, later), ratio=ratio)


def _cell(film: Film, act: Act) -> tuple[int, int] | None:
    return None if act.cell is None else divmod(act.cell, film.board.columns)
