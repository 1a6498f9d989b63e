"""Rows of the boards after a block of games: the same as ranking them one by one, in array arithmetic.

``players.leaderboards.services`` is the rule; a test ranks a small load again from scratch and compares every row.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.statistics import ANALYSED, RANKED, Better, Statistic
from analysis.time_convention import MS_PER_SECOND
from players.leaderboards.boards import COMBINED_LEVELS, COMBINED_STATISTICS
from players.models import ALL_STYLES
from tests.bench.load.population import LEVELS, STYLES, Dates, Floats, Games, Ints
from tests.bench.load.ranks import Places

#: Ranked statistics that made-up games have; those of luck need a real one.
_DRAWN: Final = tuple(row for row in RANKED if row in ANALYSED)
#: The styles of boards.
STYLE_FILTERS: Final = (ALL_STYLES, *STYLES)


@dataclass(frozen=True, slots=True)
class Bests:
    """Personal bests of one board, one a player: indexes of games, in the order of players."""

    row: Statistic
    level: str
    style: str
    ids: Ints
    player: Ints
    game: Ints
    value: Floats
    rank_key: Floats


@dataclass(frozen=True, slots=True)
class Records:
    """Improvements on one board in the order of the games; ``old`` and ``rank_before`` are NaN for a first one.

    ``others``: the other two games of each sum.
    """

    row: Statistic
    level: str
    style: str
    kind: str
    player: Ints
    game: Ints
    old: Floats
    new: Floats
    rank_before: Floats
    rank_after: Ints
    others: tuple[Ints, ...] = ()

    @property
    def rank_key(self) -> Floats:
        """The new values, smaller is better."""
        return -self.new if self.row.better is Better.HIGH else self.new


@dataclass(frozen=True, slots=True)
class Sums:
    """Combined bests of one statistic and style; the parts in the order of ``COMBINED_LEVELS``."""

    row: Statistic
    style: str
    player: Ints
    value: Floats
    keys: tuple[Floats, ...]
    parts: tuple[Ints, ...]
    achieved_at: Dates


@dataclass(frozen=True, slots=True)
class Seconds:
    """Numbers of a player's games that ended in each second, and the first of them."""

    level: str
    style: str
    player: Ints
    second: Ints
    games: Ints
    first: Ints


@dataclass(slots=True)
class Ranking:
    """Hands out ids and remembers the site's places and leaders from block to block."""

    next_best_id: int = 1
    places: dict[tuple[str, str, str], Places] = field(default_factory=lambda: defaultdict(Places))
    leaders: dict[tuple[str, str, str], float] = field(default_factory=dict)

    def rank(self, games: Games, ranked: NDArray[np.bool_]) -> Iterator[tuple[Bests, list[Records]]]:
        """Every board of the block; ``ranked``: which games count."""
        for level_index, level in enumerate(LEVELS):
            for style in STYLE_FILTERS:
                here = np.flatnonzero(ranked & (games.level == level_index) & _of_style(games, style))
                for row in _DRAWN:
                    if level in row.levels and len(here):
                        found = self._board(games, here, row, level.value, style)
                        if found is not None:
                            yield found

    def _board(
        self, games: Games, here: Ints, row: Statistic, level: str, style: str
    ) -> tuple[Bests, list[Records]] | None:
        value = games.values[row.name][here]
        defined = ~np.isnan(value)
        game, value = here[defined], value[defined]
        if not len(game):
            return None
        key = -value if row.better is Better.HIGH else value
        player = games.player[game]
        starts = np.flatnonzero(np.r_[True, player[1:] != player[:-1]])
        owner = np.cumsum(np.r_[True, player[1:] != player[:-1]]) - 1
        held = _running_best(key, owner)
        first_of_player = np.zeros(len(game), dtype=bool)
        first_of_player[starts] = True
        improved = first_of_player.copy()
        improved[1:] |= held[1:] < held[:-1]
        best = np.flatnonzero(improved)[_last_of_each(owner[improved])]
        bests = Bests(
            row, level, style, np.arange(self.next_best_id, self.next_best_id + len(best)), player[best], game[best],
            value[best], key[best],
        )  # fmt: skip
        self.next_best_id += len(best)
        steps = np.flatnonzero(improved)
        first, step_owner, board = first_of_player[steps], owner[steps], (row.name, level, style)
        rank = self.places[board].ranks([key[steps]], step_owner, _last_of_each(step_owner))
        personal = Records(
            row, level, style, "personal", player[steps], game[steps], _unless(first, value[np.r_[0, steps[:-1]]]),
            value[steps], _unless(first, np.r_[0, rank[:-1]]), rank,
        )  # fmt: skip
        site = site_records(personal, self.leaders.get(board, np.inf))
        if len(site.game):
            self.leaders[board] = float(site.rank_key[-1])
        return bests, [personal, site]


def site_records(personal: Records, leader: float) -> Records:
    """Those of ``personal`` that beat everything before them; ``leader``: the best rank key of earlier blocks, or inf."""
    key = personal.rank_key
    before = np.r_[leader, np.minimum.accumulate(np.minimum(key, leader))[:-1]]
    news = np.flatnonzero(key < before)
    sign = -1 if personal.row.better is Better.HIGH else 1
    return Records(
        personal.row, personal.level, personal.style, "site", personal.player[news], personal.game[news],
        _unless(np.isinf(before[news]), sign * before[news]), personal.new[news], personal.rank_before[news],
        personal.rank_after[news], tuple(games[news] for games in personal.others),
    )  # fmt: skip


def _unless(missing: NDArray[np.bool_], values: Floats | Ints) -> Floats:
    return np.where(missing, np.nan, values)


def _of_style(games: Games, style: str) -> NDArray[np.bool_]:
    if style == ALL_STYLES:
        return np.ones(len(games), dtype=bool)
    found: NDArray[np.bool_] = games.style == STYLES.index(style)
    return found


def _running_best(key: Floats, owner: Ints) -> Ints:
    """For each game a number that falls whenever its owner's best falls.

    Places instead of values, shifted so that every later owner lies below every earlier one: then one running
    minimum over all serves, and no owner's best reaches into the next one's games.
    """
    _, place = np.unique(key, return_inverse=True)
    span = int(place.max()) + 1
    return np.asarray(np.minimum.accumulate(place.ravel() - owner * span))


def _last_of_each(owner: Ints) -> Ints:
    return np.flatnonzero(np.r_[owner[1:] != owner[:-1], True])


def seconds_of(games: Games, ranked: NDArray[np.bool_]) -> Iterator[Seconds]:
    """The second counts of the block, by level and style."""
    for level_index, level in enumerate(LEVELS):
        for style in STYLE_FILTERS:
            game = np.flatnonzero(ranked & (games.level == level_index) & _of_style(games, style))
            if not len(game):
                continue
            second = (games.values["time_ms"][game] // MS_PER_SECOND + 1).astype(np.int64)
            width = int(second.max()) + 1
            place, first, count = np.unique(games.player[game] * width + second, return_index=True, return_counts=True)
            yield Seconds(level.value, style, place // width, place % width, count, game[first])


def sums_of(bests: list[Bests], achieved_at: Dates) -> Iterator[Sums]:
    """The combined bests of players who have all three levels; ``achieved_at``: of the block's games."""
    boards = {(best.row.name, best.level, best.style): best for best in bests}
    for row in COMBINED_STATISTICS:
        for style in STYLE_FILTERS:
            found = [boards.get((row.name, level, style)) for level in COMBINED_LEVELS]
            parts = [part for part in found if part is not None]
            if len(parts) < len(COMBINED_LEVELS):
                continue
            player = parts[0].player
            for part in parts[1:]:
                player = np.intersect1d(player, part.player, assume_unique=True)
            at = [np.searchsorted(part.player, player) for part in parts]
            keys = tuple(part.rank_key[index] for part, index in zip(parts, at, strict=True))
            dates = [achieved_at[part.game[index]] for part, index in zip(parts, at, strict=True)]
            yield Sums(
                row, style, player,
                rounded_sums([part.value[index] for part, index in zip(parts, at, strict=True)]),
                (rounded_sums(keys), *keys),
                tuple(part.ids[index] for part, index in zip(parts, at, strict=True)),
                np.maximum.reduce(dates),
            )  # fmt: skip


def rounded_sums(parts: Sequence[Floats]) -> Floats:
    """Rounded as ``players.leaderboards.bests.combined`` rounds them; numpy's own rounding differs in the last bit."""
    return np.array([round(math.fsum(one), 9) for one in zip(*(part.tolist() for part in parts), strict=True)])
