"""The largest and slowest inputs that the limits allow, each read and analysed once: seconds and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from analysis import formats
from analysis.analyse import analyse
from analysis.formats import evfs, rawvf
from analysis.limits import MAX_EVENTS, MAX_REPLAY_BYTES, MAX_SIDE
from analysis.recording import Board, Kind
from tests.bench.fuzz.judge import MIB, Judge
from tests.bench.fuzz.seeds import own_seeds, tiny_game
from tests.encoders import avf, evf, mvf, rmv

#: What goes on and on: a name, and events on an open number of the tiny game, (x_px, y_px, kind).
_RHYTHMS: dict[str, tuple[tuple[int, int, Kind], ...]] = {
    "moves": ((8, 8, Kind.MOVE), (9, 9, Kind.MOVE)),
    "clicks": ((8, 8, Kind.LEFT_PRESS), (8, 8, Kind.LEFT_RELEASE)),
    "flags": ((24, 8, Kind.RIGHT_PRESS), (24, 8, Kind.RIGHT_RELEASE)),
    "chords": (
        (8, 8, Kind.LEFT_PRESS), (8, 8, Kind.RIGHT_PRESS), (8, 8, Kind.LEFT_RELEASE), (8, 8, Kind.RIGHT_RELEASE),
    ),
}  # fmt: skip


def measure_worst(max_seconds: float) -> bool:
    """Read and analyse each input, and print a line; returns whether all stayed within the limits."""
    judge, good = Judge(_read_and_analyse, max_seconds), True
    for seed in own_seeds():
        judge.judge(seed.data)  # compiles every kernel
    print(f"{'input':44} {'bytes':>9} {'ms':>8} {'MiB':>6}  outcome")
    for name, data in worst_inputs():
        found = judge.judge(data)
        good &= not found.fault
        print(
            f"{name:44} {len(data):9} {found.seconds * 1000:8.0f} {found.memory_bytes / MIB:6.1f}  {found.fault or found.outcome}"
        )
    return good


def _read_and_analyse(data: bytes) -> str:
    if evfs.recognises(data):
        return f"{len(evfs.cells(data))} cells"
    return str(analyse(formats.read(data)).game.result)


def worst_inputs() -> Iterator[tuple[str, bytes]]:
    """Names and files."""
    yield "noise", np.random.default_rng(1).bytes(MAX_REPLAY_BYTES)
    yield "zeros", bytes(MAX_REPLAY_BYTES)
    yield from _long_recordings()
    yield from _large_boards()
    yield from _texts()


# --- long recordings --------------------------------------------------------------------------------------------------


def _long_recordings() -> Iterator[tuple[str, bytes]]:
    """Every format with as many events as fit."""
    for name, rhythm in _RHYTHMS.items():
        for suffix, encode in _ENCODERS.items():
            yield f"{suffix}: {name}", encode(rhythm)
    yield "mvf 0.97: four events a record", _all_at_once("0.97", 5)
    yield "mvf 2007: four events a record", _all_at_once("2007", 6)
    yield "rmv 2: short moves, three bytes each", _short_moves()


Rhythm = tuple[tuple[int, int, Kind], ...]


def _filled(
    parts: dict[str, bytes], name: str, block: bytes, block_events: int, count_of: Callable[[int], bytes]
) -> bytes:
    """The file of ``parts`` with ``block`` as often in its part ``name`` as fits; ``count_of`` writes the count."""
    room = MAX_REPLAY_BYTES - sum(map(len, parts.values()))
    times = min(room // len(block), (MAX_EVENTS - 100) // block_events)
    parts[name] += block * times
    if "count" in parts:
        parts["count"] = count_of(times * block_events)
    return b"".join(parts.values())


def _avf(rhythm: Rhythm) -> bytes:
    game = tiny_game()
    parts = avf.parts(game)
    block = b"".join(avf.record(500, *point) for point in rhythm)
    room = MAX_REPLAY_BYTES - sum(map(len, parts.values()))
    times = room // len(block)
    parts["record_count"] = avf.shifted((len(game.events) + times * len(rhythm) + 5).to_bytes(4, "big"))
    parts["events"] += block * times
    return b"".join(parts.values())


def _rawvf(rhythm: Rhythm) -> bytes:
    codes = {
        Kind.MOVE: b"mv", Kind.LEFT_PRESS: b"lc", Kind.LEFT_RELEASE: b"lr", Kind.RIGHT_PRESS: b"rc",
        Kind.RIGHT_RELEASE: b"rr",
    }  # fmt: skip
    head = rawvf.write(tiny_game())
    block = b"".join(b"1 %s(%d %d)\n" % (codes[kind], x_px, y_px) for x_px, y_px, kind in rhythm)
    return head + block * ((MAX_REPLAY_BYTES - len(head)) // len(block))


def _mvf(release: str, size: int) -> Callable[[Rhythm], bytes]:
    def encode(rhythm: Rhythm) -> bytes:
        held = ""
        block = b""
        buttons = {
            Kind.LEFT_PRESS: "l", Kind.RIGHT_PRESS: "r", Kind.LEFT_RELEASE: "l", Kind.RIGHT_RELEASE: "r", Kind.MOVE: "",
        }  # fmt: skip
        for x_px, y_px, kind in rhythm:
            held = "".join(sorted(set(held) ^ set(buttons[kind])))
            block += _mvf_record(release, size, (500, x_px, y_px, held))
        return _mvf_file(release, block, len(rhythm))

    return encode


def _mvf_record(release: str, size: int, state: mvf.State) -> bytes:
    return mvf.old_record(*state) if release.startswith("old") else mvf.record(state, _MVF_KEY, size)


_MVF_KEY = 56_766


def _mvf_file(release: str, block: bytes, block_events: int) -> bytes:
    # Readers recognise the old layouts by the shape of a real level.
    mines = np.zeros((8, 8), np.uint8)
    mines[0, 1], mines[7, :], mines[6, 7] = 1, 1, 1
    game = mvf.Game(Board(mines), [(0, 8, 8, "l"), (100, 8, 8, "")], key=_MVF_KEY)
    parts = mvf.old_parts(game, release) if release.startswith("old") else mvf.parts(game, release)
    return _filled(parts, "records", block, block_events, lambda count: (count + 2).to_bytes(3, "big"))


def _all_at_once(release: str, size: int) -> bytes:
    """Each record moves the cursor and changes all three buttons."""
    block = _mvf_record(release, size, (500, 8, 8, "lmr")) + _mvf_record(release, size, (500, 9, 9, ""))
    return _mvf_file(release, block, 2)


def _rmv(version: int) -> Callable[[Rhythm], bytes]:
    def encode(rhythm: Rhythm) -> bytes:
        return _rmv_file(version, b"".join(rmv.mouse(500, *point, version, None) for point in rhythm), len(rhythm))

    return encode


def _short_moves() -> bytes:
    return _rmv_file(2, b"\x1c\0\x11\x1c\0\xff", 2)


def _rmv_file(version: int, block: bytes, block_events: int) -> bytes:
    game = tiny_game()
    parts = rmv.parts(rmv.Game(game.board, game.events.tolist()), version)
    ending = len(rmv.event_part(rmv.Game(game.board, []), version))
    events = parts["events"]
    room = MAX_REPLAY_BYTES - sum(map(len, parts.values())) - 100
    times = min(room // len(block), (MAX_EVENTS - 100) // block_events)
    parts["events"] = events[:-ending] + block * times + events[-ending:]
    return b"*rmv" + version.to_bytes(2, "big") + rmv.header(parts, version) + b"".join(parts.values())


def _evf(version: int) -> Callable[[Rhythm], bytes]:
    def encode(rhythm: Rhythm) -> bytes:
        game = tiny_game()
        made = evf.Game(game.board, game.events.tolist(), cell_px=16)
        if version < 4:
            parts = evf.old_parts(made, version)
            return _filled(parts, "events", b"".join(evf.record(500, *point) for point in rhythm), len(rhythm), _none)
        first, *_others = made.events[-1:]
        points = [first, *((first[0], *point) for point in rhythm), (first[0], *rhythm[0])]
        block = evf.steps(points)[-6 * len(rhythm) :]  # from the first point of the rhythm back to it
        parts = evf.new_parts(made)
        lead = evf.steps([*made.events, (first[0], *rhythm[0])])
        parts["events"] = lead
        return _filled(parts, "events", block, len(rhythm), _none)

    return encode


def _none(_count: int) -> bytes:
    return b""


_ENCODERS: dict[str, Callable[[Rhythm], bytes]] = {
    "avf": _avf, "rawvf": _rawvf, "mvf 0.97": _mvf("0.97", 5), "mvf 2007": _mvf("2007", 6), "mvf old96": _mvf("old96", 8),
    "rmv 1": _rmv(1), "rmv 2": _rmv(2), "evf 3": _evf(3), "evf 4": _evf(4),
}  # fmt: skip


# --- large boards -----------------------------------------------------------------------------------------------------


def _large_boards() -> Iterator[tuple[str, bytes]]:
    """255 by 255 cells in patterns that are hard for openings, islands and ZiNi."""
    source = np.random.default_rng(1)
    shape = (MAX_SIDE, MAX_SIDE)
    rows, columns = np.indices(shape)
    patterns = {f"{density:.0%} mines": source.random(shape) < density for density in (0.05, 0.1, 0.2, 0.35, 0.6, 0.95)}
    patterns |= {
        "no mines": np.zeros(shape, bool),
        "a mine in nine": (rows % 3 == 1) & (columns % 3 == 1),
        "a mine in sixteen": (rows % 4 == 1) & (columns % 4 == 1),
        "a mine in 25": (rows % 5 == 1) & (columns % 5 == 1),
        "stripes": columns % 4 == 3,
        "chess": (rows + columns) % 2 == 1,
        "one safe cell": np.ones(shape, bool),
        "spiral": _spiral(),
    }
    for name, mines in patterns.items():
        mines[0, 0] = False
        yield f"255 x 255, {name}", rawvf.write(replace(tiny_game(), board=Board(mines.astype(np.uint8))))


def _spiral() -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """One corridor of three cells' width, wound up: the longest opening."""
    mines = np.zeros((MAX_SIDE, MAX_SIDE), bool)
    low, high = 3, MAX_SIDE - 4
    while low < high:
        mines[low, low - 4 if low > 3 else 0 : high] = True
        mines[low:high, high] = True
        mines[high, low : high + 1] = True
        mines[low + 4 : high, low] = True
        low, high = low + 4, high - 4
    return mines


# --- texts ------------------------------------------------------------------------------------------------------------


def _texts() -> Iterator[tuple[str, bytes]]:
    head = rawvf.write(tiny_game())
    board = head.index(b"Board:")
    begin, end = head[:board], head[board:]

    def stuffed(line: bytes) -> bytes:
        return begin + line * ((MAX_REPLAY_BYTES - len(head)) // len(line)) + end

    yield "rawvf: blank lines", stuffed(b"\n")
    yield "rawvf: short options", stuffed(b"a:b\n")
    yield "rawvf: long options", stuffed(b"a" * 990 + b":b\n")
    yield "rawvf: one line", stuffed(b"a")
    yield "rawvf: many different options", begin + b"".join(b"k%d:v\n" % n for n in range(450_000)) + end
    yield "rawvf: blank lines behind", head + b"\n" * (MAX_REPLAY_BYTES - len(head))
    yield "rawvf: longest event lines", head + (b"1" + b" " * 980 + b"mv(0 0)\n") * (MAX_REPLAY_BYTES // 989 - 1)
    yield "rawvf: digits", head + (b"0" * 990 + b" mv(0 0)\n") * (MAX_REPLAY_BYTES // 1_000 - 1)
    for name, unit in (("zeros", b"\0"), ("brackets", b"["), ("text", b"RealTime: "), ("line ends", b"\r")):
        data = avf.encode(tiny_game())
        yield f"avf: {name} behind", data + unit * ((MAX_REPLAY_BYTES - len(data)) // len(unit))
    game = evf.Game(tiny_game().board, tiny_game().events.tolist())
    yield "evf: a name without an end", evf.encode(game, 3)[:20] + b"a" * (MAX_REPLAY_BYTES - 20)
    yield "evf 4: pauses", evf.encode(game, 4, events=evf.steps(game.events) + b"\xff\0\1" * 1_700_000)
    one = evf.encode(game, 3)
    small = evf.encode_set([(b"", one), *[(b"", b"")] * 1_000_000], checksum_bytes=0)
    yield "evfs: empty cells", small[:MAX_REPLAY_BYTES]
    yield "evfs: small cells", evf.encode_set([(b"", one)] * (MAX_REPLAY_BYTES // (len(one) + 6)), checksum_bytes=0)
