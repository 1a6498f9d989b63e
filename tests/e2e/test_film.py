"""The viewer in a browser: what it shows is what the server has counted, at every moment and however it is reached."""

from __future__ import annotations

import base64
import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Request, Route
from rjsmin import jsmin

from analysis import formats
from analysis.analyse import Analysis, analyse
from analysis.board import board_facts
from analysis.errors import ReplayError
from analysis.film import Film, encode, encode_odds, film_of, odds_of
from analysis.film.odds import SURE_MINE
from analysis.formulas import BadFormula, tree
from analysis.game import play
from analysis.kernels.clicks import SHOWN_QUESTION, shown_after
from analysis.kernels.probability_front import CLOSED, FLAG
from analysis.luck import snapshot_at
from analysis.probability import probabilities
from analysis.recording import Level, Recording
from analysis.statistics import BASE, DERIVED, LEVEL_CODES, STATISTICS, STNB2023_K, STNB_K, Statistic, in_order_of_need
from replays.film.counters import OWN_NAMES, own_formula
from tests.effort import amount
from tests.replays.games import game_file, largest_game
from tests.shared_files import REPLAYS, needs_shared

COUNTERS = ("lcl", "rcl", "dcl", "lce", "rce", "dce", "rce_strict", "flags", "bvdone", "opdone", "isdone")
MODULES = Path(__file__).resolve().parents[2] / "replays" / "static"
ORIGIN = "http://modules.test"
#: Which files of the shared folder the usual run takes: every n-th.
EVERY = amount(full=1, usual=8)

# --- modules without a page: decoder, board, clock, evaluator ---


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Page]:
    """An empty page on which the modules of the viewer can be imported, minified as they are served; nothing on it leaves the browser."""
    context = browser.new_context()
    page = context.new_page()

    def serve(route: Route, request: Request) -> None:
        path = request.url.removeprefix(ORIGIN)
        if path.endswith(".js"):
            route.fulfill(body=jsmin((MODULES / path.lstrip("/")).read_text()), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")

    page.route(f"{ORIGIN}/**", serve)
    page.goto(f"{ORIGIN}/")
    page.evaluate(
        """async () => {
          for (const name of ["decode", "odds", "board", "clock", "counters", "timeline"]) Object.assign(window, await import(`/film/${name}.js`));
          window.bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
        }"""
    )
    yield page
    context.close()


def sent(data: bytes) -> str:
    return base64.b64encode(data).decode()


def readable(path: Path) -> Analysis | None:
    try:
        return analyse(formats.read(path.read_bytes()))
    except ReplayError:
        return None


def shown(recording: Recording, events: int) -> list[int]:
    """Faces after so many events, in the codes of films."""
    facts = board_facts(recording.board)
    board = shown_after(
        recording.events, events, recording.cell_px, facts.numbers, facts.opening_id, facts.island_id,
        recording.question_marks,
    )  # fmt: skip
    codes = {CLOSED: 0, FLAG: 1, SHOWN_QUESTION: 2}
    return [codes.get(face, 3) for face in board.ravel().tolist()]


def moments_of(film: Film, number: int, seed: int) -> list[int]:
    """Seeded numbers of events, some of them at acts."""
    rng = random.Random(seed)
    events = len(film.events)
    return sorted({0, events, *(rng.randrange(events + 1) for _ in range(number))})


READ = """([film, moments]) => {
  const decoded = decodeFilm(bytes(film));
  const board = new Board(decoded);
  window.film = decoded;
  const state = (events) => {
    const acts = countUpTo(decoded.places, events - 1);
    board.goTo(acts);
    const row = Object.values(decoded.counters).map((column) => (acts ? column[acts - 1] : 0));
    return { acts, row, path: acts ? decoded.path[acts - 1] : 0, faces: [...board.faces] };
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


def check_film(modules: Page, analysis: Analysis, seed: int) -> None:
    """The decoded film equals the kernel, the row and a replay that was cut at some moments."""
    film, recording = film_of(analysis), analysis.recording
    moments = moments_of(film, 20, seed)
    found = modules.evaluate(READ, [sent(encode(film)), moments])
    assert found["end"]["time"] == analysis.game.time_ms == analysis.values["time_ms"]
    assert found["end"]["before"] == film.before_ms
    assert found["end"]["numbers"] == analysis.facts.numbers.ravel().tolist()
    assert found["end"]["result"] == analysis.game.result
    for events, state in zip(moments, found["states"], strict=True):
        assert state["faces"] == shown(recording, events)
        try:
            game = play(replace(recording, events=recording.events[:events].copy()), board_facts(recording.board))
        except ReplayError:  # nothing is open yet
            continue
        assert state["row"] == [getattr(game, name) for name in COUNTERS]
        if events == len(film.events):
            assert state["path"] == game.path == analysis.values["path"]
            assert state["row"] == [analysis.values[name] for name in COUNTERS]
    rng = random.Random(seed)
    jumps = [rng.randrange(len(film.places) + 1) for _ in range(200)]
    assert modules.evaluate(SEEK, [sent(encode(film)), jumps]) == []


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("folder", ["avf", "evf", "mvf", "rawvf", "rmv"])
def test_shared_films(modules: Page, folder: str) -> None:
    files = sorted(path for path in (REPLAYS / folder).iterdir() if path.is_file())
    largest = max(files, key=lambda path: path.stat().st_size)
    checked = 0
    for seed, path in enumerate(files):
        if seed % EVERY and path != largest:
            continue
        analysis = readable(path)
        if analysis is not None:
            check_film(modules, analysis, seed)
            checked += 1
    assert checked


def test_films_of_our_own(modules: Page) -> None:
    for seed, data in enumerate((game_file(1), game_file(2, Level.EXPERT), largest_game())):
        check_film(modules, analyse(formats.read(data)), seed)


def test_a_film_that_is_cut_anywhere_is_damaged(modules: Page) -> None:
    data = encode(film_of(analyse(formats.read(game_file()))))
    script = """([film, flips]) => {
      const whole = new Uint8Array(bytes(film));
      const outcome = (data) => {
        try { decodeFilm(data); return "read"; } catch (error) { return error instanceof Damaged ? "damaged" : String(error); }
      };
      const cut = Array.from({ length: whole.length }, (_none, size) => outcome(whole.slice(0, size).buffer));
      const flipped = flips.map(([place, bit]) => {
        const copy = whole.slice();
        copy[place] ^= bit;
        return outcome(copy.buffer);
      });
      return { whole: outcome(whole.buffer), cut: [...new Set(cut)], flipped: [...new Set(flipped)].sort() };
    }"""
    rng = random.Random(1)
    flips = [[rng.randrange(len(data)), 1 << rng.randrange(8)] for _ in range(amount(full=20_000, usual=3_000))]
    found = modules.evaluate(script, [sent(data), flips])
    assert found == {"whole": "read", "cut": ["damaged"], "flipped": ["damaged", "read"]}


def test_odds_are_those_of_the_positions(modules: Page) -> None:
    recording = formats.read(game_file(3, Level.INTERMEDIATE))
    film = film_of(analyse(recording))
    script = """([film, odds]) => {
      const decoded = decodeFilm(bytes(film));
      const pack = decodeOdds(bytes(odds), decoded);
      const changes = new Changes(decoded.size, pack);
      return [...pack.acts].map((acts, position) => { changes.goTo(position + 1); return [acts, [...changes.now]]; });
    }"""
    positions = modules.evaluate(script, [sent(encode(film)), sent(encode_odds(odds_of(film)))])
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
            assert row.compute is not None
            values[row.name] = np.asarray(row.compute(*(values[name] for name in row.needs)), np.float64)
    return values


def with_constant(row: Statistic, level: Level) -> str:
    constants = {"stnb": STNB_K, "stnb2023": STNB2023_K}.get(row.name, {})
    return row.formula.replace("K", repr(constants[level])) if level in constants else row.formula


def test_every_formula_at_random_inputs(modules: Page) -> None:
    number = 1_000
    rng = np.random.default_rng(5)
    inputs: dict[str, Any] = {row.name: rng.integers(0, 400, number) * (rng.random(number) > 0.1) for row in BASE}
    inputs["time_ms"] = rng.integers(0, 300_000, number) * (rng.random(number) > 0.1)
    inputs["path"] = rng.random(number) * 9_000 * (rng.random(number) > 0.1)
    inputs["win"] = rng.integers(0, 2, number)
    inputs = {name: np.asarray(column, np.float64) for name, column in inputs.items()}
    rows = in_order_of_need(DERIVED)
    script = """([rows, inputs, number]) => Array.from({ length: number }, (_none, index) => {
      const values = new Map(Object.entries(inputs).map(([name, column]) => [name, column[index]]));
      return rows.map(([name, formula, defined]) => {
        const value = defined !== null && evaluate(defined, values) !== 1 ? NaN : evaluate(formula, values);
        values.set(name, value);
        return Number.isNaN(value) ? null : value;
      });
    })"""
    for level in (Level.EXPERT, Level.CUSTOM):
        wanted = values_of(rows, {**inputs, "level": np.full(number, float(LEVEL_CODES[level]))})
        trees = [
            [row.name, tree(with_constant(row, level)), tree(row.defined) if row.defined else None] for row in rows
        ]
        found = modules.evaluate(script, [trees, {name: column.tolist() for name, column in inputs.items()}, number])
        for place, row in enumerate(rows):
            for index in range(number):
                value, right = found[index][place], float(wanted[row.name][index])
                if math.isnan(right):
                    assert value is None, (row.name, index)
                else:
                    assert value == pytest.approx(right, rel=1e-12), (row.name, index)


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
    assert {row.name for row in STATISTICS if row.stored} | {"win"} == OWN_NAMES


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(2.675, 2, "2.68"), (5.555555, 2, "5.56"), (0.0004, 3, "0.00040"), (0, 3, "0.000"), (1e21, 1, None), (49.25, 3, "49.250"), (1e-9, 3, "1.0e-9")],
)  # fmt: skip
def test_numbers_are_rounded_as_the_site_does(modules: Page, value: float, decimals: int, text: str | None) -> None:
    found = modules.evaluate("([value, decimals]) => numberText(value, decimals)", [value, decimals])
    assert text is None or found == text
