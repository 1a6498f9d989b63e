"""The counters of the viewer at any moment against the plain twin: what is shown moves with the cursor, not with the clicks."""

from __future__ import annotations

import math
import random
import sys

import numpy as np
import pytest
from playwright.sync_api import Page

from analysis import formats
from analysis.analyse import Analysis, analyse
from analysis.film import Film, encode, film_of
from analysis.formulas import tree
from analysis.recording import Board, Kind, Level, Recording, events_from
from analysis.statistics import BY_NAME
from tests.e2e.film_modules import sent
from tests.e2e.test_film import COUNTERS, readable
from tests.effort import amount
from tests.naive_game import moments
from tests.replays.games import game_file, recording
from tests.shared_files import REPLAYS, needs_shared, replay_files

#: Rows as the page has them: some that follow from the counters, and one of the board, which is constant.
ROWS = [
    ["bv", {"constant": 31}],
    *([name, {"tree": tree(BY_NAME[name].formula)}] for name in ("time", "cl", "ce", "mov", "iome")),
]
SHOW = """([film, rows, times]) => {
  const decoded = decodeFilm(bytes(film));
  const board = new Board(decoded);
  return times.map((time) => {
    const events = countUpTo(decoded.times, time);
    board.goTo(countUpTo(decoded.places, events - 1));
    return { events, values: Object.fromEntries(valuesAt(decoded, rows, board.acts, events, time, false)), faces: [...board.faces] };
  });
}"""


def random_times(film: Film, seed: int, number: int) -> list[float]:
    """Times of the clock of a film: any, those of acts, before its begin, its end."""
    rng = random.Random(seed)
    times = (film.events["time_ms"].astype(int) - int(film.events["time_ms"][0]) + film.before_ms).tolist()
    places = film.places.tolist()
    anywhere = [rng.uniform(times[0], times[-1]) for _ in range(number)]
    acts = [times[place] for place in rng.choices(places, k=number // 2)]
    return [*anywhere, *acts, times[0] - 1, times[-1]]


def wanted_row(numbers: dict[str, float], time_ms: float) -> dict[str, float]:
    """The rows of ``ROWS`` by statistics.md, in plain Python; NaN where not defined."""
    time, cells = math.floor(max(time_ms, 0)) / 1000, numbers["path"] / 16
    return {
        "bv": 31,
        "time": time,
        "cl": numbers["lcl"] + numbers["rcl"] + numbers["dcl"],
        "ce": numbers["lce"] + numbers["rce"] + numbers["dce"],
        "mov": cells / time if time else math.nan,
        "iome": numbers["bvdone"] / cells if cells else math.nan,
    }


def check_moments(modules: Page, analysis: Analysis, times: list[float]) -> int:
    """Every counter, path, rate and face at these times equals the plain twin; returns at how many the cursor had moved on."""
    film = film_of(analysis)
    shown_ = modules.evaluate(SHOW, [sent(encode(film)), ROWS, times])
    right = {moment.events: moment for moment in moments(analysis.recording, [one["events"] for one in shown_])}
    paths = film.path.tolist()
    moved = 0
    for time, one in zip(times, shown_, strict=True):
        wanted, values = right[one["events"]], one["values"]
        assert {name: values[name] for name in COUNTERS} == {name: wanted.numbers[name] for name in COUNTERS}, time
        assert values["path"] == pytest.approx(wanted.numbers["path"], rel=1e-9, abs=1e-6), time
        for name, value in wanted_row(wanted.numbers, time).items():
            assert values[name] == pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True), (name, time)
        assert one["faces"] == wanted.faces, time
        acts = int(np.searchsorted(film.places, one["events"]))
        moved += values["path"] > (paths[acts - 1] if acts else 0)
    return moved


@pytest.mark.long(beside="tests/e2e/test_film.py::test_films_of_our_own")
def test_counters_at_any_moment_are_those_of_the_plain_twin(modules: Page) -> None:
    """After every act, before the next one, and at random times between, where the cursor is on its way."""
    for seed, data in enumerate((game_file(1), game_file(2, Level.INTERMEDIATE))):
        analysis = analyse(formats.read(data))
        film = film_of(analysis)
        times = (film.events["time_ms"].astype(int) - int(film.events["time_ms"][0]) + film.before_ms).tolist()
        around = [times[max(event, 0)] for place in film.places.tolist() for event in (place - 1, place)]
        assert check_moments(modules, analysis, [*around, *random_times(film, seed, 60)]) > 20


def test_points_beside_the_board_are_no_part_of_the_path(modules: Page) -> None:
    """The way leads out of the board and in again at another place, before, at and after acts; a cell has 20 px."""
    rows = [
        (0, 30, 10, Kind.MOVE), (0, 30, 10, Kind.LEFT_PRESS), (10, 30, 10, Kind.LEFT_RELEASE),
        (20, 36, 10, Kind.MOVE), (30, -4, 10, Kind.MOVE), (40, -4, 50, Kind.RIGHT_PRESS), (50, -4, 50, Kind.RIGHT_RELEASE),
        (60, 300, 10, Kind.MOVE), (70, 36, 18, Kind.MOVE), (80, 36, 59, Kind.MOVE),
    ]  # fmt: skip
    board = Board(np.array([[1, 0, 0], [0, 0, 0], [0, 0, 1]], np.uint8))
    analysis = analyse(Recording("test", "", board, events_from(rows), cell_px=20))
    times = [time - 10.0 for time in (0, 9, 10, 19, 20, 30, 45, 55, 65, 70, 75, 80)]
    check_moments(modules, analysis, times)
    found = modules.evaluate(SHOW, [sent(encode(film_of(analysis))), ROWS, times])
    ways = [0, 0, 0, 0, 6, 6, 6, 6, 6, 14, 14, 55]
    assert [one["values"]["path"] for one in found] == pytest.approx([way * 16 / 20 for way in ways])


@pytest.mark.parametrize("style", ["FL", "NF"])
def test_the_end_of_a_won_game_shows_the_flags_of_the_player(modules: Page, style: str) -> None:
    """Exactly as many mines are drawn without a flag as are left by the counter: all of them in a game without flags."""
    film = film_of(analyse(recording(1, Level.EXPERT, style)))
    script = """(film) => {
      const decoded = decodeFilm(bytes(film));
      const board = new Board(decoded);
      board.goTo(decoded.places.length);
      const shown = [...board.faces.keys()].map((cell) => board.shown(cell, true));
      const left = valuesAt(decoded, [["left", { tree: ["-", 99, "flags"] }]], board.acts, decoded.times.length, decoded.timeMs, true).get("left");
      return [shown.filter((face) => face === 11).length, shown.filter((face) => face === 15).length, left];
    }"""
    flags = int(film.counters[-1, COUNTERS.index("flags")])
    assert (flags > 0) == (style == "FL")
    assert modules.evaluate(script, sent(encode(film))) == [flags, 99 - flags, 99 - flags]


@needs_shared
@pytest.mark.shared
@pytest.mark.long(beside="tests/e2e/test_film.py::test_films_of_our_own")
def test_random_moments_of_shared_films(modules: Page) -> None:
    """Every fourth AVF, which are many of one program and player, and all other files."""
    checked = shown_ = moved = 0
    folders = [(folder.name, 4 if folder.name == "avf" else 1) for folder in sorted(REPLAYS.glob("*/"))]
    for seed, path in enumerate(file for name, every in folders for file in replay_files(name)[::every]):
        analysis = readable(path.read_bytes())
        if analysis is None:
            continue
        times = random_times(film_of(analysis), seed, amount(long=50, usual=6))
        moved += check_moments(modules, analysis, times)
        checked, shown_ = checked + 1, shown_ + len(times)
    sys.stdout.write(f"{checked} films, {shown_} moments, at {moved} of them the cursor was on its way\n")
    assert checked > 0
    assert moved > shown_ / 4
