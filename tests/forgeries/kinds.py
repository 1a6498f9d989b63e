"""Forgeries of a game: a recording in, a recording out.  Every kind but ``cut short`` keeps the order of solving."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from analysis.analyse import analyse
from analysis.recording import Board, Claims, EventArray, Kind, Recording, events_from

Forging: TypeAlias = Callable[[Recording, Generator], Recording]


@dataclass(frozen=True)
class Forgery:
    """A kind.  ``as_text``: written as RawVF; ``suffix``: bytes put behind the file."""

    name: str
    forge: Forging
    as_text: bool = False
    suffix: bytes = b""
    keeps_order: bool = True


def with_dates(game: Recording) -> Recording:
    """The end by the wall's clock moved to where the time of the game says."""
    if game.played_at is None or game.ended_at is None:
        return game
    lasted = timedelta(milliseconds=analyse(game).game.time_ms)
    return replace(game, ended_at=game.played_at + lasted)


def scaled(factor: float, *, dates: bool = True) -> Forging:
    """All times multiplied and rounded to the clock of the file, and the dates with them."""

    def forge(game: Recording, _: Generator) -> Recording:
        events = game.events.copy()
        grid_ms = game.time_precision_ms
        events["time_ms"] = np.rint(events["time_ms"] * factor / grid_ms).astype(np.int32) * grid_ms
        forged = replace(game, events=events)
        return with_dates(forged) if dates else forged

    return forge


def shifted(game: Recording, _: Generator) -> Recording:
    """Everything half a second later."""
    events = game.events.copy()
    events["time_ms"] += 500
    return replace(game, events=events)


def cut_short(game: Recording, _: Generator) -> Recording:
    """Without the last sixth of the events."""
    return with_dates(replace(game, events=game.events[: len(game.events) * 5 // 6]))


def without_pauses(game: Recording, _: Generator) -> Recording:
    """Every step of time cut to 100 ms."""
    events = game.events.copy()
    steps = np.minimum(np.diff(events["time_ms"]), 100)
    events["time_ms"][1:] = events["time_ms"][0] + np.cumsum(steps)
    return with_dates(replace(game, events=events))


def mirrored(game: Recording, _: Generator) -> Recording:
    """Left for right."""
    events = game.events.copy()
    events["x_px"] = game.board.columns * game.cell_px - 1 - events["x_px"]
    return _outside_clamped(replace(game, board=Board(game.board.mines[:, ::-1].copy()), events=events))


def transposed(game: Recording, _: Generator) -> Recording:
    """Rows for columns."""
    events = game.events.copy()
    events["x_px"], events["y_px"] = game.events["y_px"], game.events["x_px"]
    return _outside_clamped(replace(game, board=Board(game.board.mines.T.copy()), events=events))


def _outside_clamped(forged: Recording) -> Recording:
    """Points outside stand where every format lets them: just behind the last cell."""
    events = forged.events.copy()
    right, bottom = forged.board.columns * forged.cell_px, forged.board.rows * forged.cell_px
    outside = (events["x_px"] < 0) | (events["x_px"] >= right) | (events["y_px"] < 0) | (events["y_px"] >= bottom)
    events["x_px"][outside], events["y_px"][outside] = right, bottom
    return replace(forged, events=events)


def renamed(game: Recording, _: Generator) -> Recording:
    return replace(game, player="Mallory", player_bytes=b"Mallory")


def one_event_moved(game: Recording, random: Generator) -> Recording:
    """One release 10 ms later, where there is room."""
    times = game.events["time_ms"]
    releases = np.flatnonzero((game.events["kind"][:-1] == Kind.LEFT_RELEASE) & (np.diff(times) >= 10))
    events = game.events.copy()
    events["time_ms"][int(random.choice(releases[releases > 1]))] += 10
    return replace(game, events=events)


def with_flags(game: Recording, random: Generator) -> Recording:
    """A mine is flagged and cleared again, twice, between two clicks."""
    kinds = game.events["kind"]
    gaps = np.flatnonzero((kinds[:-1] == Kind.LEFT_RELEASE) & (kinds[1:] == Kind.MOVE))
    at = int(random.choice(gaps)) + 1
    row, column = np.argwhere(game.board.mines)[int(random.integers(game.board.mine_count))].tolist()
    point = (int(game.events["time_ms"][at - 1]), column * game.cell_px + 5, row * game.cell_px + 5)
    toggle = [(*point, Kind.RIGHT_PRESS), (*point, Kind.RIGHT_RELEASE)]
    added = events_from([(*point, Kind.MOVE), *toggle * 4])
    return replace(game, events=np.concatenate((game.events[:at], added, game.events[at:])))


def without_moves(game: Recording, random: Generator) -> Recording:
    """Half of the moves deleted."""
    stays = (game.events["kind"] != Kind.MOVE) | (random.random(len(game.events)) < 0.5)
    return replace(game, events=game.events[stays])


def everything(game: Recording, random: Generator) -> Recording:
    """Renamed, mirrored, 0.9 of the time, every point elsewhere in its cell, flags added."""
    forged = with_flags(mirrored(renamed(game, random), random), random)
    events = forged.events.copy()
    inside = (events["x_px"] < forged.board.columns * forged.cell_px) & (events["y_px"] >= 0) & (events["x_px"] >= 0)
    for axis in ("x_px", "y_px"):
        cell = events[axis][inside] // forged.cell_px * forged.cell_px
        # Events that stand still go on doing so.
        events[axis][inside] = cell + (events[axis][inside] * 7 + 3) % forged.cell_px
    return scaled(0.9)(replace(forged, events=events), random)


def unchanged(game: Recording, _: Generator) -> Recording:
    return game


#: Seventeen, so that the n-th of 20 games meets another kind in each round.
KINDS: tuple[Forgery, ...] = (
    Forgery("times x 0.70", scaled(0.7)),
    Forgery("times x 0.85", scaled(0.85)),
    Forgery("times x 0.95", scaled(0.95)),
    Forgery("times x 0.99", scaled(0.99)),
    Forgery("times x 0.85, old dates", scaled(0.85, dates=False)),
    Forgery("shifted by 500 ms", shifted),
    Forgery("cut short", cut_short, keeps_order=False),
    Forgery("pauses cut to 100 ms", without_pauses),
    Forgery("mirrored", mirrored),
    Forgery("transposed", transposed),
    Forgery("renamed", renamed),
    Forgery("one event moved by 10 ms", one_event_moved),
    Forgery("flags added", with_flags),
    Forgery("as RawVF, times x 0.95", scaled(0.95), as_text=True),
    Forgery("half of the moves deleted", without_moves),
    Forgery("one byte behind the end", unchanged, suffix=b"\0"),
    Forgery("all at once, with jitter", everything),
)


def redated(game: Recording, _: Generator) -> Recording:
    """Both dates a year earlier."""
    year = timedelta(days=365)
    dates = {name: getattr(game, name) for name in ("played_at", "ended_at")}
    return replace(game, **{name: date - year for name, date in dates.items() if date is not None})


def with_hidden_character(game: Recording, _: Generator) -> Recording:
    """A soft hyphen behind the name, which the code pages of these formats have."""
    return replace(game, player=f"{game.player}\xad", player_bytes=game.player_bytes + b"\xad")


#: What somebody does to a file in a second, to upload it before its owner does (findings S1, S2).
COPIES: tuple[Forgery, ...] = (
    Forgery("byte appended", unchanged, suffix=b"\0"),
    Forgery("hidden character", with_hidden_character),
    Forgery("renamed", renamed),
    Forgery("redated", redated),
    Forgery("retimed x 0.95", scaled(0.95)),
    Forgery("mirrored", mirrored),
    Forgery("one event moved", one_event_moved),
    Forgery("through RawVF", unchanged, as_text=True),
)


# --- bots and boards without an original ---


def _presses(game: Recording) -> NDArray[np.intp]:
    return np.flatnonzero(np.isin(game.events["kind"], [Kind.LEFT_PRESS, Kind.RIGHT_PRESS, Kind.MIDDLE_PRESS]))


def _from_opening(events: EventArray) -> EventArray:
    """Return them on a clock that starts when the first cell opens."""
    moved = events.copy()
    opened_ms = moved["time_ms"][np.flatnonzero(moved["kind"] == Kind.LEFT_RELEASE)[0]]
    moved["time_ms"] = np.maximum(0, moved["time_ms"] - opened_ms)
    return moved


def evenly(pause_ms: float) -> Forging:
    """All presses at equal pauses, and all else in between."""

    def forge(game: Recording, _: Generator) -> Recording:
        events, at, grid_ms = game.events.copy(), _presses(game), game.time_precision_ms
        times = np.interp(np.arange(len(events)), at, np.arange(len(at)) * pause_ms)
        events["time_ms"] = (times / grid_ms).astype(np.int32) * grid_ms
        return with_dates(replace(game, events=_from_opening(events)))

    return forge


def straightened(game: Recording, _: Generator) -> Recording:
    """A cursor that moves in a line from press to press."""
    at, events = _presses(game), game.events.copy()
    for name in ("x_px", "y_px"):
        line = np.interp(np.arange(len(events)), at, events[name][at]).round()
        events[name] = np.where(events["kind"] == Kind.MOVE, line, events[name])
    return replace(game, events=events)


def with_mines_in_one_half(game: Recording, random: Generator) -> Recording:
    """A board of few clicks, opened cell by cell on crooked ways, at pauses like those of a hand."""
    rows, columns = game.board.mines.shape
    half = [row * columns + column for row in range(rows) for column in range(columns // 2)]
    mines = np.zeros(rows * columns, np.uint8)
    mines[random.choice(half, game.board.mine_count, replace=False)] = 1
    safe = np.flatnonzero(mines == 0)[::-1]
    events: list[tuple[int, int, int, int]] = []
    time_ms, grid_ms = 0, game.time_precision_ms
    for row, column in (divmod(int(cell), columns) for cell in safe):
        x_px, y_px = column * game.cell_px + 5, row * game.cell_px + 5
        for step in range(4):
            events.append((time_ms, x_px + 5 * (step % 2), max(0, y_px - 3 * (3 - step)), Kind.MOVE))
            time_ms += int(random.integers(10, 90)) // grid_ms * grid_ms
        events.append((time_ms, x_px, y_px, Kind.MOVE))
        events.append((time_ms, x_px, y_px, Kind.LEFT_PRESS))
        time_ms += int(random.integers(40, 90)) // grid_ms * grid_ms
        events.append((time_ms, x_px, y_px, Kind.LEFT_RELEASE))
    laid = replace(game, board=Board(mines.reshape(rows, columns)), events=events_from(events))
    made = laid.events[: analyse(laid).game.end_index + 1]
    return with_dates(replace(laid, events=_from_opening(made), claims=Claims()))


#: What a bot plays, or a program lays (findings S7, S8).
BOTS: tuple[Forgery, ...] = (
    Forgery("clicks every 200 ms", evenly(200)),
    Forgery("28 clicks a second", evenly(1000 / 28)),
    Forgery("straight movements", straightened),
    Forgery("all mines in one half", with_mines_in_one_half),
)
