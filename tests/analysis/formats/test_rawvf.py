"""RawVF: writing and reading are inverse, the compiled scanner equals its slow twin, no text breaks the file."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.errors import BadField, Inconsistent, LimitExceeded, ReplayError, Truncated
from analysis.formats import rawvf
from analysis.formats.datetimes import parse_datetime
from analysis.formats.rawvf.events import parse_events
from analysis.formats.rawvf.options import MAX_OPTIONS, Options
from analysis.formats.rawvf.write import RESERVED
from analysis.formats.text import clean
from analysis.limits import MAX_EVENTS, MAX_TIME_MS
from analysis.recording import Board, Claims, Help, Kind, Level, Mode, Recording, events_from
from tests.analysis.formats import naive_rawvf
from tests.analysis.formats.comparing import assert_same, survives
from tests.effort import examples
from tests.strategies import damaged, recordings, wild_events

# RawVF's own names, and what reading changes by definition.
NOT_IN_RAWVF = ("format", "format_variant", "findings")

SAMPLE = b"""\
RawVF_Version: Rev6
Program: Sample Writer
Version: 1.0
Player: Example Player
Timestamp: 2026-01-02T03:04:05Z
Level: Custom
Width: 4
Height: 3
Mines: 2
Marks: Off
SquareSize: 16
Time: 1.900
BBBV: 3
BBBVS: 1.578
Status: won
Style: FL
Mode: Classic
Skin: plain
Board:
0*00
0000
000*
Events:
-0.120 rc 2 1 (20 5)
flag 2 1
-0.050 rr 2 1 (20 6) ()
0.000 lc 1 3 (3 40)
pressed 1 3
0.000 lr 1 3 (3 41)
0.000 start
number0 1 3
0.310 mv 2 2 (22 24)
0.400 lc 2 2 (22 24) (l)
0.420 rc 2 2 (22 24) (lr)
0.510 lr 2 2 (22 24) (r)
0.540 rr 2 2 (22 24) ()
1.800 lc 4 1 (50 9)
1.900 lr 4 1 (50 9)
won
"""

RECORDING = Recording(
    format="rawvf",
    format_variant="Rev6",
    board=Board(np.array([[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]], np.uint8)),
    events=events_from(
        [
            (-120, 20, 5, Kind.RIGHT_PRESS),
            (-50, 20, 6, Kind.RIGHT_RELEASE),
            (0, 3, 40, Kind.LEFT_PRESS),
            (0, 3, 41, Kind.LEFT_RELEASE),
            (310, 22, 24, Kind.MOVE),
            (400, 22, 24, Kind.LEFT_PRESS),
            (420, 22, 24, Kind.RIGHT_PRESS),
            (510, 22, 24, Kind.LEFT_RELEASE),
            (540, 22, 24, Kind.RIGHT_RELEASE),
            (1800, 50, 9, Kind.LEFT_PRESS),
            (1900, 50, 9, Kind.LEFT_RELEASE),
        ]
    ),
    player="Example Player",
    player_bytes=b"Example Player",
    software="Sample Writer 1.0",
    played_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    claims=Claims(time_ms=1900, bv=3, win=True, level=Level.CUSTOM, nf=False),
    extra={"BBBVS": "1.578", "Skin": "plain"},
)

SMALL = b"Width: 2\nHeight: 1\nMines: 1\nBoard:\n0*\nEvents:\n0.00 lc (0 0)\n0.01 lr (0 0)\n"


def with_option(line: str) -> bytes:
    return line.encode() + b"\n" + SMALL


def with_events(*lines: str) -> bytes:
    return SMALL.partition(b"0.00")[0] + "\n".join(lines).encode()


# --- reading ----------------------------------------------------------------------------------------------------------


def test_every_field_of_a_whole_file() -> None:
    assert rawvf.recognises(SAMPLE)
    assert_same(rawvf.read(SAMPLE), RECORDING)


@pytest.mark.parametrize(
    "data",
    [
        SAMPLE.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + SAMPLE,
        b"\n\n" + SAMPLE.replace(b"Events:\n", b"\nEVENTS:\n\n"),
        SAMPLE.replace(b"Events:\n", b""),  # as FreeSweeper writes it
        SAMPLE.rstrip(),
    ],
)
def test_line_ends_blank_lines_and_a_missing_events_line_change_nothing(data: bytes) -> None:
    assert rawvf.recognises(data)
    assert_same(rawvf.read(data), RECORDING)


def test_names_and_keywords_have_no_case() -> None:
    head, _, tail = SAMPLE.partition(b"Board:")
    for name in (b"Level", b"Width", b"Marks", b"Mode", b"Style", b"Status", b"SquareSize"):
        head = head.replace(name, name.upper())
    data = head.replace(b"Custom", b"cUSTOM").replace(b"Off", b"oFF") + b"BOARD:" + tail.replace(b" lc ", b" LC ")
    assert_same(rawvf.read(data), RECORDING)


@pytest.mark.parametrize("label", ["Rev3", "Rev5", "Rev6", "6", "Rev6.1"])
def test_all_labels_share_one_grammar(label: str) -> None:
    assert rawvf.read(with_option(f"RawVF_Version: {label}")).format_variant == label


def test_a_small_file_without_any_header() -> None:
    read = rawvf.read(SMALL)
    assert (read.cell_px, read.mode, read.question_marks, read.claims) == (16, Mode.STANDARD, False, Claims())
    assert read.time_precision_ms == 10
    assert read.events.tolist() == [(0, 0, 0, Kind.LEFT_PRESS), (10, 0, 0, Kind.LEFT_RELEASE)]


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("Mode: UPK", "mode", Mode.UPK),
        ("Mode: lucky", "mode", Mode.LUCKY),
        ("Mode: density", "mode", Mode.DENSITY),
        ("Mode: Cheat", "mode", Mode.CHEAT),
        ("Mode: No Guess", "mode", Mode.NO_GUESS),
        ("Mode: no_guess", "mode", Mode.NO_GUESS),
        ("Mode: NG", "mode", Mode.NO_GUESS),
        ("Level: Evil", "mode", Mode.NO_GUESS),
        ("Level: Hard\nMode: Classic", "mode", Mode.STANDARD),
        ("Level: Marathon", "mode", Mode.OTHER),
        ("Autoflag: On", "mode", Mode.OTHER),
        ("ElmarTechnique: 1", "mode", Mode.OTHER),
        ("ElmarTechnique: 1", "helps", Help.ELMAR_TECHNIQUE),
        ("SuperClick: On\nSuperFlag: yes", "helps", Help.SUPER_CLICK | Help.SUPER_FLAG),
        ("SuperClick: Off", "helps", Help.NONE),
        ("SuperClick: Off", "mode", Mode.STANDARD),
        ("Mode: UPK\nSuperClick: On", "mode", Mode.UPK),
        ("Autoflag: Off", "mode", Mode.STANDARD),
        ("Lives: 3", "mode", Mode.OTHER),
        ("Lives: 1", "mode", Mode.STANDARD),
        *((f"Lives: {word}", "findings", ()) for word in ("none", "N/A", "0", "01", "Off", "-")),
        ("Lives: unlimited", "mode", Mode.OTHER),
        ("Autoflag: Off", "extra", {"Autoflag": "Off"}),
        ("Autoflag: enabled", "extra", {"Autoflag": "enabled"}),
        ("Marks: On", "question_marks", True),
        ("QuestionMarks: 1", "question_marks", True),
        ("SquareSize: 24", "cell_px", 24),
        ("Player: 王嘉宁", "player", "王嘉宁"),
        ("Program: x", "software", "x"),
        ("Version: 2", "software", "2"),
        ("Country: PL", "country", "PL"),
        ("Time: 12.3", "claims", Claims(time_ms=12_300)),
        ("Time: 12", "claims", Claims(time_ms=12_000)),
        ("Time: 45,120", "claims", Claims(time_ms=45_120)),
        ("Time:", "claims", Claims()),
        ("Time: 0.0010", "claims", Claims(time_ms=1)),
        ("3BV: 7", "claims", Claims(bv=7)),
        ("Solved3BV: 7", "claims", Claims(bvdone=7)),
        ("LeftClicks: 1", "claims", Claims(lcl=1)),
        ("RClicks: 2", "claims", Claims(rcl=2)),
        ("DoubleClicks: 3", "claims", Claims(dcl=3)),
        ("Status: Lost", "claims", Claims(win=False)),
        ("Style: NF", "claims", Claims(nf=True)),
        ("Style: Vienna", "claims", Claims()),
        ("Level: Expert", "claims", Claims(level=Level.EXPERT)),
        ("URL: http://a.b/c:d", "extra", {"URL": "http://a.b/c:d"}),
        ("Timestamp: long ago", "extra", {"Timestamp": "long ago"}),
    ],
)
def test_options(line: str, field: str, value: object) -> None:
    assert getattr(rawvf.read(with_option(line)), field) == value


def test_an_unknown_mode_is_another_set_of_rules_and_a_finding() -> None:
    read = rawvf.read(with_option("Mode: upside down"))
    assert read.mode is Mode.OTHER
    assert [finding.code for finding in read.findings] == ["mode_unknown"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Level: Medium", "level_unknown"),
        ("Level: Marathon", "marathon"),
        ("Marks: maybe", "claim_unread"),
        ("SuperClick: left", "claim_unread"),
        ("BBBV: -1", "claim_unread"),
        ("BBBV: 9999999999", "claim_unread"),
        ("BBBV: \u0663", "claim_unread"),  # a digit to str.isdigit, not to the format
        ("LClicks: 12.5", "claim_unread"),
        ("Time: 1:00", "claim_unread"),
        ("Time: 1.2345", "claim_unread"),
        ("Time: nan", "claim_unread"),
        ("Clock_Start: soon", "claim_unread"),
        ("Status: Victory", "claim_unread"),
        ("Style: mixed", "claim_unread"),
        ("Autoflag: enabled", "claim_unread"),
        ("Lawnmower: 2", "claim_unread"),
        ("NonoMouse: ?", "claim_unread"),
        ("Lives: many", "claim_unread"),
        ("Player_Bytes: zz", "claim_unread"),
        ("Player_Bytes: \u0663", "claim_unread"),
        ("Mode: " + "x" * 900, "mode_unknown"),
        ("Level: " + "x" * 900, "level_unknown"),
        ("Time: " + "x" * 900, "claim_unread"),
        ("Skin: a\nskin: b", "option_twice"),
        (f"{'x' * 990}: 1\n" * 2, "option_twice"),
        ("Lives: 3", "help_not_replayed"),
        ("Autoflag: On\nLawnmower: On", "help_not_replayed"),
    ],
)
def test_no_claim_rejects_a_file(line: str, code: str) -> None:
    read = rawvf.read(with_option(line))
    assert [finding.code for finding in read.findings] == [code]
    assert all(len(str(value)) <= 80 for value in read.findings[0].params.values())
    assert read.claims == Claims()
    assert read.events.tolist() == rawvf.read(SMALL).events.tolist()


def test_what_the_program_did_by_itself_is_not_held_against_the_player() -> None:
    lines = "Autoflag: On\nLevel: Expert\nTime: 3\nStatus: won\nLClicks: 5"
    assert rawvf.read(with_option(lines)).claims == Claims(level=Level.EXPERT)
    assert rawvf.read(with_option(lines.replace("On", "Off"))).claims == Claims(
        3_000, win=True, lcl=5, level=Level.EXPERT
    )


def test_the_first_of_two_lines_counts() -> None:
    assert rawvf.read(with_option("Player: a\nplayer: b")).player == "a"
    assert rawvf.read(with_option("Width: 2")).board.columns == 2  # once more, and the same


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("2011-08-02 22:48:04", datetime(2011, 8, 2, 22, 48, 4)),  # noqa: DTZ001
        ("2026-01-02T03:04:05.678Z", datetime(2026, 1, 2, 3, 4, 5, 678_000, UTC)),
        ("1731621352", datetime(2024, 11, 14, 21, 55, 52, tzinfo=UTC)),
        ("20.12.2021.14:36:10:9945|20.14:36:13:3309", datetime(2021, 12, 20, 14, 36, 10, 945_000)),  # noqa: DTZ001
        ("1.2.2021.14:36:10:081", datetime(2021, 2, 1, 14, 36, 10, 81_000)),  # noqa: DTZ001
        ("1.2.2021.14:36:10", datetime(2021, 2, 1, 14, 36, 10)),  # noqa: DTZ001
        ("31.2.2021.14:36:10", None),
        ("2007-04-?? 10:00", None),
        ("99999999999", datetime(5138, 11, 16, 9, 46, 39, tzinfo=UTC)),
        ("1640010970945", datetime(2021, 12, 20, 14, 36, 10, 945_000, UTC)),
        ("999999999999", datetime(2001, 9, 9, 1, 46, 39, 999_000, UTC)),
        ("1640010970945000", datetime(2021, 12, 20, 14, 36, 10, 945_000, UTC)),
        ("", None),
    ],
)
def test_datetimes(text: str, when: datetime | None) -> None:
    assert parse_datetime(text) == when


@pytest.mark.parametrize(
    ("lines", "won"),
    [
        (("1.900 defeat",), False),
        (("Loss",), False),
        (("1.9 victory",), True),
        (("won",), True),
        (("1.9 won",), True),
        (("boom",), False),
        (("0.5 boom", "lost"), False),
        (("start",), None),
    ],
)
def test_the_last_game_line_is_a_claim(lines: tuple[str, ...], won: bool | None) -> None:
    assert rawvf.read(with_events(*lines)).claims.win is won


@pytest.mark.parametrize(
    ("text", "step_ms"), [("1.905", 1), ("1.90", 10), ("1,9", 100), ("1", 1000), ("1.9000", 1), ("1.900", 1)]
)
def test_the_step_of_the_time_is_its_last_decimal(text: str, step_ms: int) -> None:
    read = rawvf.read(with_option(f"Time: {text}"))
    assert read.claims.time_step_ms == step_ms
    assert rawvf.read(rawvf.write(read)).claims.time_step_ms == step_ms


def test_the_status_outweighs_the_game_lines() -> None:
    assert rawvf.read(with_option("Status: Lost") + b"won\n").claims.win is False


@pytest.mark.parametrize(
    ("text", "time_ms"),
    [("0", 0), ("1.1", 1100), ("1.15", 1150), ("0.070", 70), ("4.35", 4350), ("-0.001", -1), ("-12.34", -12340),
     ("8.1230000", 8123), ("16777.215", 16_777_215), ("-0.000", 0), ("86400", MAX_TIME_MS)],
)  # fmt: skip
def test_times_are_exact(text: str, time_ms: int) -> None:
    assert rawvf.read(with_events(f"{text} mv (0 0)")).events["time_ms"][0] == time_ms


@pytest.mark.parametrize(
    ("texts", "precision_ms"),
    [(("0", "1.5"), 10), (("0.12",), 10), (("0.12", "0.120"), 1), (("0.1234",), None)],
)
def test_the_precision_is_that_of_the_most_precise_time(texts: tuple[str, ...], precision_ms: int | None) -> None:
    data = with_events(*(f"{text} mv (0 0)" for text in texts))
    if precision_ms is None:
        with pytest.raises(BadField, match="time of the event"):
            rawvf.read(data)
    else:
        assert rawvf.read(data).time_precision_ms == precision_ms


def test_times_that_go_back_take_the_time_before() -> None:
    read = rawvf.read(with_events("0.02 lc (0 0)", "0.01 lr (0 0)", "0.03 mv (0 0)"))
    assert read.events["time_ms"].tolist() == [20, 20, 30]
    assert [finding.code for finding in read.findings] == ["time_goes_back"]


# --- writing ----------------------------------------------------------------------------------------------------------


def expressible(recording: Recording) -> Recording:
    """``recording`` with what RawVF can express: texts on one line, names of header fields that an option may have."""
    extra: dict[str, str] = {}
    datetimes = {"timestamp": recording.played_at, "ended": recording.ended_at}
    taken = RESERVED | {name for name, when in datetimes.items() if when}
    for name, value in recording.extra.items():
        legal = name and ":" not in name and clean(name) == name and name.lower() not in taken
        if legal and clean(value):
            extra[name] = clean(value)
    player = clean(recording.player)
    return replace(
        recording,
        player=player,
        player_bytes=recording.player_bytes or player.encode(),
        software=clean(recording.software),
        extra=extra,
    )


@given(recordings())
@settings(max_examples=examples(200))
def test_reading_gives_back_what_was_written(recording: Recording) -> None:
    data = rawvf.write(recording)
    assert rawvf.recognises(data)
    read, expected = rawvf.read(data), expressible(recording)
    precision = () if recording.time_precision_ms == read.time_precision_ms else ("time_precision_ms",)
    assert_same(read, expected, but=(*NOT_IN_RAWVF, *precision))
    assert rawvf.write(read) == data


def test_hundredths_stay_hundredths_and_thousandths_thousandths() -> None:
    data = rawvf.write(replace(RECORDING, time_precision_ms=10))
    assert b"\n-0.12 rc (20 5)\n" in data
    assert rawvf.read(data).time_precision_ms == 10
    assert b"\n-0.120 rc (20 5)\n" in rawvf.write(RECORDING)
    odd = replace(RECORDING, time_precision_ms=10, events=events_from([(-5, 0, 0, Kind.MOVE)]))
    assert b"\n-0.005 mv (0 0)\n" in rawvf.write(odd)


def test_the_written_file_in_full() -> None:
    recording = replace(RECORDING, events=RECORDING.events[:3].copy(), country="PL", mode=Mode.UPK, question_marks=True)
    assert rawvf.write(recording).decode() == (
        "RawVF_Version: Rev6\nProgram: Sample Writer 1.0\nPlayer: Example Player\nCountry: PL\n"
        "Timestamp: 2026-01-02T03:04:05+00:00\nLevel: Custom\nWidth: 4\nHeight: 3\nMines: 2\nSquareSize: 16\n"
        "Time: 1.900\nBBBV: 3\nStatus: Won\nStyle: FL\nMode: UPK\nMarks: On\nBBBVS: 1.578\nSkin: plain\n"
        "Board:\n0*00\n0000\n000*\nEvents:\n-0.120 rc (20 5)\n-0.050 rr (20 6)\n0.000 lc (3 40)\n"
    )


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_event_survives(kind: Kind) -> None:
    recording = replace(RECORDING, events=events_from([(-7, -32768, 32767, kind), (0, -1, -17, kind)]))
    assert_same(rawvf.read(rawvf.write(recording)), recording, but=NOT_IN_RAWVF)


HOSTILE = (
    "x\nBoard:\n**", "x\r\nEvents:", "a\x00b", "\u2028Board:", "\ud800", ":", " : ", "Board:", "Events:", "\ufeffx",
    "x" * 5_000, "王" * 2_000, "\x85", "\t", "-",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_can_break_the_file(text: str) -> None:
    extra = {text: "v", "Name": text, "board": "x", "Events": "", "WIDTH": "9", "A:B": "c", "": "d"}
    data = rawvf.write(
        replace(RECORDING, player=text, player_bytes=b"\xff\n", software=text, country=text, extra=extra)
    )
    read = rawvf.read(data)
    np.testing.assert_array_equal(read.events, RECORDING.events)
    np.testing.assert_array_equal(read.board.mines, RECORDING.board.mines)
    assert read.player_bytes == b"\xff\n"
    assert clean(text).startswith(read.player)
    assert rawvf.write(read) == data


def test_a_name_of_which_the_bytes_are_too_long_for_a_line_keeps_its_text() -> None:
    data = rawvf.write(replace(RECORDING, player_bytes=b"\xff" * 600))
    assert (rawvf.read(data).player, rawvf.read(data).player_bytes) == ("Example Player", b"Example Player")


def test_no_more_header_fields_are_written_than_are_read() -> None:
    data = rawvf.write(replace(RECORDING, extra={f"Field{number}": "x" for number in range(1_000)}))
    assert 200 < len(rawvf.read(data).extra) < MAX_OPTIONS


def test_every_name_that_the_reader_uses_is_reserved(monkeypatch: pytest.MonkeyPatch) -> None:
    requested: set[str] = set()
    get = Options.get

    def remember(options: Options, *names: str) -> object:
        requested.update(names)
        return get(options, *names)

    monkeypatch.setattr(Options, "get", remember)
    rawvf.read(SAMPLE)
    assert requested - {"timestamp", "ended"} <= RESERVED  # the datetimes are guarded apart


# --- the compiled scanner and its twin --------------------------------------------------------------------------------

NUMBERS = st.sampled_from(("0", "1", "-1", "07", "32767", "-32768", "32768", "-32769", "99999999999999999999", "-", ""))
TIMES = st.sampled_from(
    ("0", "-0.5", "1.25", "1.2345", "1.2340", "1.", ".5", "86400", "86400.001", "-86400", "-86400.001", "1e3", "--1",
     "99999999999999999999.0", "1.0.0", "+1", "")
)  # fmt: skip
WORDS = st.sampled_from((*naive_rawvf.KINDS, "LC", "won", "lost", "boom", "start", "nonstandard", "blast", "sx", "SY",
                         "number0", "number8", "number9", "flag", "pressedqm", "closed", "mvv", "x", ""))  # fmt: skip
BLANKS = st.sampled_from((" ", "  ", "\t", "", "\r", "\x00"))
TAILS = st.sampled_from(("", "()", "(l)", "(LRM)", "(x)", "(", ")", " (r) ", "\r", "\x80", " x"))


@st.composite
def event_lines(draw: st.DrawFn) -> str:
    """Lines that just match the grammar, and lines that just do not."""
    pair = st.builds("{}{}{}".format, NUMBERS, BLANKS, NUMBERS)
    cell = draw(st.just("") | st.builds("{}{}".format, pair, BLANKS))
    point = draw(st.just("") | st.builds("({})".format, pair))
    return "".join((draw(BLANKS), draw(TIMES), draw(BLANKS), draw(WORDS), draw(BLANKS), cell, point, draw(TAILS)))


LEGAL_LINES = st.sampled_from(("0.01 lc (1 2)", "-3 mv 1 2 (3 4) (l)", "won", "flag 1 2", "", "\r", " 1.000 sx 1 -2"))


@given(st.lists(event_lines() | LEGAL_LINES, max_size=6), st.integers(0, 5))
@settings(max_examples=examples(1_500))
def test_the_scanner_equals_its_twin(lines: list[str], skipped: int) -> None:
    text = "\n".join(lines).encode("latin-1")
    assert scanned(b"x" * skipped + text, skipped) == twin(text)


def scanned(data: bytes, offset: int) -> list[tuple[int, int, int, int]] | int:
    """The events, or the number of the wrong line."""
    try:
        events: list[tuple[int, int, int, int]] = parse_events(data, offset, 0)[0].tolist()
    except BadField as bad:
        line = bad.params["offset"]
        assert isinstance(line, int)
        return line
    return events


def twin(text: bytes) -> list[tuple[int, int, int, int]] | int:
    try:
        return naive_rawvf.parse(text)
    except naive_rawvf.BadLine as bad:
        return bad.number


@given(wild_events())
@settings(max_examples=examples(50))
def test_the_scanner_equals_its_twin_on_written_files(events: list[tuple[int, int, int, int]]) -> None:
    data = rawvf.write(replace(RECORDING, events=events_from(events)))
    assert naive_rawvf.parse(data.partition(b"Events:\n")[2]) == rawvf.read(data).events.tolist() == events


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("Width: 3", Inconsistent),  # a second Width
        ("nonsense", BadField),
        (": x", BadField),
        ("SquareSize: 0", LimitExceeded),
        ("SquareSize: 256", LimitExceeded),
        ("SquareSize: x", BadField),
        ("Board: 0", BadField),
        ("x" * 2_000 + ": y", LimitExceeded),
    ],
)
def test_refused_options(line: str, error: type[ReplayError]) -> None:
    with pytest.raises(error):
        rawvf.read(with_option(line))


@pytest.mark.parametrize(
    ("old", "new", "error", "text"),
    [
        (b"Width: 2\n", b"", Inconsistent, "does not state Width"),
        (b"Height: 1\n", b"", Inconsistent, "does not state Height"),
        (b"Mines: 1\n", b"", Inconsistent, "does not state Mines"),
        (b"Width: 2", b"Width: 0", LimitExceeded, "Width is 0"),
        (b"Height: 1", b"Height: 256", LimitExceeded, "Height is 256"),
        (b"Mines: 1", b"Mines: 2", Inconsistent, "2 mines, its board has 1"),
        (b"0*", b"0", BadField, "board line 1"),
        (b"0*", b"00*", BadField, "board line 1"),
        (b"Height: 1", b"Height: 2", BadField, "board line 2"),
        (b"Board:\n0*\n", b"", BadField, "option"),
        (b"0*", b"**", Inconsistent, "1 mines, its board has 2"),
        (b"0.00 lc", b"0.00 zz", BadField, "kind of the event at 7: '0.00 zz"),
        (b"0.01 lr (0 0)", b"0.01 lr (0 40000)", BadField, "point of the event at 8"),
        (b"0.01 lr (0 0)", b"0.01 lr (0 0) (q)", BadField, "held buttons"),
        (b"0.01 lr (0 0)", b"0.01 lr 1 (0 0)", BadField, "cell of the event"),
        (b"0.01 lr (0 0)", b"0.01 lr (0 0) x", BadField, "end of the event line"),
        (b"0.01 lr (0 0)", b"lr (0 0)", BadField, "time of the event"),
        (b"0.01 lr (0 0)", b"nan lr (0 0)", BadField, "kind of the event"),
        (b"0.01 lr (0 0)", b"86400.001 lr (0 0)", BadField, "time of the event"),
        (b"0.01 lr (0 0)", b"won" + b" " * 1_000, LimitExceeded, "length of line 8"),
        (b"0.01 lr (0 0)", b"Events:", BadField, "event"),
    ],
)
def test_what_is_refused(old: bytes, new: bytes, error: type[ReplayError], text: str) -> None:
    assert SMALL.count(old) == 1
    with pytest.raises(error, match=text):
        rawvf.read(SMALL.replace(old, new))


def test_too_many_options_and_too_many_events() -> None:
    many = b"".join(b"Field%d: x\n" % number for number in range(MAX_OPTIONS))
    for lines in (many, b"a: x\n" * MAX_OPTIONS):
        with pytest.raises(LimitExceeded, match="number of options"):
            rawvf.read(lines + SMALL)
    line = b"0 l(0 0)\n"
    assert len(rawvf.read(SMALL + line * (MAX_EVENTS - 2)).events) == MAX_EVENTS
    with pytest.raises(LimitExceeded, match="number of events"):
        rawvf.read(SMALL + line * (MAX_EVENTS - 1))


def test_a_file_without_a_board_says_so() -> None:
    with pytest.raises(Truncated, match="Board:"):
        rawvf.read(b"RawVF_Version: Rev6\nWidth: 3\n")


def test_a_file_cut_anywhere_is_survived() -> None:
    for size in range(len(SAMPLE)):
        read = survives(rawvf.read, SAMPLE[:size])
        if size <= SAMPLE.index(b"000*"):
            assert isinstance(read, ReplayError)


@given(st.data())
@settings(max_examples=examples(300))
def test_damage_is_survived(data: st.DataObject) -> None:
    survives(rawvf.read, data.draw(damaged(SAMPLE)))


@given(st.binary(max_size=300))
def test_noise_is_survived(noise: bytes) -> None:
    survives(rawvf.read, noise)
    survives(rawvf.read, SMALL + noise)


@pytest.mark.parametrize(
    "data", [b"", b"board games", b"\x34\x01\x01\x01\x01\x06", b"hello: world\n", b"\n\n", b"*rmv"]
)
def test_other_files_are_not_recognised(data: bytes) -> None:
    assert not rawvf.recognises(data)
