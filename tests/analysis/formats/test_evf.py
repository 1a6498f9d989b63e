"""EVF and EVFS: what the encoder writes, the readers give back; everything else is a finding or one clear error."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import datetime
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import formats
from analysis.errors import BadField, Inconsistent, LimitExceeded, ReplayError, Truncated, UnknownFormat
from analysis.formats import evf, evfs
from analysis.limits import MAX_EVENTS, MAX_SET_REPLAYS, MAX_TIME_MS
from analysis.recording import Board, Claims, Kind, Mode, Recording
from tests.analysis.formats.comparing import survives
from tests.effort import examples
from tests.encoders.evf import BEGIN, CONVERTED, NF, WON, Game, encode, encode_set, record
from tests.strategies import boards, damaged

VERSIONS = (0, 1, 2, 3, 4)
EVENTS = [
    (0, 5, 6, Kind.LEFT_PRESS),
    (0, 5, 6, Kind.LEFT_RELEASE),
    (255, 59, 0, Kind.MOVE),
    (511, 60, 40, Kind.SECOND_PRESS),  # outside: 3 columns and 2 rows of 20 px
    (1_900, 0, 39, Kind.RIGHT_RELEASE),
]
GAME = Game(Board(np.array([[0, 0, 1], [0, 0, 0]], np.uint8)), EVENTS)


@st.composite
def games(draw: st.DrawFn, version: int) -> Game:
    """A game that ``version`` can express."""
    board, cell_px = draw(boards()), draw(st.sampled_from((1, 16, 24, 255)))
    kinds = [kind for kind in Kind if kind <= (12 if version >= 3 else 9)]
    points = st.tuples(
        st.integers(0, board.columns * cell_px),
        st.integers(0, board.rows * cell_px),
        st.sampled_from(kinds),
    )
    walk = draw(st.lists(points, max_size=20))
    if version == 4 and walk:
        walk[0] = (*walk[0][:2], draw(st.sampled_from((Kind.MOVE, Kind.LEFT_PRESS, Kind.RIGHT_PRESS, Kind.PREFLAG))))
    steps = draw(st.lists(st.sampled_from((0, 1, 255, 256, 70_000)), min_size=len(walk), max_size=len(walk)))
    return Game(
        board=board,
        events=[(time_ms, *point) for time_ms, point in zip(accumulate(steps), walk, strict=True)],
        summary=draw(st.integers(0, 255)),
        cell_px=cell_px,
        mode=draw(st.sampled_from((0, 5, 16, 65_535))),
        bv=draw(st.integers(0, 65_535)),
        time_ms=draw(st.integers(0, 2**24 - 1)),
        has_checksum=draw(st.booleans()),
    )


def events_of(read: Recording) -> list[tuple[int, ...]]:
    return read.events.tolist()  # type: ignore[no-any-return]  # numpy does not know the rows


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_every_field_of_a_small_file(version: int) -> None:
    read = evf.read(encode(GAME, version))
    assert events_of(read) == EVENTS
    np.testing.assert_array_equal(read.board.mines, GAME.board.mines)
    assert (read.format, read.format_variant, read.software) == ("evf", f"v{version}", "元3.2.1")
    assert (read.player, read.player_bytes, read.country) == ("王嘉宁", "王嘉宁".encode(), "CN")
    assert (read.played_at, read.ended_at) == (BEGIN, GAME.end)
    assert (read.cell_px, read.time_precision_ms, read.mode, read.question_marks) == (20, 1, Mode.STANDARD, False)
    nf = None if version in (0, 2) else False
    assert read.claims == Claims(time_ms=1_900, bv=3, win=True, nf=nf, fair=True)
    assert (read.extra, read.findings) == ({"Race": "a race", "UniqueId": "7"}, ())


@pytest.mark.parametrize("version", VERSIONS)
@given(st.data())
@settings(max_examples=examples(60))
def test_reading_gives_back_what_was_written(version: int, data: st.DataObject) -> None:
    game = data.draw(games(version))
    written = encode(game, version)
    assert evf.recognises(written)
    read = evf.read(written)
    assert events_of(read) == game.events
    np.testing.assert_array_equal(read.board.mines, game.board.mines)
    assert (read.claims.win, read.claims.bv, read.claims.time_ms) == (bool(game.summary & WON), game.bv, game.time_ms)
    if read.claims.nf is not None:
        assert read.claims.nf == bool(game.summary & NF)
    assert read.mode is {0: Mode.STANDARD, 5: Mode.NO_GUESS}.get(game.mode, Mode.OTHER)


@pytest.mark.parametrize(("mode", "recognised"), [(17, True), (255, True), (256, False)])
def test_an_unknown_mode_is_another_set_of_rules_and_a_finding(mode: int, recognised: bool) -> None:
    data = encode(replace(GAME, mode=mode), 3)
    assert evf.recognises(data) == recognised
    read = evf.read(data)
    assert (read.mode, [finding.code for finding in read.findings]) == (Mode.OTHER, ["mode_unknown"])


def test_a_converted_file_tells_its_converter() -> None:
    texts = {**GAME.texts, "converter": b"ms", "encoding": b"GBK", "country": b"XX"}
    read = evf.read(encode(replace(GAME, summary=CONVERTED, texts=texts), 4))
    assert (read.player, read.country) == ("王嘉宁", "")
    assert (read.extra["Converter"], read.extra["OriginalEncoding"]) == ("ms", "GBK")


@pytest.mark.parametrize(
    ("text", "when", "extra"),
    [
        (b"20.12.2021.14:36:10:9945", datetime(2021, 12, 20, 14, 36, 10, 945_000), None),  # noqa: DTZ001
        (b"yesterday", None, "yesterday"),
        (b"", None, None),
    ],
)
def test_old_moments_are_texts_in_several_forms(text: bytes, when: datetime | None, extra: str | None) -> None:
    read = evf.read(encode(replace(GAME, begin=text), 3))
    assert (read.played_at, read.extra.get("Timestamp")) == (when, extra)


def test_datetimes_that_are_missing_or_beyond_the_calendar() -> None:
    read = evf.read(encode(GAME, 4, begin=bytes(8), end=b"\xff" * 8))
    assert (read.played_at, read.ended_at) == (None, None)
    assert [finding.code for finding in read.findings] == ["date"]


def test_a_name_in_another_code_page() -> None:
    texts = {**GAME.texts, "player": "王嘉宁".encode("gbk")}
    assert evf.read(encode(replace(GAME, texts=texts), 3)).player == "王嘉宁"


@pytest.mark.parametrize("device", [GAME.texts["device"], b""])
@pytest.mark.parametrize("last_row", [0, 1])
def test_version_2_under_the_version_byte_0(device: bytes, last_row: int) -> None:
    # Without a device and with no mine in the last eight cells, the mines fit version 0 as well, and no event does.
    mines = np.zeros((8, 8), np.uint8)
    mines[0, 0] = mines[7, 0] = 1
    mines[7, 0] = last_row
    game = replace(GAME, board=Board(mines), texts={**GAME.texts, "device": device})
    read = evf.read(encode(game, 2, version_byte=b"\0"))
    assert (read.format_variant, events_of(read)) == ("v2", EVENTS)
    np.testing.assert_array_equal(read.board.mines, mines)
    assert [finding.code for finding in read.findings] == ["version_byte"]


def test_a_file_of_version_0_without_events_stays_one() -> None:
    read = evf.read(encode(replace(GAME, events=[]), 0))
    assert (read.format_variant, len(read.events), read.findings) == ("v0", 0, ())


def test_times_that_wrap_are_steps_back() -> None:
    events = [(20, 1, 1, Kind.LEFT_PRESS), (10, 1, 1, Kind.LEFT_RELEASE), (30, 1, 1, Kind.MOVE)]
    for version in (3, 4):
        read = evf.read(encode(replace(GAME, events=events), version))
        assert read.events["time_ms"].tolist() == [20, 20, 30]
        assert [finding.code for finding in read.findings] == ["time_goes_back"]


OTHERS = b"".join(
    [
        *(bytes([code, 3]) for code in (81, 82, 83, 99)),
        *(bytes([code, 3, 0, 0]) for code in (*range(100, 109), 110, 111, 114, 115, 116, 118, 120, 121)),
        b"\xc8\3\x27\x10" + bytes(8),
        b"\xc9\3\x27\x10text\0",
    ]
)


def test_what_the_program_showed_and_metrics_take_time_and_nothing_else() -> None:
    first, second = b"\2\0\0\5\0\6", b"\1\2\xff\xff\0\1"
    read = evf.read(encode(GAME, 4, events=first + OTHERS + second))
    times = 3 * (4 + 17 + 2) + 2
    assert events_of(read) == [(0, 5, 6, Kind.LEFT_PRESS), (times, 4, 7, Kind.MOVE)]


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "replaced", "error", "text"),
    [
        (3, {"version_byte": b"\5"}, BadField, "version"),
        (3, {"size": b"\0\3\0\1"}, LimitExceeded, "rows is 0"),
        (3, {"size": b"\2\0\0\1"}, LimitExceeded, "columns is 0"),
        (3, {"cell_px": b"\0"}, BadField, "size of a cell"),
        (3, {"size": b"\2\xff\0\1", "cell_px": b"\xff"}, LimitExceeded, "in pixels"),
        (3, {"size": b"\2\3\0\2"}, Inconsistent, "states 2 mines, its board has 1"),
        (3, {"mines": b"\x22"}, Inconsistent, "behind its last cell"),
        (3, {"size": b"\2\3\0\6", "mines": b"\xfc"}, Inconsistent, "no safe cell"),
        (3, {"texts": b"x" * 1_001 + b"\0" * 8}, LimitExceeded, "length of the text"),
        (3, {"events": record(0, 61, 0, 1)}, BadField, "point of the event"),
        (3, {"events": record(0, 0, 41, 1)}, BadField, "point of the event"),
        (3, {"events": record(0, 0, 0, 13)}, BadField, "code of the event"),
        (2, {"events": record(0, 0, 0, 10)}, BadField, "code of the event"),
        (3, {"end": b""}, Truncated, "end of the events"),
        (3, {"end": b"\0" + bytes(31)}, Truncated, "checksum"),
        (0, {"mines": b"\x22"}, Inconsistent, "behind its last cell"),
        (4, {"events": b"\3\0\0\0\0\0"}, BadField, "code of the event"),  # a release cannot be first
        (4, {"events": b"\x0d\0\0\0\0\0"}, BadField, "code of the event"),
        (4, {"events": b"\x54\0"}, BadField, "code of the event"),
        (4, {"events": b"\1\0\0\0\0\0\1\0\xff\xff\0\0"}, BadField, "point of the event"),
        (4, {"events": b"\xff\xff\xff" * (MAX_TIME_MS // 65_535 + 1) + b"\1\0\0\0\0\0"}, BadField, "time of the event"),
        (4, {"events": b"\xc9\0\0\0endless", "stop": b"x", "checksum": b"y"}, Truncated, "event"),
        (4, {"stop": b"", "checksum": b""}, Truncated, "event"),
        (4, {"stop": b"\1\0", "checksum": b""}, Truncated, "event"),
        (4, {"checksum": b"\0\x21" + bytes(32)}, Truncated, "checksum"),
    ],
)
def test_what_is_refused(version: int, replaced: dict[str, bytes], error: type[ReplayError], text: str) -> None:
    with pytest.raises(error, match=text):
        evf.read(encode(GAME, version, **replaced))


@pytest.mark.parametrize(("version", "event"), [(3, record(0, 1, 1, 1)), (4, b"\1\0\0\0\0\0")])
def test_too_many_events_are_refused(version: int, event: bytes) -> None:
    assert len(evf.read(encode(GAME, version, events=event * MAX_EVENTS)).events) == MAX_EVENTS
    with pytest.raises(LimitExceeded, match="number of events"):
        evf.read(encode(GAME, version, events=event * (MAX_EVENTS + 1)))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_cut_anywhere_is_refused(version: int) -> None:
    data = encode(GAME, version)
    for size in range(len(data)):
        with pytest.raises(ReplayError):
            evf.read(data[:size])


@pytest.mark.parametrize("version", VERSIONS)
@given(st.data())
@settings(max_examples=examples(200))
def test_damage_is_survived(version: int, data: st.DataObject) -> None:
    survives(evf.read, data.draw(damaged(encode(GAME, version))))


@given(st.binary(max_size=200), st.sampled_from(VERSIONS))
@settings(max_examples=examples(200))
def test_noise_is_survived(noise: bytes, version: int) -> None:
    survives(evf.read, bytes([version]) + noise)
    survives(evf.read, encode(GAME, version)[:60] + noise)
    evf.recognises(bytes([version]) + noise)


@pytest.mark.parametrize("data", [b"", b"\0", b"\5" * 20, bytes(40), b"\3\0\0\2\2\0\4\x10\0\0\0\0\0"])
def test_other_files_are_not_recognised(data: bytes) -> None:
    assert not evf.recognises(data)


# --- sets -------------------------------------------------------------------------------------------------------------

SET = encode_set([("第一局".encode(), encode(GAME, 4)), (b"second", encode(GAME, 3))])


@pytest.mark.parametrize("checksum_bytes", [0, 32])
def test_a_set_is_taken_apart(checksum_bytes: int) -> None:
    first, second = encode(GAME, 4), encode(GAME, 3)
    data = encode_set([("第一局".encode(), first), (b"second", second)], checksum_bytes)
    assert evfs.recognises(data)
    assert evfs.cells(data) == (evfs.Cell("第一局", first), evfs.Cell("second", second))
    assert [formats.read(cell.data).format_variant for cell in evfs.cells(data)] == ["v4", "v3"]


def test_a_set_is_no_replay_and_says_so() -> None:
    with pytest.raises(UnknownFormat, match="set of replays"):
        formats.read(SET)


def test_a_set_cut_anywhere_is_refused_but_between_replays() -> None:
    whole = [len(encode_set([])), len(encode_set([("第一局".encode(), encode(GAME, 4))]))]
    for size in range(len(SET)):
        if size in whole:
            assert len(evfs.cells(SET[:size])) == whole.index(size)
        else:
            with pytest.raises(Truncated):
                evfs.cells(SET[:size])


@pytest.mark.parametrize(
    ("data", "error", "text"),
    [
        (b"\1\0\0", BadField, "version"),
        (b"\0\0\0" + b"x" * 1_001 + b"\0" * 5, LimitExceeded, "length of a name"),
        (b"\0\0\0x\0\xff\xff\xff\xff", Truncated, "replay"),
        (b"\0\0\0" + b"\0" * 5 * (MAX_SET_REPLAYS + 1), LimitExceeded, "number of replays"),
    ],
)
def test_what_is_refused_of_a_set(data: bytes, error: type[ReplayError], text: str) -> None:
    assert not evfs.recognises(data)
    with pytest.raises(error, match=text):
        evfs.cells(data)


@pytest.mark.parametrize("broken", [b"", b"x" * 40])
def test_a_set_whose_first_replay_is_broken_is_a_set(broken: bytes) -> None:
    assert evfs.recognises(encode_set([(b"a", broken), (b"b", encode(GAME, 4))]))
    assert not evfs.recognises(encode_set([(b"a", broken), (b"b", broken)]))
    assert not evfs.recognises(encode_set([(b"a", broken)] * 100 + [(b"b", encode(GAME, 4))]))  # bounds the work


def test_the_replays_before_a_damage_are_found() -> None:
    found = evfs.places(io.BytesIO(SET[:-40]), len(SET) - 40)
    assert next(found).name == "第一局"
    with pytest.raises(Truncated):
        next(found)


@given(st.data())
@settings(max_examples=examples(100))
def test_damage_to_a_set_is_survived(data: st.DataObject) -> None:
    spoiled = data.draw(damaged(SET))
    evfs.recognises(spoiled)
    try:
        found = evfs.cells(spoiled)
    except ReplayError:
        return
    for cell in found:
        survives(evf.read, cell.data)


# --- the seal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_the_seal_and_what_stands_behind_it(version: int) -> None:
    whole = encode(GAME, version)
    read = evf.read(whole)
    assert (read.seal, read.trailing_bytes, read.converted) == (whole[-32:], 0, False)
    assert evf.read(whole + b"abc").trailing_bytes == 3
    bare = encode(replace(GAME, has_checksum=False), version)
    assert (evf.read(bare).seal, evf.read(bare + b"a").trailing_bytes) == (b"", 1)


def test_version_4_says_whether_it_was_converted() -> None:
    assert evf.read(encode(replace(GAME, summary=WON | CONVERTED), 4)).converted
