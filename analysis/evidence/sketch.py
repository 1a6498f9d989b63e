"""The sketch of a game: what a copy keeps of its clicks when some of them were moved or made in another order.

A **shingle** is ten consecutive opening clicks (``fingerprint``) as a set: each kind, row and column, without the order.
Two neighbouring clicks that change places so change at most two shingles, not the eleven that hold them.  The number of a
shingle is the smallest of those of its eight images.  It is asked of each shingle by itself: were the whole game turned
to its smallest image first, one click in another order could turn all of it.

``shingles`` are the numbers of all shingles of a game, the smallest first; its **sketch** is the 16 smallest.  Numbers are
spread evenly, so of a copy that keeps a share of the shingles the sketch keeps about that share.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.evidence.fingerprint import Numbers, images_of
from analysis.kernels.walk import CELL, CHORD
from analysis.recording import LEVEL_SHAPES, Board, Level

_Hashes: TypeAlias = NDArray[np.uint64]

SIMILAR_CLICKS: Final = "similar_clicks"

SHINGLE: Final = 10  # clicks
SKETCH: Final = 16  # shingles
#: So many shingles of the sketch of one game among those of another make them similar: at least 30 %.
ENOUGH: Final = 5
#: So many do on Beginner, if the boards are the same but for one mine.  Without the board they would prove nothing: games
#: are short, and quick players open the same corners alike.
ENOUGH_ON_BOARD: Final = 3
_SHORT: Final = frozenset({Level.BEGINNER, Level.BEGINNER_9X9})
#: Levels whose games are compared.
SIMILAR_LEVELS: Final = _SHORT | {Level.INTERMEDIATE, Level.EXPERT}


class Played(NamedTuple):
    """A game that is compared: its shingles, the smallest first, or its sketch alone; and its board, packed."""

    level: Level
    shingles: tuple[int, ...]
    board: bytes


def shingles_of(board: Board, found: Numbers) -> tuple[int, ...]:
    """The numbers of all shingles, each once and the smallest first; none of fewer clicks than a shingle has.

    ``found``: opening clicks, as ``analysis.click_machine.Game`` has them.
    """
    if len(found) < SHINGLE:
        return ()
    along, across = np.divmod(found[:, CELL], board.columns)
    numbers = np.min(
        [_numbers_in(image.size, *image.places(along, across), found[:, CHORD]) for image in images_of(board)], axis=0
    )
    return tuple(np.unique(_mixed(numbers).view(np.int64)).tolist())


def _numbers_in(size: bytes, rows: Numbers, columns: Numbers, chords: Numbers) -> _Hashes:
    """The number of each shingle in one image: the sum of those of its clicks, which has no order."""
    clicks = int.from_bytes(size, "big") << 32 | chords << 16 | rows << 8 | columns
    sums = np.cumsum(_mixed(clicks.astype(np.uint64)), dtype=np.uint64)
    sums[SHINGLE:] -= sums[:-SHINGLE].copy()
    return sums[SHINGLE - 1 :]


def _mixed(numbers: _Hashes) -> _Hashes:
    """Each of ``numbers`` as another one of 64 bits that looks random (the end of the generator SplitMix64)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)


def similar_games(new: Mapping[int, Played], stored: Mapping[int, Played]) -> set[tuple[int, int]]:
    """Pairs of numbers of games, the lower first: each of one of ``new`` with a similar one, among them or of ``stored``.

    Of ``stored``, those that are among ``new`` are left out.
    """
    games = {**stored, **new}
    holders: dict[int, list[int]] = defaultdict(list)
    for number, game in games.items():
        for shingle in game.shingles[:SKETCH]:
            holders[shingle].append(number)
    pairs = set()
    for number, game in new.items():
        kept = Counter(holder for shingle in game.shingles for holder in holders.get(shingle, ()) if holder != number)
        for other, count in kept.items():
            if _is_enough(game, games[other], count):
                pairs.add((min(number, other), max(number, other)))
    return pairs


def _is_enough(one: Played, two: Played, shared: int) -> bool:
    if one.level in _SHORT:
        return shared >= ENOUGH_ON_BOARD and _differ_by_a_mine(one, two)
    return shared >= ENOUGH


def _differ_by_a_mine(one: Played, two: Played) -> bool:
    """Return whether one of the images of the one board is the other, or has one mine elsewhere."""
    rows, columns, _ = LEVEL_SHAPES[one.level]
    first, second = (Board.from_packed(game.board, rows, columns).mines for game in (one, two))
    turned = (np.rot90(side, turns) for side in (first, first.T) for turns in range(4))
    return any(image.shape == second.shape and np.count_nonzero(image != second) <= 2 for image in turned)
