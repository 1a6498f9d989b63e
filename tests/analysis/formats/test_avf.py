"""AVF: what the encoder writes, the reader gives back; everything else is a finding or one clear error."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import BadField, Inconsistent, LimitExceeded, ReplayError, Truncated
from analysis.formats import avf
from analysis.formats.avf.events import KINDS
from analysis.formats.text import read_name
from analysis.recording import LEVEL_SHAPES, Board, Claims, Finding, Kind, Level, Mode, Recording, events_from
from tests.analysis.formats.comparing import assert_same, survives
from tests.effort import examples
from tests.encoders.avf import digits, encode, offset_of, parts, record, shifted
from tests.strategies import avf_recordings, damaged

MINES = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 0]], np.uint8)

SMALL = Recording(
    format="avf",
    format_variant="0.52.3",
    board=Board(MINES),
    events=events_from(
        [
            (0, 5, 6, Kind.LEFT_PRESS),
            (0, 5, 6, Kind.LEFT_RELEASE),
            (10, 300, 301, Kind.MOVE),
            (260_020, 20, 20, Kind.RIGHT_PRESS),
        ]
    ),
    player="Ann",
    player_bytes=b"Ann",
    software="Minesweeper Arbiter 0.52.3",
    country="PL",
    played_at=datetime(2021, 12, 31, 23, 59, 58, 945_000),  # noqa: DTZ001 - no zone in the file
    ended_at=datetime(2022, 1, 1, 0, 4, 19, 81_000),  # noqa: DTZ001
    time_precision_ms=10,
    claims=Claims(time_ms=260_020, bv=8, level=Level.CUSTOM),
    extra={"Skin": "3.1"},
)

SMALL_HEX = """
34                                                # minor version 52
01 1f 10 07                                       # random
06 02 02 00 01                                    # custom: width - 1, height - 1, mines
02 02                                             # the mine: row, column, from 1
08 05                                             # board checksum "52", shifted
d3 d3 d3 dc                                       # record count 9: 4 events + 5, shifted
1d                                                # country 29, Poland
03 14 41 41                                       # length of the name; "Ann", shifted
09 04 08                                          # name checksum "615", shifted
7f                                                # question marks off
3c 5b 33 7c 57 33 48 33 4d 31 7c                  # length of the stamp, "[3|W3H3M1|"
33 31 2e 31 32 2e 32 30 32 31 2e                  # "31.12.2021."
32 33 3a 35 39 3a 35 38 3a 39 39 34 35 7c         # "23:59:58:9945|": 945 ms
31 2e 30 30 3a 30 34 3a 31 39 3a 30 38 31 7c      # "1.00:04:19:081|": the first of the next month, 81 ms
42 38 54 32 36 31 2e 30 32 5d                     # "B8T261.02]": 3BV 8, 260.02 s from second 1
04 03 0a 05 09 03                                 # stamp checksum "107260", shifted
03 00 01 05 00 00 00 06                           # left press at 0.00 s, (5, 6)
05 00 01 05 00 00 00 06                           # left release
01 01 01 2c 01 01 00 2d                           # move at 0.01 s, (300, 301)
09 00 05 14 02 00 01 14                           # right press at 260.02 s (1 * 256 + 5 - 1), (20, 20)
01 00 00 00 00 00 00 00  01 00 00 00 00 00 00 00  # six empty records
01 00 00 00 00 00 00 00  01 00 00 00 00 00 00 00
01 00 00 00 00 00 00 00  01 00 00 00 00 00 00 00
36 31 32 33 34 36 31 37 35 33 30 33 38 37 39 39   # digits and random bytes
34 33 33 35 31 35 30 30 30 31 30 30 03 05 1f 0a
11 0d
63 73 3d 2c d2 c4 b1 9b 9f e9 67 74 bb 0a 69      # "cs=", the seal of 16 bytes, CR
61 86 41 7d 0d
52 65 61 6c 54 69 6d 65 3a 20 32 36 30 2e 30 32 0d  # "RealTime: 260.02"
53 6b 69 6e 3a 20 33 2e 31 0d                     # "Skin: 3.1"
41 6e 6e 0d                                       # "Ann"
4d 69 6e 65 73 77 65 65 70 65 72 20               # "Minesweeper Arbiter 0.52.3. Copyright ..."
41 72 62 69 74 65 72 20 30 2e 35 32 2e 33 2e 20
43 6f 70 79 72 69 67 68 74 20 a9 20 32 30 30 35
2d 32 30 30 36 20 44 6d 69 74 72 69 79 20 49 2e
20 53 75 6b 68 6f 6d 6c 79 6e 6f 76
"""


def bytes_of(dump: str) -> bytes:
    return bytes.fromhex("".join(line.partition("#")[0] for line in dump.splitlines()))


# --- reading ----------------------------------------------------------------------------------------------------------


def test_every_header_field_of_a_small_file() -> None:
    assert_same(avf.read(bytes_of(SMALL_HEX)), SMALL)


def test_the_encoder_writes_what_the_dump_explains() -> None:
    assert encode(SMALL) == bytes_of(SMALL_HEX)


@given(avf_recordings())
@settings(max_examples=examples(60))
def test_reading_gives_back_what_was_written(recording: Recording) -> None:
    player, encoding = read_name(recording.player_bytes, recording.country)
    expected = replace(recording, player=player, player_encoding=encoding, extra={"Skin": "3.1"})
    assert_same(avf.read(encode(recording)), expected, but=("findings",))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (1, Kind.MOVE),
        (3, Kind.LEFT_PRESS),
        (5, Kind.LEFT_RELEASE),
        (21, Kind.LEFT_RELEASE),
        (9, Kind.RIGHT_PRESS),
        (17, Kind.RIGHT_RELEASE),
        (145, Kind.RIGHT_RELEASE),
        (33, Kind.MIDDLE_PRESS),
        (65, Kind.MIDDLE_RELEASE),
        (193, Kind.MIDDLE_RELEASE),
        (11, Kind.SHIFT_LEFT_PRESS),
    ],
)
def test_every_button_code(code: int, kind: Kind) -> None:
    read = avf.read(with_event(bytes([code, 0, 1, 7, 0, 0, 0, 8])))
    assert read.events.tolist() == [(0, 7, 8, kind)]


def with_event(event: bytes, **replaced: bytes) -> bytes:
    """The small file with one event."""
    return encode(SMALL, record_count=shifted((6).to_bytes(4, "big")), events=event, **replaced)


def test_every_other_button_code_is_refused() -> None:
    for code in set(range(256)) - set(KINDS):
        with pytest.raises(BadField, match="button code"):
            avf.read(with_event(bytes([code, 0, 1, 7, 0, 0, 0, 8])))


def test_the_largest_time() -> None:
    assert avf.read(with_event(record(65_534_990, 0, 0, Kind.MOVE))).events["time_ms"][0] == 65_534_990


@pytest.mark.parametrize(
    ("x_px", "y_px", "expected", "findings"),
    [
        (47, 47, (47, 47), []),  # the last pixel of 3 x 3 cells
        (48, 48, (48, 48), []),  # outside on both axes, as Arbiter writes a release there
        (48, 3, (48, 3), ["point_half_outside"]),
        (3, 32767, (3, 32767), ["point_half_outside"]),
        (32768, 65535, (-32768, -1), []),  # never seen; outside whichever way it is read
    ],
)
def test_points_outside_stay_outside(x_px: int, y_px: int, expected: tuple[int, int], findings: list[str]) -> None:
    read = avf.read(with_event(record(0, x_px, y_px, Kind.LEFT_RELEASE)))
    assert (read.events["x_px"][0], read.events["y_px"][0]) == expected
    assert [finding.code for finding in read.findings] == findings


@pytest.mark.parametrize(("level", "code"), [(Level.BEGINNER, 3), (Level.INTERMEDIATE, 4), (Level.EXPERT, 5)])
def test_the_ranked_levels_have_no_size_in_the_file(level: Level, code: int) -> None:
    rows, columns, count = LEVEL_SHAPES[level]
    mines = np.zeros(rows * columns, np.uint8)
    mines[:count] = 1
    recording = replace(SMALL, board=Board(mines.reshape(rows, columns)), claims=replace(SMALL.claims, level=level))
    data = encode(recording)
    assert data[5] == code
    assert_same(avf.read(data), recording, but=("findings",))


def test_the_largest_board_that_a_site_accepts_and_the_one_beyond() -> None:
    recording = replace(SMALL, board=Board(np.eye(255, dtype=np.uint8)))
    assert avf.read(encode(recording)).board.rows == 255
    with pytest.raises(LimitExceeded, match="columns is 256"):
        avf.read(encode(SMALL, level=bytes([6, 255, 2, 0, 1])))


def test_question_marks_on() -> None:
    assert avf.read(encode(SMALL, question_marks=b"\x11")).question_marks


def test_an_unknown_country_is_kept_as_its_number() -> None:
    read = avf.read(encode(SMALL, country=b"\x02"))
    assert (read.country, read.extra["CountryCode"]) == ("", "2")


def test_a_name_that_looks_like_other_parts_of_the_file() -> None:
    name = b"[0|B1T2]cs=\rSkin: x:<"
    recording = replace(SMALL, player_bytes=name, player=read_name(name)[0])
    assert_same(avf.read(encode(recording)), recording)


@pytest.mark.parametrize("raw", ["王嘉宁".encode(), "王嘉宁".encode("gbk")])
def test_a_name_in_utf_8_or_gbk(raw: bytes) -> None:
    assert avf.read(encode(replace(SMALL, player_bytes=raw))).player == "王嘉宁"


def test_a_decimal_comma_and_a_high_score_mark() -> None:
    stamp = b"[3|W3H3M1|1.2.2003.04:05:06:007|1.04:05:07:007|HS|B8T261,02]"
    read = avf.read(with_stamp(stamp, real_time=b"RealTime: 260,02\r"))
    assert (read.claims.bv, read.claims.time_ms, read.findings) == (8, 260_020, ())


def test_version_0_49_has_no_bar_before_the_3bv_and_no_time_behind_the_events() -> None:
    stamp = b"[3|W3H3M1|1.2.2003.04:05:06:007|1.04:05:07:007B8T261.02]"
    program = b"Minesweeper Arbiter 0.49.5 Copyright \xa9 2005-2006 Dmitriy I. Sukhomlynov"
    read = avf.read(with_stamp(stamp, version=b"\x31", real_time=b"", skin=b"", program=program))
    assert (read.software, read.format_variant) == ("Minesweeper Arbiter 0.49.5", "0.49.5")
    assert (read.claims.bv, read.claims.time_ms, read.extra) == (8, 260_020, {})


def with_stamp(stamp: bytes, **replaced: bytes) -> bytes:
    checksum = digits(sum((index + 1) * value for index, value in enumerate(stamp)))
    return encode(SMALL, stamp_length=bytes([len(stamp)]), stamp=stamp, stamp_checksum=checksum, **replaced)


def test_an_unknown_program_is_taken_as_it_is() -> None:
    read = avf.read(encode(SMALL, program=b"Clone\r"))
    assert (read.software, read.format_variant) == ("Clone", "0.52")


def test_the_seal_and_what_stands_behind_it() -> None:
    read = avf.read(encode(SMALL))
    assert (read.seal, read.trailing_bytes) == (parts(SMALL)["final_checksum"][3:19], 0)
    assert avf.read(encode(SMALL) + b"abc").trailing_bytes == 3
    longer = parts(SMALL)["final_checksum"][:-1] + b"abcd\r"
    assert avf.read(encode(SMALL, final_checksum=longer)).trailing_bytes == 4


# --- FreeSweeper ------------------------------------------------------------------------------------------------------


@given(avf_recordings(grid_ms=1))
@settings(max_examples=examples(30))
def test_freesweeper_files_are_exact_to_the_millisecond(recording: Recording) -> None:
    player, encoding = read_name(recording.player_bytes, recording.country)
    recording = replace(
        recording,
        mode=Mode.LUCKY,
        software="FreeSweeper R10",
        format_variant="R10",
        extra={"Skin": "3.1", "LuckLibrary": "on"},
        player=player,
        player_encoding=encoding,
    )
    data = b"".join(parts(recording, freesweeper=True).values())
    assert avf.recognises(data)
    assert_same(avf.read(data), recording, but=("findings",))


def test_a_thousandth_above_nine_is_refused() -> None:
    whole = parts(SMALL, freesweeper=True)
    whole["final_checksum"] = whole["final_checksum"].replace(b"cs=\xa0", b"cs=\xaa")
    with pytest.raises(BadField, match="thousandths"):
        avf.read(b"".join(whole.values()))


# --- findings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("replaced", "code"),
    [
        ({"board_checksum": digits(51)}, "checksum_board"),
        ({"name_checksum": digits(614)}, "checksum_name"),
        ({"stamp_checksum": digits(107_261)}, "checksum_stamp"),
        ({"footer_name": b"Bob\r"}, "name_differs"),
        ({"unknown": b"612346175303879943351510"}, "filler"),
        ({"program": b"Minesweeper Arbiter 0.52.3"}, "program_line"),
        ({"version": b"\x31"}, "version_byte"),
        ({"real_time": b"RealTime: 260.03\r"}, "header_times_differ"),
    ],
)
def test_contradictions_that_nothing_depends_on_are_findings(replaced: dict[str, bytes], code: str) -> None:
    read = avf.read(encode(SMALL, **replaced))
    assert [finding.code for finding in read.findings] == [code]
    np.testing.assert_array_equal(read.events, SMALL.events)


@pytest.mark.parametrize(
    ("stamp", "code"),
    [
        (b"[3|nonsense]", "stamp_unreadable"),
        (b"[3|W3H3M1|31.2.2021.23:59:58:9945|1.00:04:19:081|B8T261.02]", "stamp_date"),
        (b"[3|W3H3M1|1.2.2021.23:59:58:9945|1.25:04:19:081|B8T261.02]", "stamp_date"),
        (b"[3|W3H3M1|31.1.2021.23:59:58:9945|30.00:04:19:081|B8T261.02]", "stamp_date"),  # 30 February
        (b"[0|1.2.2021.23:59:58:9945|1.23:59:59:081|B8T261.02]", "stamp_level"),
        (b"[3|W3H3M1|1.2.2021.23:59:58:9945|1.23:59:59:081|B8T2.02]", "header_times_differ"),
    ],
)
def test_a_strange_stamp_is_a_finding(stamp: bytes, code: str) -> None:
    assert code in [finding.code for finding in avf.read(with_stamp(stamp)).findings]


def test_a_game_that_goes_on_after_its_header_time() -> None:
    recording = replace(SMALL, claims=replace(SMALL.claims, time_ms=2_610))
    read = avf.read(encode(recording))
    assert read.claims.time_ms == 2_610
    assert [finding.code for finding in read.findings] == ["header_time_early"]


def test_a_clock_that_starts_before_zero_claims_no_time() -> None:
    stamp = b"[3|W3H3M1|1.2.2021.23:59:58:9945|1.23:59:59:081|B8T0.50]"
    assert avf.read(with_stamp(stamp, real_time=b"")).claims.time_ms is None


def test_times_that_go_back_take_the_time_before() -> None:
    event_list = events_from([(20, 1, 1, Kind.LEFT_PRESS), (0, 1, 1, Kind.LEFT_RELEASE), (10, 2, 2, Kind.MOVE)])
    read = avf.read(encode(replace(SMALL, events=event_list)))
    assert read.events["time_ms"].tolist() == [20, 20, 20]
    assert list(read.findings) == [Finding("time_goes_back", {"late": 2})]


def test_a_press_one_tick_before_the_clock_starts_does_not_shorten_the_game() -> None:
    """Seen in one real file: press at 0.01, release of the opening at 0.00; the header counts from the release."""
    event_list = events_from(
        [(10, 1, 1, Kind.LEFT_PRESS), (0, 1, 1, Kind.LEFT_RELEASE), (10, 2, 2, Kind.MOVE), (20, 2, 2, Kind.MOVE)]
    )
    read = avf.read(encode(replace(SMALL, events=event_list)))
    assert read.events["time_ms"].tolist() == [0, 0, 10, 20]
    assert [finding.code for finding in read.findings] == ["time_goes_back"]


def test_a_time_of_zero_further_on_does_not_lower_what_came_before() -> None:
    """Else one event would make a game as short as its author likes."""
    event_list = events_from(
        [(0, 1, 1, Kind.LEFT_PRESS), (0, 1, 1, Kind.LEFT_RELEASE), (10, 2, 2, Kind.MOVE), (0, 2, 2, Kind.MOVE)]
    )
    read = avf.read(encode(replace(SMALL, events=event_list)))
    assert read.events["time_ms"].tolist() == [0, 0, 10, 10]


def test_an_unknown_question_mark_setting_is_off_and_a_finding() -> None:
    read = avf.read(encode(SMALL, question_marks=b"\x12"))
    assert (read.question_marks, [finding.code for finding in read.findings]) == (False, ["claim_unread"])
    assert_same(read, SMALL, but=("question_marks", "findings"))


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("replaced", "error", "text"),
    [
        ({"level": b"\x07"}, BadField, "level"),
        ({"level": bytes([6, 0, 0, 0, 1])}, Inconsistent, "no safe cell"),
        ({"level": bytes([6, 254, 254, 250, 255])}, Truncated, "mines"),
        ({"mines": b"\x00\x01"}, BadField, "mine at 10"),
        ({"mines": b"\x01\x04"}, BadField, "mine at 10"),
        ({"mines": b"\x04\x01"}, BadField, "mine at 10"),
        ({"level": bytes([6, 2, 2, 0, 2]), "mines": b"\x01\x01\x01\x01"}, Inconsistent, "twice"),
        ({"board_checksum": b"\x08\x0d"}, BadField, "board checksum"),
        ({"name_checksum": b"\xff\x04\x08"}, BadField, "name checksum"),
        ({"stamp_checksum": b"\x00" * 6}, BadField, "stamp checksum"),
        ({"record_count": shifted(bytes(4))}, BadField, "record count"),
        ({"record_count": shifted(b"\0\0\0\x05")}, BadField, "record count"),
        ({"record_count": shifted(b"\xff\xff\xff\xff")}, LimitExceeded, "number of events"),
        ({"record_count": shifted(b"\0\x0f\0\0")}, Truncated, "events"),
        ({"record_count": shifted(b"\0\0\0\x08")}, BadField, "behind the last event"),
        ({"record_count": shifted(b"\0\0\0\x0a")}, BadField, "second"),
        ({"events": record(0, 0, 0, Kind.MOVE)[:4] + b"\x64\0\0\0" + record(0, 0, 0, Kind.MOVE) * 3}, BadField, "hund"),
        ({"final_checksum": b""}, Truncated, "cs="),
        (
            {"final_checksum": b"cs=abc", "real_time": b"", "skin": b"", "footer_name": b"", "program": b""},
            Truncated,
            "final",
        ),
        ({"program": b""}, Truncated, "program"),
    ],
)
def test_what_is_refused(replaced: dict[str, bytes], error: type[ReplayError], text: str) -> None:
    with pytest.raises(error, match=text):
        avf.read(encode(SMALL, **replaced))


def test_bytes_behind_the_end_change_nothing() -> None:
    assert_same(avf.read(encode(SMALL) + b"\r\n" + b"x1.2" * 1_000), SMALL)


def test_an_error_names_the_byte() -> None:
    with pytest.raises(BadField) as caught:
        avf.read(encode(SMALL, mines=b"\x00\x01"))
    assert caught.value.params["offset"] == offset_of("mines", SMALL)


def test_a_file_cut_anywhere_is_refused_until_only_the_program_is_left() -> None:
    data, program = encode(SMALL), offset_of("program", SMALL)
    for size in range(program + 1):
        with pytest.raises(ReplayError):
            avf.read(data[:size])
    for size in range(program + 1, len(data)):
        np.testing.assert_array_equal(avf.read(data[:size]).events, SMALL.events)


@given(st.data())
@settings(max_examples=examples(300))
def test_damage_is_survived(data: st.DataObject) -> None:
    survives(avf.read, data.draw(damaged(encode(SMALL))))


@given(avf_recordings(), st.data())
@settings(max_examples=examples(60))
def test_damage_to_any_file_is_survived(recording: Recording, data: st.DataObject) -> None:
    survives(avf.read, data.draw(damaged(encode(recording))))


@given(st.binary(max_size=300))
def test_noise_is_survived(noise: bytes) -> None:
    survives(avf.read, noise)
    survives(avf.read, b"\x34\x01\x01\x01\x01\x06\x02\x02\x00\x01\x02\x02\x08\x05" + noise)
