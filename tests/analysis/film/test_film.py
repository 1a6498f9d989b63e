"""Films: what they say of a game is what the click machine says, at every act, and their bytes say the same."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.analyse import Analysis, analyse
from analysis.board import board_facts
from analysis.click_machine import Game, Result, play
from analysis.errors import ReplayError
from analysis.film import encode, film_of
from analysis.film.encoding import differences, numbers, signed_differences
from analysis.formats import read
from analysis.limits import MAX_SIDE
from analysis.recording import Board, Kind, Recording, events_from
from tests.analysis.film.naive_film import FilmDamaged, ReadFilm, decoded, faces_after, read_film
from tests.effort import amount, examples
from tests.naive_game import moments as naive_moments
from tests.shared_files import REPLAYS, needs_shared
from tests.strategies import recordings

COUNTERS = ("lcl", "rcl", "dcl", "lce", "rce", "dce", "rce_strict", "flags", "bvdone", "opdone", "isdone")


def film_bytes(recording: Recording) -> tuple[Analysis, ReadFilm]:
    analysis = analyse(recording)
    return analysis, read_film(encode(film_of(analysis)))


def cut(recording: Recording, events: int) -> Game | None:
    """The game as it stands after so many events; None before the opening."""
    try:
        return play(replace(recording, events=recording.events[:events].copy()), board_facts(recording.board))
    except ReplayError:
        return None


def check(recording: Recording, moments: int, seed: int) -> None:
    """A film equals the replayed game at its end and at some acts."""
    analysis, film = film_bytes(recording)
    game, places = analysis.game, film.sections[4]
    last = recording.events[: game.end_index + 1]
    assert film.header["time_ms"] == game.time_ms
    assert film.header["before_ms"] == last["time_ms"][0] - recording.start_ms(game.start_index)
    assert places[film.header["start_act"]] == game.start_index
    unit = film.header["unit_ms"]
    assert [unit * time for time in film.sections[1]] == (
        last["time_ms"].astype(int) - int(last["time_ms"][0])
    ).tolist()
    assert (film.sections[2], film.sections[3]) == (last["x_px"].tolist(), last["y_px"].tolist())
    assert film.sections[5] == last["kind"][places].tolist()
    assert [film.sections[7 + number][-1] for number in range(11)] == [getattr(game, name) for name in COUNTERS]
    if game.result is not Result.UNFINISHED:
        assert film.sections[18][-1] == game.path
    random = np.random.default_rng(seed)
    for act in sorted(random.integers(0, len(places), moments).tolist()):
        assert faces_after(film, act + 1) == next(naive_moments(recording, [places[act] + 1])).faces
        now = cut(recording, places[act] + 1)
        if now is not None:
            assert [film.sections[7 + number][act] for number in range(11)] == [getattr(now, name) for name in COUNTERS]
            assert film.sections[18][act] == now.path


@settings(max_examples=examples(600), deadline=None)
@given(recordings(), st.integers(0, 2**32 - 1))
def test_a_film_is_the_replayed_game(recording: Recording, seed: int) -> None:
    try:
        analyse(recording)
    except ReplayError:
        return
    check(recording, 6, seed)


@needs_shared
@pytest.mark.shared
def test_films_of_real_files() -> None:
    files = [path for path in sorted(REPLAYS.rglob("*")) if path.is_file()]
    original = sent = checked = 0
    for number, path in enumerate(files):
        if number % amount(long=1, usual=6, short=24) and "49.25" not in path.name:
            continue
        try:
            analysis = analyse(read(path.read_bytes()))
        except ReplayError:
            continue
        check(analysis.recording, amount(long=20, usual=4), number)
        sent += _bytes_sent(analysis, path)
        original += path.stat().st_size
        checked += 1
    assert checked >= len(files) // amount(long=1, usual=6, short=24) * 9 // 10
    assert sent < original / 4


def _bytes_sent(analysis: Analysis, path: Path) -> int:
    size = len(gzip.compress(encode(film_of(analysis)), 6, mtime=0))
    if "Exp_49.25" in path.name:
        assert size <= 8 * 1024
    return size


def test_each_kind_of_face(small_board: Board) -> None:
    rows = [
        (0, 8, 8, Kind.PREFLAG), (5, 24, 8, Kind.MOVE), (10, 24, 8, Kind.LEFT_PRESS), (20, 24, 8, Kind.LEFT_RELEASE),
        (30, 40, 8, Kind.RIGHT_PRESS), (31, 40, 8, Kind.RIGHT_RELEASE), (40, 40, 8, Kind.RIGHT_PRESS),
        (41, 40, 8, Kind.RIGHT_RELEASE), (50, -5, 999, Kind.LEFT_PRESS), (51, -5, 999, Kind.LEFT_RELEASE),
    ]  # fmt: skip
    recording = Recording("test", "", small_board, events_from(rows), question_marks=True)
    film = read_film(encode(film_of(analyse(recording))))
    assert film.sections[19] == [1, 0, 1, 1, 0, 1, 0, 0, 0]
    assert film.sections[21] == [1, 3, 1, 2]
    assert film.sections[20] == [0, 1, 2, 2]
    assert film.sections[6] == [64, 64 + 9, 64, 64 + 2, 64, 64 + 2, 64, 64 + 9, 64]
    assert film.header["bits"] == 4 + 8


@pytest.fixture
def small_board() -> Board:
    mines = np.zeros((3, 3), np.uint8)
    mines[0, 0] = mines[2, 2] = 1
    return Board(mines)


def test_the_largest_board() -> None:
    """Time is bounded by events and cells, not by their product: 60,000 flags set and taken away on 65,025 cells."""
    mines = np.zeros((MAX_SIDE, MAX_SIDE), np.uint8)
    mines[0, 0] = 1
    rows = [(0, 8 + 16, 8, Kind.LEFT_PRESS), (1, 8 + 16, 8, Kind.LEFT_RELEASE)]
    flags = [(2 + n, 8 + 32, 8, (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE)[n % 2]) for n in range(60_000)]
    recording = Recording("test", "", Board(mines), events_from(rows + flags))
    film = film_of(analyse(recording))
    assert len(film.cells) == 1 + 30_000
    opening = Recording(
        "test", "", Board(mines), events_from([(0, 999, 999, Kind.LEFT_PRESS), (1, 999, 999, Kind.LEFT_RELEASE)])
    )
    assert film_of(analyse(opening)).changed.tolist() == [0, MAX_SIDE**2 - 1]


@given(st.lists(st.integers(0, 2**32 - 1), max_size=50))
def test_numbers(values: list[int]) -> None:
    plain = np.array(values, np.int64)
    assert list(decoded(1, numbers(plain))) == values
    assert list(decoded(3, differences(np.sort(plain)))) == sorted(values)
    signed = (plain // 4 - 2**29).astype(np.int64)
    assert list(decoded(2, signed_differences(signed))) == signed.tolist()


def test_a_film_that_is_cut_is_damaged(small_board: Board) -> None:
    rows = [(0, 24, 8, Kind.LEFT_PRESS), (300, 24, 8, Kind.LEFT_RELEASE)]
    data = encode(film_of(analyse(Recording("test", "", small_board, events_from(rows)))))
    for length in range(len(data)):
        with pytest.raises(FilmDamaged):
            read_film(data[:length])
