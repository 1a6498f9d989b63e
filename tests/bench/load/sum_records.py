"""The record history of combined boards, from that of their three levels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.statistics import Better, Statistic
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, COMBINED_STATISTICS
from tests.bench.load.population import Floats, Ints
from tests.bench.load.ranks import Places
from tests.bench.load.results import STYLE_FILTERS, Records, rounded_sums, site_records


@dataclass(frozen=True, slots=True)
class _Sums:
    """The sum of a player after each personal best on one of the levels, from the first sum on."""

    player: Ints
    game: Ints
    others: tuple[Ints, Ints]  # the other two games, by level
    keys: tuple[Floats, Floats, Floats]  # the sum, Expert, Intermediate

    def starts(self) -> Ints:
        """Return the index at which each player begins."""
        return np.flatnonzero(np.r_[True, self.player[1:] != self.player[:-1]])


@dataclass(slots=True)
class SumHistory:
    """Remembers the places and leaders of combined boards from block to block."""

    places: dict[tuple[str, str], Places] = field(default_factory=lambda: defaultdict(Places))
    leaders: dict[tuple[str, str], float] = field(default_factory=dict)

    def records(self, personal: Iterable[Records]) -> Iterator[Records]:
        """Personal bests and site records of the sums that ``personal``, the bests on all levels, lead to."""
        boards = {(one.row.name, one.level, one.style): one for one in personal}
        for row in COMBINED_STATISTICS:
            for style in STYLE_FILTERS:
                sums = _sums(row, style, boards)
                if sums is not None:
                    yield from self._records(row, style, sums)

    def _records(self, row: Statistic, style: str, sums: _Sums) -> Iterator[Records]:
        starts = sums.starts()
        first = np.zeros(len(sums.game), dtype=bool)
        first[starts] = True
        owner = np.cumsum(first) - 1
        final = np.r_[starts[1:] - 1, len(first) - 1]
        rank = self.places[row.name, style].ranks(sums.keys, owner, final)
        key = sums.keys[0]
        # A part may be better by less than the rounding of the sum.
        news = np.flatnonzero(first | np.r_[True, key[1:] < key[:-1]])
        previous = np.maximum(news - 1, 0)
        sign = -1 if row.better is Better.HIGH else 1
        personal = Records(
            row, COMBINED, style, "personal", sums.player[news], sums.game[news],
            np.where(first[news], np.nan, sign * key[previous]), sign * key[news],
            np.where(first[news], np.nan, rank[previous]), rank[news],
            tuple(games[news] for games in sums.others),
        )  # fmt: skip
        yield personal
        leader = self.leaders.get((row.name, style), np.inf)
        yield site_records(personal, leader)
        self.leaders[row.name, style] = min(leader, float(key.min()))


def _sums(row: Statistic, style: str, boards: Mapping[tuple[str, str, str], Records]) -> _Sums | None:
    """All sums of one statistic and style in the order of the games; None if nobody has any."""
    found = [boards.get((row.name, level, style)) for level in COMBINED_LEVELS]
    parts = [part for part in found if part is not None]
    if len(parts) < len(COMBINED_LEVELS):
        return None
    game = np.concatenate([part.game for part in parts])
    order = np.argsort(game)
    player = np.concatenate([part.player for part in parts])[order]
    key = np.concatenate([part.rank_key for part in parts])[order]
    level = np.repeat(np.arange(len(parts)), [len(part.game) for part in parts])[order]
    latest = _latest(player, level, len(parts))
    complete = np.flatnonzero(np.all([at >= 0 for at in latest], axis=0))
    if not len(complete):
        return None
    keys = [key[at[complete]] for at in latest]
    _beginner, intermediate, expert = keys
    own, games = level[complete], [game[order][at[complete]] for at in latest]
    others = np.where(own == 0, games[1], games[0]), np.where(own == 2, games[1], games[2])
    return _Sums(player[complete], game[order][complete], others, (rounded_sums(keys), expert, intermediate))


def _latest(player: Ints, level: Ints, levels: int) -> Sequence[Ints]:
    """For each level: where the player's latest best on it stands up to each row, -1 if there is none."""
    numbers = np.arange(len(player))
    start = np.maximum.accumulate(np.where(np.r_[True, player[1:] != player[:-1]], numbers, 0))
    found = [np.maximum.accumulate(np.where(level == number, numbers, -1)) for number in range(levels)]
    return [np.where(at >= start, at, -1) for at in found]
