"""RMV: what the encoder writes, the reader gives back; everything else is a finding or one clear error."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import BadField, Inconsistent, LimitExceeded, ReplayError, Truncated
from analysis.formats import rmv
from analysis.limits import MAX_EVENTS
from analysis.recording import Board, Claims, Kind, Level, Mode, Recording
from tests.analysis.formats.comparing import survives
from tests.effort import examples
from tests.encoders.rmv import CODES, LOST, OTHER, PLAYED_AT, WON, Game, encode, mouse, parts
from tests.strategies import boards, damaged

VERSIONS = (1, 2)
EVENTS = [
    (0, 5, 6, Kind.LEFT_RELEASE),
    (0, 6, 6, Kind.MOVE),
    (255, -1, 13, Kind.MOVE),
    (300, -1, 13, Kind.RIGHT_PRESS),
    (1_900, 40, 41, Kind.RIGHT_RELEASE),
]
PRESS = (0, 5, 6, Kind.LEFT_PRESS)  # not stored
GAME = Game(Board(np.array([[0, 0, 1], [0, 0, 0]], np.uint8)), EVENTS)


@st.composite
def games(draw: st.DrawFn, version: int) -> Game:
    """A game that ``version`` can express."""
    lowest, highest = (-12, 32_000) if version == 1 else (-32_768, 32_767)
    steps = st.tuples(st.integers(0, 400), st.integers(-9, 9), st.integers(-9, 9), st.sampled_from(list(CODES)))
    walk = draw(st.lists(steps, min_size=1, max_size=20))
    first = draw(st.tuples(st.integers(0, 100), st.integers(lowest, highest), st.integers(lowest, highest)))
    times = accumulate((step[0] for step in walk), initial=first[0])
    columns = accumulate((step[1] for step in walk), initial=first[1])
    rows = accumulate((step[2] for step in walk), initial=first[2])
    points = [
        (time_ms, min(max(x_px, lowest), highest), min(max(y_px, lowest), highest), step[3])
        for time_ms, x_px, y_px, step in zip(times, columns, rows, walk, strict=False)
    ]
    board = draw(boards())
    cells = st.tuples(st.integers(0, board.rows - 1), st.integers(0, board.columns - 1))
    name = draw(st.text(max_size=8))
    return Game(
        board=board,
        events=points,
        end=(draw(st.sampled_from((WON, LOST, OTHER))), draw(st.integers(0, 2**24 - 1))),
        players=(name.strip().encode(), b"nick", b"Poland", b"42")[: draw(st.integers(1, 4))],
        preflags=draw(st.lists(cells, max_size=min(3, board.rows * board.columns), unique=True)),
    )


def events_of(read: Recording) -> list[tuple[int, ...]]:
    return read.events.tolist()  # type: ignore[no-any-return]  # numpy does not know the rows


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_every_field_of_a_small_file(version: int) -> None:
    read = rmv.read(encode(GAME, version))
    assert events_of(read) == [PRESS, *EVENTS]
    np.testing.assert_array_equal(read.board.mines, GAME.board.mines)
    assert (read.format, read.format_variant) == ("rmv", {1: "3.0.2H", 2: "5.0.0b4"}[version])
    edition = {1: "Home Edition - Release 3.0.2H", 2: "Release 5.0.0b4"}[version]
    assert read.software == f"Vienna Minesweeper - {edition}"
    assert (read.player, read.player_bytes, read.country) == ("Ann", b"Ann", "Poland")
    assert (read.played_at, read.mode, read.question_marks, read.findings) == (PLAYED_AT, Mode.STANDARD, False, ())
    assert (read.cell_px, read.time_precision_ms) == ({1: 16, 2: 24}[version], 1)
    bv = {1: 128, 2: 300}[version]
    assert read.claims == Claims(time_ms=1_900, bv=bv, win=True, level=Level.CUSTOM, nf=False)
    skin = {1: {}, 2: {"vsweep_skin_fname": "24px.bmp"}}[version]
    assert read.extra == {"Nickname": "annie", **skin}


@pytest.mark.parametrize("version", VERSIONS)
@given(st.data())
@settings(max_examples=examples(80))
def test_reading_gives_back_what_was_written(version: int, data: st.DataObject) -> None:
    game = data.draw(games(version))
    written = encode(game, version)
    assert rmv.recognises(written)
    read = rmv.read(written)
    first = game.events[0]
    flags = [(first[0], column * read.cell_px, row * read.cell_px, Kind.PREFLAG) for row, column in game.preflags]
    press = [(*first[:3], Kind.LEFT_PRESS)] if first[3] == Kind.LEFT_RELEASE else []
    assert events_of(read) == [*flags, *press, *game.events]
    np.testing.assert_array_equal(read.board.mines, game.board.mines)
    assert (read.claims.win, read.claims.time_ms) == (game.end[0] == WON, game.end[1])
    assert read.player_bytes == game.players[0]
    assert read.findings == ()


def with_properties(version: int, **changed: int) -> bytes:
    names = {1: ("marks", "nf", "mode", "level", "utf8"), 2: ("marks", "nf", "mode", "level", "low", "high", "px")}
    values = {**dict.fromkeys(names[version], 0), "px": 16, **changed}
    return bytes(values[name] for name in names[version])


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("mode", "expected"),
    [(0, Mode.STANDARD), (1, Mode.UPK), (2, Mode.CHEAT), (3, Mode.DENSITY), (4, Mode.WIN7), (5, Mode.NO_GUESS),
     (6, Mode.OTHER), (13, Mode.OTHER), (14, Mode.OTHER), (255, Mode.OTHER)],
)  # fmt: skip
def test_modes(version: int, mode: int, expected: Mode) -> None:
    properties = with_properties(version, mode=mode, marks=1, nf=1, level=2)
    read = rmv.read(encode(replace(GAME, properties=properties), version))
    assert (read.mode, read.question_marks, read.claims.nf, read.claims.level) == (expected, True, True, Level.EXPERT)
    assert [finding.code for finding in read.findings] == ["mode_unknown"] * (mode > 13)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_unknown_level_is_a_finding(version: int) -> None:
    read = rmv.read(encode(replace(GAME, properties=with_properties(version, level=4)), version))
    assert (read.claims.level, [finding.code for finding in read.findings]) == (None, ["level_unknown"])


@pytest.mark.parametrize(
    ("raw", "properties", "name"),
    [
        ("王嘉宁".encode("gbk"), bytes(4), "王嘉宁"),
        ("王嘉宁".encode(), bytes(4), "王嘉宁"),
        (b"aa\xc8\x91aa", bytes(5), "aaȑaa"),  # says that it is not UTF-8, but is no name in another encoding
        ("目".encode("gbk"), bytes(5), "目"),  # would be UTF-8 as well
        (b"aa\xc8\x91aa", bytes([0, 0, 0, 0, 1]), "aaȑaa"),
    ],
)
def test_names_of_version_1(raw: bytes, properties: bytes, name: str) -> None:
    read = rmv.read(encode(replace(GAME, players=(raw,), properties=properties), 1))
    assert (read.player, read.player_bytes) == (name, raw)


def test_a_lost_game_of_version_1_states_no_3bv() -> None:
    result = parts(GAME, 1)["result"].replace(b"#3BV:128", b"#3BV:000")
    assert rmv.read(encode(GAME, 1, result=result)).claims.bv is None


def test_a_nickname_that_looks_like_a_result_changes_no_3bv() -> None:
    read = rmv.read(encode(replace(GAME, players=(b"Ann", b"#3BV:9#NF:0")), 1))
    assert (read.claims.bv, read.findings) == (128, ())


@pytest.mark.parametrize(
    ("replaced", "code"),
    [
        ((b"SCORE:1.90", b"SCORE:1.80"), "header_times_differ"),
        ((b"NAME:Ann", b"NAME:Bob"), "name_differs"),
        ((b"TIMESTAMP:1731621352", b"TIMESTAMP:1731621353"), "header_dates_differ"),
    ],
)
def test_a_result_that_contradicts_the_header_is_noted(replaced: tuple[bytes, bytes], code: str) -> None:
    result = parts(GAME, 1)["result"].replace(*replaced)
    assert [finding.code for finding in rmv.read(encode(GAME, 1, result=result)).findings] == [code]


def test_release_2_2_counts_its_score_from_one_second() -> None:
    result = parts(GAME, 1)["result"].replace(b"SCORE:1.90", b"SCORE:2.90")
    assert rmv.read(encode(GAME, 1, result=result)).findings == ()


@pytest.mark.parametrize("version", VERSIONS)
def test_the_time_behind_the_end_must_be_the_time_of_the_end(version: int) -> None:
    events = parts(GAME, version)["events"]
    read = rmv.read(encode(GAME, version, events=events[:-1] + b"\x00"))
    assert [finding.code for finding in read.findings] == ["header_times_differ"]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_seal_and_what_stands_behind_it(version: int) -> None:
    read = rmv.read(encode(GAME, version))
    assert (read.seal, read.trailing_bytes) == (parts(GAME, version)["checksum"], 0)
    assert rmv.read(encode(GAME, version) + b"abc").trailing_bytes == 3


def test_a_time_stamp_among_the_events_and_what_the_program_showed_are_passed_over() -> None:
    shown = b"\x00\x01\x02\x03\x04" + bytes(
        [value for code in (*range(9, 15), *range(18, 28)) for value in (code, 1, 1)]
    )
    assert events_of(rmv.read(encode(replace(GAME, shown=shown), 1))) == [PRESS, *EVENTS]


def test_a_size_of_the_file_that_is_wrong_is_a_finding() -> None:
    for version in VERSIONS:
        read = rmv.read(encode(GAME, version) + b"appended")
        assert [finding.code for finding in read.findings] == ["file_size"]
        assert events_of(read) == [PRESS, *EVENTS]


def test_times_that_go_back_take_the_time_before() -> None:
    read = rmv.read(encode(replace(GAME, events=[(20, 1, 1, Kind.LEFT_PRESS), (10, 1, 1, Kind.LEFT_RELEASE)]), 2))
    assert read.events["time_ms"].tolist() == [20, 20]
    assert [finding.code for finding in read.findings] == ["time_goes_back"]


def test_a_file_without_mouse_events_is_read() -> None:
    assert events_of(rmv.read(encode(replace(GAME, events=[], preflags=[(0, 1)]), 2))) == [(0, 24, 0, Kind.PREFLAG)]


def test_a_preflag_far_out_keeps_to_what_a_point_can_hold() -> None:
    board = Board(np.zeros((1, 255), np.uint8))
    game = replace(GAME, board=board, preflags=[(0, 254)], properties=with_properties(2, px=255))
    assert rmv.read(encode(game, 2)).events["x_px"][0] == 32_767


# --- errors -----------------------------------------------------------------------------------------------------------

END = b"\x10\x00\x00\x01\x00\xff\x00\x00\x01"


def with_events(raw: bytes, version: int) -> bytes:
    """The small file with these bytes for its events, of the right size in the header."""
    whole = encode(GAME, version)
    old = parts(GAME, version)["events"]
    sized = whole.replace(len(old).to_bytes(4, "big") + b"\0\x12", len(raw).to_bytes(4, "big") + b"\0\x12", 1)
    return sized.replace(old, raw, 1)


@pytest.mark.parametrize(
    ("version", "raw", "error", "text"),
    [
        (1, b"\x08" + END, BadField, "code of the event"),
        (1, b"\x1d" + END, BadField, "code of the event"),
        (1, b"\x1c\x01\x11" + END, BadField, "code of the event"),
        (2, b"\x00\x01\x02\x03\x04" + END, BadField, "code of the event"),
        (2, b"\x1c\x01\x11" + END, BadField, "code of the event"),  # a step from nowhere
        (2, mouse(0, 32_767, 0, Kind.MOVE, 2, None) + b"\x1c\x01\x10" + END, BadField, "point of the event"),
        (2, b"\x01\x00\x00", Truncated, "event"),
        (2, b"", Truncated, "event"),
        (1, mouse(0, 1, 1, Kind.MOVE, 1, None), Truncated, "event"),
    ],
)
def test_refused_events(version: int, raw: bytes, error: type[ReplayError], text: str) -> None:
    with pytest.raises(error, match=text):
        rmv.read(with_events(raw, version))


@pytest.mark.parametrize(
    ("game", "version", "replaced", "error", "text"),
    [
        (GAME, 1, {"player": b"\0\1\3Ann" + bytes(20)}, Inconsistent, "The part player has 6 bytes"),
        (GAME, 1, {"player": b"\xff\xff" + b"\1a" * 8}, Truncated, "player"),
        (GAME, 1, {"board": bytes(4) + b"\3\2\0\0" + b"\2\0"}, Inconsistent, "The part board has 4 bytes"),
        (GAME, 1, {"board": bytes(4) + b"\0\2\0\0" + b"\2\0"}, LimitExceeded, "columns is 0"),
        (GAME, 1, {"board": bytes(4) + b"\3\2\0\1" + b"\3\0"}, BadField, "mine"),
        (GAME, 1, {"board": bytes(4) + b"\3\2\0\6" + b"\3\0"}, Inconsistent, "no safe cell"),
        (replace(GAME, preflags=[(0, 1)]), 2, {"preflags": b"\0\1\3\0"}, BadField, "preflag"),
        (replace(GAME, preflags=[(0, 1)]), 2, {"preflags": b"\0\7\1\0"}, BadField, "number of preflags"),
        (replace(GAME, preflags=[(0, 1)]), 2, {"preflags": b"\0\2\1\0"}, Inconsistent, "part preflags"),
        (replace(GAME, properties=bytes(3)), 1, {}, BadField, "number of properties"),
        (replace(GAME, properties=with_properties(2, px=0)), 2, {}, BadField, "size of a cell"),
        (GAME, 2, {"extension": b"\0\2" + bytes(27)}, Inconsistent, "part extension"),
        (GAME, 2, {"checksum": b""}, Truncated, "events and checksum"),
    ],
)
def test_what_is_refused(
    game: Game, version: int, replaced: dict[str, bytes], error: type[ReplayError], text: str
) -> None:
    with pytest.raises(error, match=text):
        rmv.read(encode(game, version, **replaced))


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(("raw", "name"), [(b"\xc9\xa8\xc0\xd7", "扫雷"), (b"\xff\xe9", "ÿé")])
def test_a_name_that_breaks_the_promise_of_utf_8_is_guessed_and_noted(version: int, raw: bytes, name: str) -> None:
    recording = rmv.read(encode(replace(GAME, players=(raw, raw)), version))
    assert (recording.player, recording.player_bytes) == (name, raw)
    assert recording.extra["Nickname"] == name
    assert [finding.code for finding in recording.findings] == ["text_not_utf8", "text_not_utf8"]


def test_too_many_events_are_refused() -> None:
    first, step = mouse(0, 1, 1, Kind.MOVE, 2, None), b"\x1c\x00\x00"
    assert len(rmv.read(with_events(first + step * (MAX_EVENTS - 1) + END, 2)).events) == MAX_EVENTS
    with pytest.raises(LimitExceeded, match="number of events"):
        rmv.read(with_events(first + step * MAX_EVENTS + END, 2))


@pytest.mark.parametrize("version", [0, 3, 65_535])
def test_other_versions_are_refused(version: int) -> None:
    with pytest.raises(BadField, match="version"):
        rmv.read(b"*rmv" + version.to_bytes(2, "big") + bytes(100))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_cut_anywhere_is_refused(version: int) -> None:
    data = encode(replace(GAME, preflags=[(0, 1)]), version)
    for size in range(len(data)):
        with pytest.raises(ReplayError):
            rmv.read(data[:size])


@pytest.mark.parametrize("version", VERSIONS)
@given(st.data())
@settings(max_examples=examples(300))
def test_damage_is_survived(version: int, data: st.DataObject) -> None:
    survives(rmv.read, data.draw(damaged(encode(replace(GAME, preflags=[(0, 1)]), version))))


@given(st.binary(max_size=200), st.sampled_from(VERSIONS))
def test_noise_is_survived(noise: bytes, version: int) -> None:
    survives(rmv.read, b"*rmv" + noise)
    survives(rmv.read, with_events(noise, version))
