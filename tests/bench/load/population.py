"""Made-up players and their games, as arrays.

What matters for measuring is the shape of the data: a few players have thousands of games and most have a handful,
skill is spread widely and grows with practice, levels and styles are chosen unevenly, and a third of the games is lost.
Boards are real ones with their real numbers, from a pool for each level.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from analysis.board import board_facts
from analysis.recording import LEVEL_SHAPES, Board, Level
from analysis.statistics import DERIVED, LEVEL_CODES, derive
from analysis.zini import zini_counts

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Dates: TypeAlias = NDArray[np.datetime64]

LEVELS: Final = tuple(LEVEL_SHAPES)
STYLES: Final = ("FL", "NF")
_BOARDS_A_LEVEL: Final = 1_000
_LEVEL_SHARES: Final = {Level.BEGINNER: 0.2, Level.BEGINNER_9X9: 0.08, Level.INTERMEDIATE: 0.3, Level.EXPERT: 0.42}
#: 3BV a second of a middling player, and the share of games that such a player wins.
_SPEED: Final = {Level.BEGINNER: 1.9, Level.BEGINNER_9X9: 1.8, Level.INTERMEDIATE: 1.7, Level.EXPERT: 1.55}
_WINS: Final = {Level.BEGINNER: 0.8, Level.BEGINNER_9X9: 0.85, Level.INTERMEDIATE: 0.7, Level.EXPERT: 0.55}
#: Enough for array arithmetic to pay, few enough to stay far below a gigabyte of memory.
_GAMES_A_BLOCK: Final = 200_000
_COUNTRIES: Final = ("CN", "PL", "US", "DE", "FR", "RU", "JP", "CA", "GB", "AT", "HU", "NO")
_PIXELS_A_3BV: Final = 42.0


@dataclass(frozen=True, slots=True)
class BoardPool:
    """Real boards of one level: packed mines (opaque bytes), and every board number by its registry name."""

    packed: NDArray[Any]
    numbers: dict[str, Floats]


@dataclass(frozen=True, slots=True)
class Players:
    """All players: number in the order of their ids, speed beside a middling player's, taste, and how many games."""

    games: Ints
    speed: Floats
    flags: Floats  # share of games played with flags
    joined: Dates
    country: NDArray[np.int64]  # index of COUNTRIES, or -1


@dataclass(frozen=True, slots=True)
class Games:
    """Games of a block of players, each player's together and in the order in which they were played.

    ``values``: every stored row of the registry by name, float64, NaN = not defined.  ``level``, ``style`` are indexes
    of :data:`LEVELS` and :data:`STYLES`; ``player`` is the index of the player; ``board`` of the level's pool.
    """

    player: Ints
    level: Ints
    style: Ints
    board: Ints
    win: NDArray[np.bool_]
    achieved_at: Dates
    coarse: NDArray[np.bool_]  # recorded in steps of 10 ms
    values: dict[str, Floats]

    def __len__(self) -> int:
        return len(self.player)


def country_of(index: int) -> str:
    """The country of that index; none for -1."""
    return "" if index < 0 else _COUNTRIES[index]


def board_pools(rng: Generator) -> dict[Level, BoardPool]:
    """Random boards of every level with what our own analysis says of them."""
    return {level: _pool(rng, level) for level in LEVELS}


def _pool(rng: Generator, level: Level) -> BoardPool:
    rows, columns, mines = LEVEL_SHAPES[level]
    packed, numbers = [], []
    for _ in range(_BOARDS_A_LEVEL):
        grid = np.zeros(rows * columns, dtype=np.uint8)
        grid[rng.choice(rows * columns, mines, replace=False)] = 1
        board = Board(grid.reshape(rows, columns))
        facts, zini = board_facts(board), zini_counts(board)
        packed.append(board.packed())
        numbers.append(
            {"bv": facts.bv, "op": facts.op, "isl": facts.isl}
            | {f"cell{number}": count for number, count in enumerate(facts.cells)}
            | {name: getattr(zini, name) for name in ("gzini", "hzini", "gzini_ref", "hzini_ref")}
        )
    return BoardPool(
        np.frombuffer(b"".join(packed), dtype=f"V{len(packed[0])}"),
        {name: np.array([one[name] for one in numbers], dtype=np.float64) for name in numbers[0]},
    )


def draw_players(rng: Generator, count: int, replays: int, first_day: datetime, last_day: datetime) -> Players:
    """``count`` players with ``replays`` games between them."""
    weights = rng.lognormal(sigma=1.4, size=count)
    days = np.datetime64(first_day.replace(tzinfo=None), "us")
    span = np.datetime64(last_day.replace(tzinfo=None), "us") - days
    # Who plays more is faster, but far from always.
    speed = np.exp(0.28 * rng.standard_normal(count)) * (weights / np.median(weights)) ** 0.08
    return Players(
        games=rng.multinomial(replays, weights / weights.sum()).astype(np.int64),
        speed=speed,
        flags=rng.choice([0.0, 0.1, 0.6, 0.95, 1.0], size=count, p=[0.2, 0.1, 0.2, 0.2, 0.3]),
        joined=days + (span.astype(np.int64) * 0.9 * np.sqrt(rng.random(count))).astype("timedelta64[us]"),
        country=np.where(rng.random(count) < 0.4, -1, rng.integers(len(_COUNTRIES), size=count)),
    )


def draw_games(
    rng: Generator, players: Players, pools: dict[Level, BoardPool], last_day: datetime
) -> Iterator[tuple[slice, Games]]:
    """All games, a block of players at a time."""
    end = np.datetime64(last_day.replace(tzinfo=None), "us")
    for block in _blocks(players.games):
        yield block, _block(rng, players, block, pools, end)


def _blocks(games: Ints) -> Iterator[slice]:
    """Players in their order, so many that each block has about the same number of games."""
    block = np.cumsum(games) // _GAMES_A_BLOCK
    borders = [*np.flatnonzero(np.diff(block, prepend=-1)).tolist(), len(games)]
    yield from (slice(start, stop) for start, stop in pairwise(borders))


def _block(rng: Generator, players: Players, block: slice, pools: dict[Level, BoardPool], end: np.datetime64) -> Games:
    player = np.repeat(np.arange(block.start, block.stop), players.games[block])
    count = len(player)
    share = rng.random(count)  # of the time between joining and now
    share = share[np.lexsort((share, player))]
    level = rng.choice(len(LEVELS), size=count, p=[_LEVEL_SHARES[level] for level in LEVELS])
    style = (rng.random(count) >= players.flags[player]).astype(np.int64)
    board = rng.integers(_BOARDS_A_LEVEL, size=count)
    win = rng.random(count) < _of_level(_WINS, level)
    coarse = rng.random(count) < 0.7
    base = _board_numbers(pools, level, board)
    base |= _play(rng, base, players.speed[player] * (0.7 + 0.3 * np.sqrt(share)), level, style, win, coarse)
    inputs = base | {"win": win.astype(np.float64), "level": _level_codes(level)}
    derived = derive(inputs)
    joined = players.joined[player]
    return Games(
        player, level, style, board, win, joined + (share * (end - joined).astype(np.int64)).astype("timedelta64[us]"),
        coarse, base | {row.name: derived[row.name] for row in DERIVED},
    )  # fmt: skip


def _of_level(table: dict[Level, float], level: Ints) -> Floats:
    return np.array([table[one] for one in LEVELS])[level]


def _level_codes(level: Ints) -> Floats:
    return np.array([LEVEL_CODES[one] for one in LEVELS], dtype=np.float64)[level]


def _board_numbers(pools: dict[Level, BoardPool], level: Ints, board: Ints) -> dict[str, Floats]:
    names = pools[LEVELS[0]].numbers
    return {name: np.stack([pools[one].numbers[name] for one in LEVELS])[level, board] for name in names}


def _play(
    rng: Generator, board: dict[str, Floats], speed: Floats, level: Ints, style: Ints, win: NDArray[np.bool_],
    coarse: NDArray[np.bool_],
) -> dict[str, Floats]:  # fmt: skip
    """Time, clicks and progress of games: whole numbers, and the path."""
    count = len(level)
    done = np.where(win, 1.0, rng.beta(1.2, 1.6, size=count))
    bvdone = np.where(win, board["bv"], np.floor(board["bv"] * done))
    pace = _of_level(_SPEED, level) * speed * np.exp(0.16 * rng.standard_normal(count))
    time_ms = np.floor(1000 * np.maximum(bvdone, 1) / pace) + 1
    time_ms = np.where(coarse, np.floor(time_ms / 10) * 10 + 10, time_ms)
    waste = 1 + 0.25 * rng.beta(1.5, 4, size=count)
    flagging = style == STYLES.index("FL")
    lce = np.ceil(
        np.maximum(bvdone, 1) * np.where(flagging, rng.uniform(0.35, 0.75, count), rng.uniform(0.98, 1.03, count))
    )
    dce = np.where(flagging, np.floor(bvdone * rng.uniform(0.15, 0.4, count)), 0)
    rce = np.where(flagging, np.floor(bvdone * rng.uniform(0.2, 0.45, count)), 0)
    return {
        "time_ms": time_ms,
        "path": np.round(np.maximum(bvdone, 1) * _PIXELS_A_3BV * np.exp(0.2 * rng.standard_normal(count)), 6),
        "lce": lce, "dce": dce, "rce": rce, "rce_strict": np.floor(rce * 0.98), "flags": rce,
        "lcl": np.floor(lce * waste), "dcl": np.floor(dce * waste), "rcl": np.floor(rce * waste),
        "bvdone": bvdone, "opdone": np.floor(board["op"] * done), "isdone": np.floor(board["isl"] * done),
    }  # fmt: skip
