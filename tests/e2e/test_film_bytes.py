"""The decoder of films in a browser: it reads what the server writes, refuses what is damaged, and never asks for much."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from analysis import formats
from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.film import encode, encode_odds, film_of, odds_of
from analysis.film.encoding import HEADER
from analysis.limits import MAX_SIDE
from analysis.recording import Board, Kind, Level, Recording, events_from
from tests.analysis.film.naive_film import ReadFilm, faces_after, read_film
from tests.e2e.film_modules import evaluate, sent
from tests.effort import amount, examples
from tests.replays.games import game_file
from tests.strategies import recordings

MOST_BYTES = 16 * 2**20

DECODE = """(film) => {
  const decoded = decodeFilm(bytes(film));
  const board = new Board(decoded);
  const faces = [];
  for (const acts of [decoded.places.length, 0, decoded.places.length >> 1]) {
    board.goTo(acts);
    faces.push([...board.faces]);
  }
  const { rows, columns, mineCount, cellPx, timeMs, startAct, result } = decoded;
  const plain = (names) => names.map((name) => [...decoded[name]]);
  return {
    header: [rows, columns, mineCount, cellPx, timeMs, startAct, result], faces,
    events: plain(["times", "x", "y"]), acts: [...plain(["places", "kinds", "held"]), [...decoded.places].map((place) => decoded.path[place])],
    counters: Object.values(decoded.counters).map((column) => [...column]),
    cells: plain(["openings", "islands", "mines"]),
  };
}"""

#: What becomes of bytes: "damaged", or "read" if everything that the viewer does with a film works too; and the largest
#: array that was made.
OUTCOMES = """({ whole, damage, read, other }) => {
  const original = new Uint8Array(bytes(whole));
  const context = other ? decodeFilm(bytes(other)) : null;
  let most = 0;
  const real = {};
  for (const name of ["Uint8Array", "Int32Array", "Float64Array"]) {
    real[name] = window[name];
    window[name] = class extends real[name] {
      constructor(...given) {
        if (typeof given[0] === "number") most = Math.max(most, given[0] * real[name].BYTES_PER_ELEMENT);
        super(...given);
      }
    };
  }
  const outcome = (data) => {
    try {
      if (read === "odds") {
        const pack = decodeOdds(data, context);
        new Changes(context.size, pack).goTo(pack.acts.length);
        return "read";
      }
      const film = decodeFilm(data);
      const board = new Board(film);
      clicksOf(film);
      for (const acts of [film.places.length, 0]) board.goTo(acts);
      board.shown(0, true);
      return "read";
    } catch (error) {
      return error instanceof Damaged ? "damaged" : String(error.stack);
    }
  };
  const found = damage.map(([cut, changes]) => {
    const copy = original.slice(0, cut);
    for (const [place, byte] of changes) copy[place] = byte;
    return outcome(copy.buffer);
  });
  Object.assign(window, real);
  return { found, most };
}"""


def outcomes(modules: Page, whole: bytes, damage: list[Any], **options: str) -> list[str]:
    """Read ``whole``, cut and with bytes changed by each of ``damage``; return the outcomes.  No array may be large."""
    argument = {"whole": sent(whole), "damage": damage, "read": "film", "other": "", **options}
    found = modules.evaluate(OUTCOMES, argument)
    assert found["most"] <= MOST_BYTES
    outcomes_: list[str] = found["found"]
    assert set(outcomes_) <= {"read", "damaged"}
    return outcomes_


def check_decoded(modules: Page, recording: Recording) -> None:
    """The browser reads of a film what the loops in Python read."""
    data = encode(film_of(analyse(recording)))
    film, found = read_film(data), evaluate(modules, DECODE, sent(data))
    header, parts = film.header, film.sections
    assert found["header"] == [
        *(header[name] for name in ("rows", "columns", "mines", "cell_px", "time_ms", "start_act")), result_of(film)
    ]  # fmt: skip
    times = [time * header["unit_ms"] + header["before_ms"] for time in parts[1]]
    assert found["events"] == [times, parts[2], parts[3]]
    assert found["acts"] == [parts[4], parts[5], parts[6], parts[18]]
    assert found["counters"] == [parts[number] for number in range(7, 18)]
    assert found["cells"] == [parts[23], parts[24], recording.board.mines.ravel().tolist()]
    acts = len(parts[4])
    assert found["faces"] == [faces_after(film, count) for count in (acts, 0, acts // 2)]


def result_of(film: ReadFilm) -> str:
    return {1: "won", 2: "lost", 8: "unfinished"}[film.header["bits"] & 11]


@pytest.mark.long(beside="tests/e2e/test_film_bytes.py::test_no_array_is_made_for_what_a_header_says")
@settings(max_examples=examples(400), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(recording=recordings())
def test_the_browser_reads_what_the_server_writes(modules: Page, recording: Recording) -> None:
    try:
        analyse(recording)
    except ReplayError:
        return
    check_decoded(modules, recording)


@settings(max_examples=amount(long=10, usual=4), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.integers(1, MAX_SIDE), columns=st.integers(1, MAX_SIDE), seed=st.integers(0, 2**32 - 1))
def test_boards_of_any_size(modules: Page, rows: int, columns: int, seed: int) -> None:
    """Random clicks of every kind all over the board and beside it, with flags from before the game."""
    rng = np.random.default_rng(seed)
    mines = (rng.random((rows, columns)) < rng.random() / 3).astype(np.uint8)
    mines[0, 0] = 0
    kinds = [int(kind) for kind in Kind]
    points = [
        (
            int(rng.integers(0, 3)),
            int(rng.integers(-40, 16 * columns + 40)),
            int(rng.integers(-40, 16 * rows + 40)),
            kind,
        )
        for kind in rng.choice(kinds, 120).tolist()
    ]
    clicks = [(0, 8, 8, Kind.LEFT_PRESS), (0, 8, 8, Kind.LEFT_RELEASE), *points]
    times = np.cumsum([time for time, *_rest in clicks]).tolist()
    events = events_from([(time, *rest) for time, (_gap, *rest) in zip(times, clicks, strict=True)])
    check_decoded(modules, Recording("test", "", Board(mines), events, question_marks=bool(seed % 2)))


@pytest.mark.parametrize(
    ("board", "clicks"),
    [
        ([[0]], [(0, 8, 8, Kind.LEFT_PRESS), (0, 8, 8, Kind.LEFT_RELEASE)]),  # won by one click at one moment
        ([[0, 1]], [(-7, 24, 8, Kind.PREFLAG), (5, 8, 8, Kind.LEFT_PRESS), (9, 8, 8, Kind.LEFT_RELEASE)]),
        ([[0, 1, 0]], [(5, 8, 8, Kind.LEFT_PRESS), (9, 8, 8, Kind.LEFT_RELEASE), (9, 999, -999, Kind.MOVE)]),  # no end
    ],
)  # fmt: skip
def test_the_smallest_games(modules: Page, board: list[list[int]], clicks: list[tuple[int, int, int, Kind]]) -> None:
    check_decoded(modules, Recording("test", "", Board(np.array(board, np.uint8)), events_from(clicks)))


def test_a_game_lost_by_a_chord(modules: Page) -> None:
    """The flag stands beside the mine; the chord on the 1 opens the mine."""
    rows = [
        (0, 24, 8, Kind.LEFT_PRESS), (1, 24, 8, Kind.LEFT_RELEASE),
        (2, 24, 24, Kind.RIGHT_PRESS), (3, 24, 24, Kind.RIGHT_RELEASE),
        (4, 24, 8, Kind.MIDDLE_PRESS), (5, 24, 8, Kind.MIDDLE_RELEASE),
    ]  # fmt: skip
    recording = Recording("test", "", Board(np.array([[1, 0], [0, 0]], np.uint8)), events_from(rows))
    check_decoded(modules, recording)
    assert modules.evaluate(DECODE, sent(encode(film_of(analyse(recording)))))["header"][-1] == "lost"


def test_films_and_odds_that_are_cut_anywhere_are_damaged(modules: Page) -> None:
    game = film_of(analyse(formats.read(game_file())))
    film, odds = encode(game), encode_odds(odds_of(game))
    for data, options in ((film, {}), (odds, {"read": "odds", "other": sent(film)})):
        found = outcomes(modules, data, [[size, []] for size in range(len(data) + 1)], **options)
        assert found == ["damaged"] * len(data) + ["read"]


_LARGE = pytest.param(
    Level.EXPERT,
    marks=pytest.mark.long(beside="tests/e2e/test_film_bytes.py::test_changed_bytes_are_damage_or_another_film"),
)


@pytest.mark.parametrize("level", [Level.BEGINNER, _LARGE])
def test_changed_bytes_are_damage_or_another_film(modules: Page, level: Level) -> None:
    """Most of all in header and table, where counts and lengths stand; whatever is read can be watched."""
    game = film_of(analyse(formats.read(game_file(1, level))))
    film, odds = encode(game), encode_odds(odds_of(game))
    rng = random.Random(1)
    for data, options in ((film, {}), (odds, {"read": "odds", "other": sent(film)})):
        ends = (64, 256, len(data))
        damage = [
            [len(data), [[rng.randrange(rng.choice(ends)), rng.choice((0, 1, 2, 3, 127, 128, 255))] for _ in range(rng.randint(1, 3))]]
            for _ in range(amount(long=6_000, usual=800))
        ]  # fmt: skip
        assert set(outcomes(modules, data, damage, **options)) == {"read", "damaged"}


@pytest.mark.parametrize("field", ["events", "acts", "faces"])
@pytest.mark.parametrize("count", [0, 1_000_000, 2**31 - 1, 2**32 - 1])
def test_no_array_is_made_for_what_a_header_says(modules: Page, field: str, count: int) -> None:
    data = encode(film_of(analyse(formats.read(game_file()))))
    place = {"events": 12, "acts": 16, "faces": 20}[field]
    assert HEADER.size == 64
    changes = [[place + number, byte] for number, byte in enumerate(count.to_bytes(4, "little"))]
    assert outcomes(modules, data, [[len(data), changes]]) == ["damaged"]
