"""MVF: what the encoder writes, the reader gives back; everything else is a finding or one clear error."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.analyse import analyse
from analysis.errors import BadField, Inconsistent, LimitExceeded, ReplayError, Truncated
from analysis.film import film_of
from analysis.formats import mvf, rawvf
from analysis.formats.mvf.records import bit_order
from analysis.formats.text import decode
from analysis.recording import LEVEL_SHAPES, Board, Claims, Level, Mode
from tests.analysis.formats.comparing import survives
from tests.effort import examples
from tests.encoders import mvf as encoder
from tests.encoders.mvf import PLAYED_AT, Game, State, encode, events_of
from tests.strategies import boards, damaged, ranked_boards

WITH_HEADER = ("0.97", "funny", "2006", "2007", "hack")
OLD = ("old96", "old76", "old75")
CLASSIC = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)


def classic(level: Level = Level.BEGINNER) -> Board:
    rows, columns, count = LEVEL_SHAPES[level]
    mines = np.zeros(rows * columns, np.uint8)
    mines[:count] = 1
    return Board(mines.reshape(rows, columns))


STATES: list[State] = [
    (0, 5, 6, "l"),
    (10, 5, 6, ""),
    (10, 5, 6, ""),  # changes nothing
    (250, 30, 40, "r"),
    (260, 30, 41, "lr"),
    (1_230, 30, 41, ""),
]
GAME = Game(classic(), STATES)


@st.composite
def games(draw: st.DrawFn, release: str) -> Game:
    """A game that ``release`` can express."""
    grid_ms = 1 if release in ("2006", "2007") else 10
    lowest, highest = {"0.97": (0, 511), "2006": (-32, 2015)}.get(release, (0, 400))
    pixels, total = st.integers(lowest, highest), st.integers(0, 65_535)
    buttons = st.sampled_from(("", "l", "r", "lr", "m", "lm", "lmr"))
    points = draw(st.lists(st.tuples(pixels, pixels, buttons), min_size=1, max_size=20))
    steps = draw(st.lists(st.integers(0, 1_000), min_size=len(points), max_size=len(points)))
    times = [step * grid_ms for step in accumulate(steps)]
    board = draw(ranked_boards(CLASSIC) if release in OLD else boards() | ranked_boards(CLASSIC))
    return Game(
        board=board,
        states=[(time_ms, *point) for time_ms, point in zip(times, points, strict=True)],
        name=draw(st.binary(max_size=20)),
        time_ms=times[-1],
        mode=draw(st.integers(1, 4)),
        question_marks=draw(st.booleans()),
        key=draw(st.integers(0, 65_535)),
        totals=draw(st.tuples(total, total, total, total, total)),
    )


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", WITH_HEADER)
@given(st.data())
@settings(max_examples=examples(40))
def test_reading_gives_back_what_was_written(release: str, data: st.DataObject) -> None:
    game = data.draw(games(release))
    written = encode(game, release)
    assert mvf.recognises(written)
    read = mvf.read(written)
    assert read.events.tolist() == events_of(game.states)
    np.testing.assert_array_equal(read.board.mines, game.board.mines)
    level = game.board.level if game.board.level in CLASSIC else Level.CUSTOM
    bv, bvdone, lcl, dcl, right = game.totals
    if release in ("2006", "2007"):
        assert read.claims == Claims(time_ms=game.time_ms, level=level)
        assert read.extra == {}
    else:
        assert read.claims == Claims(game.time_ms, bv, bvdone, bv == bvdone, lcl, None, dcl, level)
        assert read.extra == {"RightPresses": str(right)}
    assert (read.player_bytes, read.player) == (game.name, decode(game.name))
    assert (read.question_marks, read.played_at, read.findings) == (game.question_marks, PLAYED_AT, ())
    modes = {1: Mode.STANDARD, 2: Mode.DENSITY, 3: Mode.UPK}
    assert read.mode is (Mode.UPK if release == "funny" else modes.get(game.mode, Mode.CHEAT))


@pytest.mark.parametrize("release", OLD)
@given(st.data())
@settings(max_examples=examples(40))
def test_reading_gives_back_what_was_written_before_0_97(release: str, data: st.DataObject) -> None:
    game = data.draw(games(release))
    game = replace(game, states=[state for state in game.states if state[0] < 256_000])
    written = encode(game, release, stray=data.draw(st.sampled_from((b"", b"\xff" * 6, b"\0" * 7))))
    assert mvf.recognises(written)
    read = mvf.read(written)
    last = game.states[-1]
    assert read.events.tolist() == events_of([*game.states, (*last[:3], "")])
    np.testing.assert_array_equal(read.board.mines, game.board.mines)
    name = b"" if release == "old75" else game.name.rstrip(b" \0")
    assert (read.player_bytes, read.question_marks) == (name, game.question_marks)
    assert read.claims == Claims(time_ms=game.time_ms, level=game.board.level)


@pytest.mark.parametrize(
    ("release", "variant", "precision_ms"),
    [
        ("0.97", "0.97 beta", 10),
        ("2006", "2006 release 1", 1),
        ("2007", "2007 release 1", 1),
        ("hack", "0.97 (changed)", 10),
        ("old96", "0.96 or earlier", 10),
        ("old76", "0.76", 10),
        ("old75", "0.75 or earlier", 10),
    ],
)
def test_the_release_is_told(release: str, variant: str, precision_ms: int) -> None:
    read = mvf.read(encode(GAME, release))
    assert (read.format, read.format_variant) == ("mvf", variant)
    assert (read.software, read.time_precision_ms) == (f"Minesweeper Clone {variant}", precision_ms)


@pytest.mark.parametrize(
    ("key", "digits", "first"),
    [
        (56_766, "0340782620344987807234366450751578936573", [0, 3, 9, 17, 27, 30, 6, 8]),
        (48_385, "224830447178234693214962096669339199477139204109", [5, 24, 43, 46, 9, 19]),
        (2_241, "", []),  # 9 digits: only the first eight count
    ],
)
def test_the_order_of_the_bits(key: int, digits: str, first: list[int]) -> None:
    size = len(digits) // 8 or 5
    order = bit_order(key, size).tolist()
    assert sorted(order) == list(range(size * 8))
    assert order[: len(first)] == first
    assert encoder.digit_string(key, size) == digits or not digits


def test_records_of_real_files() -> None:
    states = [(0, 234, 38, "l"), (10, 217, 59, ""), (10, 210, 63, "l")]
    records = bytes.fromhex("0432284a0c 44296a2a04 402b2a6a0c")
    assert mvf.read(encode(replace(GAME, states=states), "0.97", records=records)).events.tolist() == events_of(states)
    late = [(0, 8, 253, "l")]
    game = replace(GAME, states=late, key=48_385)
    assert mvf.read(encode(game, "2006", records=bytes.fromhex("00100a808248"))).events.tolist() == events_of(late)


def test_a_day_that_does_not_exist_is_a_finding() -> None:
    read = mvf.read(encode(GAME, "2007", date_bytes=bytes([4, 0, 7, 215, 20, 50, 27])))
    assert (read.played_at, [finding.code for finding in read.findings]) == (None, ["date"])


def test_times_that_go_back_take_the_time_before() -> None:
    read = mvf.read(encode(replace(GAME, states=[(20, 1, 1, "l"), (10, 1, 1, "")]), "0.97"))
    assert read.events["time_ms"].tolist() == [20, 20]
    assert [finding.code for finding in read.findings] == ["time_goes_back"]


def test_old_records_end_at_a_time_beyond_that_of_the_tail() -> None:
    read = mvf.read(encode(replace(GAME, time_ms=250), "old96"))
    assert read.events["time_ms"].max() == 250


@pytest.mark.parametrize(
    ("release", "replaced", "code"),
    [
        ("0.97", {"level": b"\0"}, "level_unknown"),
        ("2007", {"mode": b"\0"}, "mode_unknown"),
        ("2006", {"question_marks": b"\2"}, "claim_unread"),
        ("old96", {"question_marks": b"\7"}, "claim_unread"),
    ],
)
def test_a_claim_that_cannot_be_read_is_a_finding(release: str, replaced: dict[str, bytes], code: str) -> None:
    plain, read = mvf.read(encode(GAME, release)), mvf.read(encode(GAME, release, **replaced))
    assert [finding.code for finding in read.findings] == [code]
    np.testing.assert_array_equal(read.events, plain.events)
    if code == "level_unknown":
        assert (read.claims.level, read.mode) == (None, plain.mode)
    elif code == "mode_unknown":
        assert read.mode is Mode.OTHER
    else:
        assert not read.question_marks


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("release", "replaced", "error", "text"),
    [
        ("0.97", {"head": encoder.header(b"2004-2009", b"version 1")}, BadField, "years"),
        ("0.97", {"head": encoder.header(b"", b"version 1")}, BadField, "years"),
        ("2006", {"size": b"\0\x08\0\x0a"}, LimitExceeded, "columns is 0"),
        ("2006", {"size": b"\x08\x08\0\x40"}, Inconsistent, "no safe cell"),
        ("2006", {"mines": b"\x09\x01" * 10}, BadField, "mine"),
        ("2006", {"mines": b"\x01\x00" * 10}, BadField, "mine"),
        ("2006", {"mines": b"\x01\x01" * 10}, Inconsistent, "twice"),
        ("2006", {"count": b"\0\0\0"}, BadField, "number of records"),
        ("2006", {"count": b"\xff\xff\xff"}, BadField, "number of records"),
        ("2006", {"count": b"\0\xff\xff"}, Truncated, "records"),
        ("2007", {"checksum": bytes(31)}, Truncated, "checksum"),
        ("old96", {"mines": b"\x08\x01" * 10}, BadField, "mine"),
        ("old96", {"records": b""}, Truncated, "records"),
        ("old76", {"records": b"\0\x64\0\0\0\0\0\0"}, BadField, "first record"),
        ("old75", {"records": b"\0\0\x08\0\0\0\0\0"}, BadField, "first record"),
    ],
)
def test_what_is_refused(release: str, replaced: dict[str, bytes], error: type[ReplayError], text: str) -> None:
    with pytest.raises(error, match=text):
        mvf.read(encode(GAME, release, **replaced))


@pytest.mark.parametrize("release", WITH_HEADER)
def test_a_file_cut_anywhere_is_refused(release: str) -> None:
    data = encode(GAME, release)
    for size in range(len(data)):
        with pytest.raises(ReplayError):
            mvf.read(data[:size])


@pytest.mark.parametrize("release", OLD)
def test_an_old_file_cut_anywhere_is_survived(release: str) -> None:
    data = encode(GAME, release)
    for size in range(len(data)):
        survives(mvf.read, data[:size])


@pytest.mark.parametrize("release", [*WITH_HEADER, *OLD])
@given(st.data())
@settings(max_examples=examples(100))
def test_damage_is_survived(release: str, data: st.DataObject) -> None:
    survives(mvf.read, data.draw(damaged(encode(GAME, release))))


@given(st.binary(max_size=300), st.sampled_from((b"", encoder.header(b"2007", b"x"), b"\0\0", b"\x08\x08\0\x0a")))
@settings(max_examples=examples(200))
def test_noise_is_survived(noise: bytes, head: bytes) -> None:
    survives(mvf.read, head + noise)


@pytest.mark.parametrize("data", [b"", b"\0\0", b"\0" * 30, b"\x08\x08\0\x0b", b"\x11Minesweeper", b"*rmv"])
def test_other_files_are_not_recognised(data: bytes) -> None:
    assert not mvf.recognises(data)


# --- the clock --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", [*WITH_HEADER, *OLD])
def test_the_time_counts_from_the_press_of_the_opening(release: str) -> None:
    """The press has the 0 of the clock, the release 10 ms: the header counts them."""
    states: list[State] = [
        (0, 5, 40, "l"),
        (10, 5, 40, ""),
        (1_220, 5, 5, "l"),
        (1_230, 5, 5, ""),
    ]  # a number, then a mine
    read = mvf.read(encode(Game(classic(), states), release))
    analysis = analyse(read)
    assert (analysis.game.time_ms, read.claims.time_ms) == (1_230, 1_230)
    film = film_of(analysis)
    assert (film.before_ms, film.time_ms) == (0, 1_230)
    assert analyse(rawvf.read(rawvf.write(read))).game.time_ms == 1_230


# --- the seal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", WITH_HEADER)
def test_the_seal_and_what_stands_behind_it(release: str) -> None:
    read = mvf.read(encode(GAME, release))
    assert (read.seal, read.trailing_bytes) == (encoder.parts(GAME, release)["checksum"], 0)
    assert mvf.read(encode(GAME, release) + b"abc").trailing_bytes == 3


@pytest.mark.parametrize(("release", "size"), [("old96", 22), ("old76", 10), ("old75", 10)])
def test_the_seal_of_old_files_is_their_end(release: str, size: int) -> None:
    assert mvf.read(encode(GAME, release)).seal == encode(GAME, release)[-size:]
