"""The viewer in a browser: what it shows is what the server has counted, at every moment and however it is reached."""

from __future__ import annotations

import base64
import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from analysis import formats
from analysis.analyse import Analysis, analyse
from analysis.click_machine import play
from analysis.errors import ReplayError
from analysis.film import Film, encode, encode_odds, film_of, odds_of
from analysis.film.film_odds import SURE_MINE
from analysis.formulas import BadFormula, tree
from analysis.luck import snapshot_at
from analysis.probability import probabilities
from analysis.recording import Level
from analysis.statistics import (
    BASE,
    DERIVED,
    LEVEL_CODES,
    STATISTICS,
    Statistic,
    in_order_of_need,
)
from replays.models import Replay
from replays.watch.film.counters import OWN_NAMES, own_formula
from tests.e2e.film_modules import evaluate, sent
from tests.e2e.test_browser import put
from tests.effort import SHORT, amount
from tests.naive_game import moments as naive_moments
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file, largest_game
from tests.shared_files import REPLAYS, needs_shared, replay_files

COUNTERS = ("lcl", "rcl", "dcl", "lce", "rce", "dce", "rce_strict", "flags", "bvdone", "opdone", "isdone")
#: Which files of the shared folder the usual run takes: every n-th.
EVERY = amount(long=1, usual=8)


def readable(data: bytes) -> Analysis | None:
    try:
        return analyse(formats.read(data))
    except ReplayError:
        return None


def moments_of(film: Film, seed: int) -> list[int]:
    """Seeded numbers of events: none, all, 20 that end with an act, and some anywhere."""
    rng = random.Random(seed)
    events, places = len(film.events), film.places.tolist()
    acts = [place + 1 for place in rng.sample(places, min(20, len(places)))]
    return sorted({0, events, *acts, *(rng.randrange(events + 1) for _ in range(5))})


READ = """([film, moments]) => {
  const decoded = decodeFilm(bytes(film));
  const board = new Board(decoded);
  window.film = decoded;
  const state = (events) => {
    const acts = countUpTo(decoded.places, events - 1);
    board.goTo(acts);
    const row = Object.values(decoded.counters).map((column) => (acts ? column[acts - 1] : 0));
    return { acts, row, path: events ? decoded.path[events - 1] : 0, faces: [...board.faces] };
  };
  return { states: moments.map(state), end: { time: decoded.timeMs, last: decoded.times.at(-1), before: decoded.times[0], numbers: [...decoded.numbers], result: decoded.result } };
}"""
SEEK = """([film, moments]) => {
  const decoded = decodeFilm(bytes(film));
  const [board, forward] = [new Board(decoded), new Board(decoded)];
  const wanted = new Map();
  for (const acts of [...moments].sort((a, b) => a - b)) {
    forward.goTo(acts);
    wanted.set(acts, forward.faces.slice());
  }
  const changed = new Uint8Array(decoded.size);
  const drawn = new Uint8Array(decoded.size); // what a screen shows that only draws what is said to have changed
  return moments.filter((acts) => {
    board.goTo(acts, (cell) => { changed[cell] = 1; });
    changed.forEach((one, cell) => { if (one) drawn[cell] = board.faces[cell]; });
    changed.fill(0);
    const right = wanted.get(acts);
    return !right.every((face, cell) => face === board.faces[cell] && face === drawn[cell]);
  });
}"""


def check_film(modules: Page, analysis: Analysis, seed: int, row: Replay | None = None) -> int:
    """The decoded film equals the kernel, the row and a replay that was cut at some moments; returns how many."""
    film, recording, game = film_of(analysis), analysis.recording, analysis.game
    moments = moments_of(film, seed)
    found = evaluate(modules, READ, [sent(encode(film)), moments])
    end, last = found["end"], found["states"][-1]
    assert end["time"] == end["last"] == game.time_ms == analysis.values["time_ms"]
    assert end["before"] == film.before_ms
    assert end["numbers"] == analysis.facts.numbers.ravel().tolist()
    assert end["result"] == game.result
    assert last["row"] == [getattr(game, name) for name in COUNTERS] == [analysis.values[name] for name in COUNTERS]
    assert last["path"] == game.path == analysis.values["path"]
    if row is not None:
        assert (end["time"], last["path"]) == (row.statistic("time_ms"), row.statistic("path"))
        assert last["row"] == [row.statistic(name) for name in COUNTERS]
    compared = 0
    slowly = naive_moments(recording, moments)
    for events, state, expected in zip(moments, found["states"], slowly, strict=True):
        assert state["faces"] == expected.faces
        try:
            cut = play(replace(recording, events=recording.events[:events].copy()), analysis.facts)
        except ReplayError:  # nothing is open yet
            continue
        assert state["row"] == [getattr(cut, name) for name in COUNTERS]
        assert state["path"] == cut.path
        compared += 1
    rng = random.Random(seed)
    jumps = [rng.randrange(len(film.places) + 1) for _ in range(200)]
    assert modules.evaluate(SEEK, [sent(encode(film)), jumps]) == []
    return compared


@pytest.mark.long(beside="tests/e2e/test_film.py::test_films_of_our_own")
@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("folder", sorted(path.name for path in REPLAYS.glob("*/")))
def test_shared_films(
    modules: Page,
    transactional_db: None,
    store: Path,  # noqa: F811 - the fixture
    folder: str,
) -> None:
    """Every readable file of the shared folder, in the usual run a share of them."""
    files = replay_files(folder)
    largest = max(files, key=lambda path: path.stat().st_size)
    taken = [path for number, path in enumerate(files) if not number % EVERY or path == largest]
    checked = rows = moments = 0
    for seed, path in enumerate(taken):
        data = path.read_bytes()
        analysis = readable(data)
        if analysis is not None:
            row = put(data)
            is_taken = row.status == Replay.Status.DONE  # the same game in another file is not, and has no numbers
            moments += check_film(modules, analysis, seed, row if is_taken else None)
            rows, checked = rows + is_taken, checked + 1
    sys.stdout.write(f"{folder}: {checked} of {len(taken)} files, {rows} of them with a row, {moments} moments\n")
    assert checked >= 0.9 * len(taken)
    assert rows >= 0.6 * len(taken)


def test_films_of_our_own(modules: Page) -> None:
    games = [game_file(1), game_file(2, Level.EXPERT)]
    if not SHORT:  # the slow twin plays it for ten seconds
        games.append(largest_game())
    for seed, data in enumerate(games):
        check_film(modules, analyse(formats.read(data)), seed)


def test_odds_are_those_of_the_positions(modules: Page) -> None:
    recording = formats.read(game_file(3, Level.INTERMEDIATE))
    film = film_of(analyse(recording))
    script = """([film, odds]) => {
      const decoded = decodeFilm(bytes(film));
      const pack = decodeOdds(bytes(odds), decoded);
      const changes = new Changes(decoded.size, pack);
      return [...pack.acts].map((acts, position) => { changes.goTo(position + 1); return [acts, [...changes.now]]; });
    }"""
    positions = evaluate(modules, script, [sent(encode(film)), sent(encode_odds(odds_of(film)))])
    assert len(positions) == len(odds_of(film).acts)
    for acts, values in positions:
        position = snapshot_at(recording, int(film.places[acts - 1]) + 1 if acts else 0).position
        assert position is not None
        found = probabilities(position)
        for cell in np.flatnonzero(position.closed):
            value, chance = values[cell], float(found.mine.flat[cell])
            assert (value == 0) == found.certain_safe.flat[cell]
            assert (value == SURE_MINE) == found.certain_mine.flat[cell]
            assert 0 < value < SURE_MINE or chance in (0.0, 1.0)
            assert abs(value - SURE_MINE * chance) <= 1


# --- the clock ---


def clock(modules: Page, script: str) -> Any:
    return modules.evaluate(f"() => {{ const clock = new Clock(-500, 600000); {script} }}")


def test_a_change_of_rate_does_not_move_the_time(modules: Page) -> None:
    times = clock(
        modules,
        """clock.play(); let now = 1000; const jumps = [];
        for (let frame = 0; frame < 2000; frame += 1) {
          const before = clock.frame(now);
          clock.setRate([0.05, 0.5, 1, 4, 16][frame % 5]);
          if (clock.frame(now) !== before) jumps.push(frame);
          now += 16;
        }
        return jumps;""",
    )
    assert times == []


def test_ten_minutes_at_sixteen_times_do_not_drift(modules: Page) -> None:
    script = """clock.begin = 0; clock.end = 1e12; clock.seek(0); clock.setRate(16); clock.play();
      let now = 5000.25; clock.frame(now);
      for (let frame = 0; frame < 36000; frame += 1) { now += 16 + (frame % 3); clock.frame(now); }
      return [clock.time, (now - 5000.25) * 16];"""
    time, wanted = clock(modules, script)
    assert time == wanted


def test_a_gap_in_the_frames_moves_nothing(modules: Page) -> None:
    script = """clock.play(); clock.frame(0); const before = clock.frame(100); return [before, clock.frame(60100), clock.frame(60116)];"""
    assert clock(modules, script) == [-400, -400, -384]


def test_the_end_is_the_end(modules: Page) -> None:
    script = """clock.seek(599990); clock.play(); clock.frame(0); clock.frame(16);
      const ended = [clock.time, clock.playing]; clock.play(); return [...ended, clock.time, clock.playing];"""
    assert clock(modules, script) == [600000, False, -500, True]


# --- formulas ---


def values_of(rows: tuple[Statistic, ...], inputs: dict[str, np.ndarray[Any, Any]]) -> dict[str, np.ndarray[Any, Any]]:
    values: dict[str, Any] = dict(inputs)
    with np.errstate(all="ignore"):
        for row in rows:
            values[row.name] = row.compute(values)
    return values


def with_constant(row: Statistic, level: Level) -> str:
    return row.formula.replace("K", repr(row.constants[level])) if level in row.constants else row.formula


def test_every_formula_at_random_inputs(modules: Page) -> None:
    number = 1_000
    rng = np.random.default_rng(5)
    inputs: dict[str, Any] = {row.name: rng.integers(0, 400, number) * (rng.random(number) > 0.1) for row in BASE}
    inputs["time_ms"] = rng.integers(0, 300_000, number) * (rng.random(number) > 0.1)
    inputs["path"] = rng.random(number) * 9_000 * (rng.random(number) > 0.1)
    inputs["win"] = rng.integers(0, 2, number)
    inputs = {name: np.asarray(column, np.float64) for name, column in inputs.items()}
    rows = in_order_of_need(DERIVED)
    script = """([rows, text, number]) => {
      const inputs = Object.entries(JSON.parse(text));
      const results = new Float64Array(number * rows.length);
      for (let index = 0; index < number; index += 1) {
        const values = new Map(inputs.map(([name, column]) => [name, column[index]]));
        rows.forEach(([name, formula, defined], place) => {
          const value = defined !== null && evaluate(defined, values) !== 1 ? NaN : evaluate(formula, values);
          values.set(name, value);
          results[index * rows.length + place] = value;
        });
      }
      const data = new Uint8Array(results.buffer);
      let letters = "";
      for (let place = 0; place < data.length; place += 4096) letters += String.fromCharCode(...data.subarray(place, place + 4096));
      return btoa(letters);
    }"""
    columns = json.dumps({name: column.tolist() for name, column in inputs.items()})
    for level in Level:
        wanted = values_of(rows, {**inputs, "level": np.full(number, float(LEVEL_CODES[level]))})
        trees = [
            [row.name, tree(with_constant(row, level)), tree(row.defined) if row.defined else None] for row in rows
        ]
        found = base64.b64decode(modules.evaluate(script, [trees, columns, number]))
        values = np.frombuffer(found, "<f8").reshape(number, len(rows))
        for place, row in enumerate(rows):
            np.testing.assert_allclose(values[:, place], wanted[row.name], rtol=1e-12, atol=1e-12, err_msg=row.name)


@pytest.mark.parametrize(
    "hostile",
    [
        ["constructor"], ["__proto__", 1], ["toString"], "__proto__", "constructor", {"length": 1}, None, True, [["+", 1, 2], 1],
        ["**", 10.0, ["**", 10.0, 1000.0]], ["/", 1, 0], ["log", 0], ["sqrt", -1], ["+"], [],
    ],
)  # fmt: skip
def test_hostile_trees_have_no_value(modules: Page, hostile: Any) -> None:
    found = modules.evaluate("(tree) => Number.isNaN(evaluate(tree, new Map([['time', 1]])))", hostile)
    assert found is True


def test_a_tree_of_any_depth_ends(modules: Page) -> None:
    script = "() => { let tree = 1; for (let depth = 0; depth < 1e5; depth += 1) tree = ['+', tree, 1]; return Number.isNaN(evaluate(tree, new Map())); }"
    assert modules.evaluate(script) is True


def test_formulas_that_are_refused() -> None:
    for text in (
        "__import__('os')",
        "time.real",
        "x",
        "K",
        "-" * 60 + "time",
        "lambda: 1",
        "[1]",
        "time if win else 0",
        "9e999",
        "1 < 2 < 3",
        "min(1)",
        "True",
        "1j",
        "(" * 90 + "1" + ")" * 90 + "+" + "time+" * 40,
    ):
        with pytest.raises(BadFormula):
            own_formula(text)
    assert own_formula("-time ** 2") == ["-", 0.0, ["**", "time", 2.0]]
    named = {name for row in STATISTICS if row.stored for name in row.names}
    assert named | {row.name for row in STATISTICS if row.stored} | {"mines_left", "win"} == OWN_NAMES


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(2.675, 2, "2.68"), (5.555555, 2, "5.56"), (0.0004, 3, "0.00040"), (0, 3, "0.000"), (1e21, 1, "1e+21"), (49.25, 3, "49.250"), (1e-9, 3, "1.0e-9")],
)  # fmt: skip
def test_numbers_are_rounded_as_the_site_does(modules: Page, value: float, decimals: int, text: str) -> None:
    assert modules.evaluate("([value, decimals]) => numberText(value, decimals)", [value, decimals]) == text
