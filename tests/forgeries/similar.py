"""The forgery that changes the play itself: some neighbouring clicks in the other order, and one mine elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from analysis.analyse import analyse
from analysis.click_machine import Result
from analysis.kernels.walk import CELL, CHORD, EVENT_PLACE
from analysis.recording import Board, EventArray, Kind, Recording, events_from
from tests.forgeries.kinds import mirrored, renamed, scaled

_Change: TypeAlias = Callable[[Recording, NDArray[np.integer], Generator], Recording | None]

_TRIES = 2_000


def disguised(game: Recording, random: Generator, *, swaps: int | None = None) -> Recording:
    """``game`` with two or three ``swaps``, one mine moved, mirrored, in 0.95 of the time, under another name.

    Raises
    ------
    ValueError
        If no such game is won.
    """
    forged = game
    for number in range(int(random.integers(2, 4)) if swaps is None else swaps):
        forged = _first_won(forged, _swapped if number else _swapped_early, random)
    forged = _first_won(forged, _with_a_mine_moved, random)
    return scaled(0.95)(mirrored(renamed(forged, random), random), random)


def _first_won(game: Recording, change: _Change, random: Generator) -> Recording:
    """The first of many random changes after which the game is still won, by about as many clicks."""
    clicks = analyse(game).game.clicks.astype(np.int64)
    for _ in range(_TRIES):
        forged = change(game, clicks, random)
        if forged is not None and _is_won(forged, len(clicks)):
            return forged
    raise ValueError("no change of the game leaves it won")


def _is_won(game: Recording, about: int) -> bool:
    analysis = analyse(game)
    return analysis.game.result is Result.WON and abs(len(analysis.game.clicks) - about) <= 1


def _swapped_early(game: Recording, clicks: NDArray[np.integer], random: Generator) -> Recording | None:
    """A swap among the first clicks, so that not even they are equal."""
    return _swapped(game, clicks[:30], random)


def _swapped(game: Recording, clicks: NDArray[np.integer], random: Generator) -> Recording | None:
    """Two neighbouring left clicks, each where and when the other was made."""
    at = int(random.integers(1, len(clicks) - 2))
    first, second = (_span(game.events, clicks[place]) for place in (at, at + 1))
    if first is None or second is None or clicks[at, CELL] == clicks[at + 1, CELL]:
        return None
    events = game.events.copy()
    for own, other in ((first, second), (second, first)):
        for axis in ("x_px", "y_px"):
            events[axis][own] = game.events[axis][other.stop - 1]
    return replace(game, events=_with_ways(events, (first, second)))


def _with_a_mine_moved(game: Recording, clicks: NDArray[np.integer], random: Generator) -> Recording | None:
    """A click that opened one cell opens that of a mine near it instead; the mine is where the click was."""
    place = int(random.integers(1, len(clicks) - 1))
    span = _span(game.events, clicks[place])
    row, column = divmod(int(clicks[place, CELL]), game.board.columns)
    mines = np.argwhere(game.board.mines)
    near = mines[np.abs(mines - (row, column)).max(axis=1) <= 3]
    if span is None or not len(near):
        return None
    other_row, other_column = (int(number) for number in random.choice(near))
    laid = game.board.mines.copy()
    laid[row, column], laid[other_row, other_column] = 1, 0
    events = game.events.copy()
    events["x_px"][span] += (other_column - column) * game.cell_px
    events["y_px"][span] += (other_row - row) * game.cell_px
    return replace(game, board=Board(laid), events=_with_ways(events, (span,)))


def _span(events: EventArray, click: NDArray[np.integer]) -> slice | None:
    """The events from the press to the release of a left click without other buttons; ``None`` for any other click."""
    end = int(click[EVENT_PLACE])
    presses = np.flatnonzero(events["kind"][:end] != Kind.MOVE)
    if click[CHORD] or not len(presses) or events["kind"][end] != Kind.LEFT_RELEASE:
        return None
    press = int(presses[-1])
    return slice(press, end + 1) if events["kind"][press] == Kind.LEFT_PRESS else None


def _with_ways(events: EventArray, spans: tuple[slice, ...]) -> EventArray:
    """``events`` with a move to the point of each span before it, as a hand makes it."""
    parts: list[EventArray] = []
    begin = 0
    for span in spans:
        press = events[span.start]
        way = events_from([(int(press["time_ms"]), int(press["x_px"]), int(press["y_px"]), Kind.MOVE)])
        parts += [events[begin : span.start], way]
        begin = span.start
    return np.concatenate([*parts, events[begin:]])
