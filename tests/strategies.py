"""Hypothesis strategies: boards, recordings that a person could have played, recordings that nobody could, damage."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import accumulate
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st

from analysis.recording import LEVEL_SHAPES, Board, Claims, Help, Kind, Level, Mode, Recording, events_from

Event: TypeAlias = tuple[int, int, int, int]  # time_ms, x_px, y_px, kind

AVF_KINDS = (
    Kind.MOVE, Kind.LEFT_PRESS, Kind.LEFT_RELEASE, Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE,
    Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE, Kind.SHIFT_LEFT_PRESS,
)  # fmt: skip
PIXELS = st.integers(-32768, 32767)


# --- boards -----------------------------------------------------------------------------------------------------------


@st.composite
def boards(draw: st.DrawFn, *, max_side: int = 12, min_side: int = 1) -> Board:
    """Any board with at least one safe cell."""
    rows, columns = draw(st.integers(min_side, max_side)), draw(st.integers(min_side, max_side))
    cells = rows * columns
    places = draw(st.lists(st.integers(0, cells - 1), unique=True, max_size=cells - 1))
    mines = np.zeros(cells, np.uint8)
    mines[places] = 1
    return Board(mines.reshape(rows, columns))


@st.composite
def ranked_boards(draw: st.DrawFn, levels: tuple[Level, ...] = tuple(LEVEL_SHAPES)) -> Board:
    """A board of one of the ranked levels."""
    rows, columns, mine_count = LEVEL_SHAPES[draw(st.sampled_from(levels))]
    seed = draw(st.integers(0, 2**32 - 1))
    mines = np.zeros(rows * columns, np.uint8)
    mines[np.random.default_rng(seed).choice(rows * columns, mine_count, replace=False)] = 1
    return Board(mines.reshape(rows, columns))


# --- events -----------------------------------------------------------------------------------------------------------


def _click(cell: tuple[int, int], cell_px: int, button: str) -> list[tuple[int, int, Kind]]:
    row, column = cell
    x_px, y_px = column * cell_px + cell_px // 2, row * cell_px + cell_px // 2
    presses = {
        "left": (Kind.LEFT_PRESS, Kind.LEFT_RELEASE),
        "right": (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE),
        "both": (Kind.LEFT_PRESS, Kind.RIGHT_PRESS, Kind.LEFT_RELEASE, Kind.RIGHT_RELEASE),
        "middle": (Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE),
    }
    return [(x_px, y_px, Kind.MOVE), *((x_px, y_px, kind) for kind in presses[button])]


@st.composite
def legal_events(draw: st.DrawFn, board: Board, *, cell_px: int = 16, grid_ms: int = 1) -> list[Event]:
    """Whole clicks on cells of the board, the first a left click at time 0, times never going back."""
    cells = st.tuples(st.integers(0, board.rows - 1), st.integers(0, board.columns - 1))
    buttons = st.sampled_from(("left", "left", "right", "both", "middle"))
    clicks = [(draw(cells), "left"), *draw(st.lists(st.tuples(cells, buttons), max_size=12))]
    points = [point for cell, button in clicks for point in _click(cell, cell_px, button)][1:]
    steps = [0, 0, *draw(st.lists(st.integers(0, 300), min_size=len(points), max_size=len(points)))]
    times = list(accumulate(step * grid_ms for step in steps))
    return [(time_ms, *point) for time_ms, point in zip(times, points, strict=False)]


@st.composite
def wild_events(
    draw: st.DrawFn,
    *,
    kinds: tuple[Kind, ...] = tuple(Kind),
    pixels: st.SearchStrategy[int] = PIXELS,
    min_time_ms: int = -10_000,
    grid_ms: int = 1,
) -> list[Event]:
    """Any buttons anywhere, at times that never go back: legal to a reader, nonsense to a player."""
    points = draw(st.lists(st.tuples(pixels, pixels, st.sampled_from(kinds)), min_size=1, max_size=30))
    first = draw(st.integers(min_time_ms // grid_ms, 10_000))
    steps = draw(st.lists(st.integers(0, 2_000), min_size=len(points), max_size=len(points)))
    times = accumulate(steps, initial=first)
    return [(time * grid_ms, *point) for time, point in zip(times, points, strict=False)]


# --- recordings -------------------------------------------------------------------------------------------------------

names = st.one_of(
    st.sampled_from(("Wang Jianing", "王嘉宁", "Mura.ski", "Ľubomír", "a:b <c>", "[0|x]", "")),
    st.text(max_size=20).map(str.strip),
)
_counts = st.none() | st.integers(0, 70_000)
_naive_datetimes = st.datetimes(datetime(1980, 1, 1), datetime(2100, 1, 1))  # noqa: DTZ001 - files without a zone
_zones = st.sampled_from((UTC, timezone(timedelta(hours=8)), timezone(-timedelta(hours=3, minutes=30))))
datetimes = st.none() | _naive_datetimes | st.datetimes(datetime(1980, 1, 1), datetime(2100, 1, 1), timezones=_zones)  # noqa: DTZ001

claims = st.builds(
    Claims,
    time_ms=st.none() | st.integers(0, 99_999_999),
    bv=_counts,
    bvdone=_counts,
    win=st.none() | st.booleans(),
    lcl=_counts,
    rcl=_counts,
    dcl=_counts,
    level=st.none() | st.sampled_from(Level),
    nf=st.none() | st.booleans(),
)


@st.composite
def recordings(draw: st.DrawFn, *, legal: bool | None = None) -> Recording:
    """A recording with every field filled in; ``legal`` or wild events, or either."""
    board = draw(boards())
    cell_px, grid_ms = draw(st.sampled_from((16, 24, 1, 255))), draw(st.sampled_from((1, 10)))
    if draw(st.booleans()) if legal is None else legal:
        events = draw(legal_events(board, cell_px=cell_px, grid_ms=grid_ms))
    else:
        events = draw(wild_events(grid_ms=grid_ms))
    player = draw(names)
    helps = draw(st.sampled_from([Help.NONE, *Help, Help.SUPER_CLICK | Help.SUPER_FLAG]))
    return Recording(
        format="test",
        format_variant="",
        board=board,
        events=events_from(events),
        cell_px=cell_px,
        player=player,
        player_bytes=draw(st.just(player.encode()) | st.binary(max_size=40)),
        software=draw(names),
        country=draw(st.sampled_from(("", "CN", "中国"))),
        mode=draw(st.sampled_from([mode for mode in Mode if not (helps and mode is Mode.STANDARD)])),
        question_marks=draw(st.booleans()),
        helps=helps,
        played_at=draw(datetimes),
        ended_at=draw(datetimes),
        time_precision_ms=grid_ms,
        clock_start_ms=draw(st.none() | st.integers(0, 5_000)),
        claims=draw(claims),
        extra=draw(st.dictionaries(names, names, max_size=4)),
    )


@st.composite
def avf_recordings(draw: st.DrawFn, *, grid_ms: int = 10) -> Recording:
    """A recording that holds only what AVF can say."""
    board = draw(boards() | ranked_boards())
    wild = wild_events(kinds=AVF_KINDS, pixels=st.integers(0, 32767), min_time_ms=0, grid_ms=grid_ms)
    player = draw(st.binary(max_size=40))
    played_at = draw(_naive_datetimes).replace(microsecond=draw(st.integers(0, 999)) * 1000)
    level = board.level if board.level is not Level.BEGINNER_9X9 else Level.CUSTOM
    return Recording(
        format="avf",
        format_variant="0.52.3",
        board=board,
        events=events_from(draw(legal_events(board, grid_ms=grid_ms) | wild)),
        player_bytes=player,
        software="Minesweeper Arbiter 0.52.3",
        country=draw(st.sampled_from(("", "CN", "PL", "JP"))),
        question_marks=draw(st.booleans()),
        played_at=played_at,
        ended_at=played_at + timedelta(milliseconds=draw(st.integers(0, 1_000_000))),
        time_precision_ms=grid_ms,
        claims=Claims(time_ms=draw(st.integers(0, 999_999)) * grid_ms, bv=draw(st.integers(0, 9999)), level=level),
    )


# --- damage -----------------------------------------------------------------------------------------------------------


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """``data`` with some bytes changed, cut out, doubled or put in."""
    spoiled = bytearray(data)
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, max(len(spoiled) - 1, 0)))
        end = min(begin + draw(st.integers(0, 12)), len(spoiled))
        match draw(st.sampled_from(("bit", "byte", "cut", "double", "insert", "splice"))):
            case "bit" if spoiled:
                spoiled[begin] ^= 1 << draw(st.integers(0, 7))
            case "byte" if spoiled:
                spoiled[begin] = draw(st.sampled_from((0, 1, 45, 127, 128, 255)))
            case "cut":
                del spoiled[begin:end]
            case "double":
                spoiled[begin:begin] = spoiled[begin:end]
            case "insert":
                spoiled[begin:begin] = draw(st.binary(max_size=8))
            case "splice":
                source = draw(st.integers(0, len(spoiled)))
                spoiled[begin:end] = spoiled[source : source + 12]
    return bytes(spoiled)
