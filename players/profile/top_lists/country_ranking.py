"""Countries by the players whom they have on a board.

A country is ranked by the average of its three best players; those with fewer players follow without a rank, by their
best.  Equal averages go to the better best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.core.cache import cache
from django.db.models import Count, F, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from players.db.select import Row
from players.leaderboards import ranked_games
from players.leaderboards.boards import COMBINED, COMBINED_ORDER, ORDER, BoardKey
from players.leaderboards.ranks.rows import coarsest
from players.models import CombinedBest, PersonalBest
from players.people.player_refs import PlayerRef, player_refs, with_player_ref

#: The players of a country whose average ranks it.
COUNTED: Final = 3
#: A ranking reads every row of its board, so visitors of five minutes get the same one.
KEPT_SECONDS: Final = 300


class CountedBest(NamedTuple):
    """One of the best results of a country.  ``replay_id`` and ``precision_ms`` are None for sums."""

    value: float
    replay_id: int | None
    precision_ms: int | None
    player: PlayerRef


@dataclass(frozen=True, slots=True)
class CountryRow:
    """``rank`` and ``average``: None with fewer than :data:`COUNTED` players.  ``bests``: best first."""

    rank: int | None
    country: str
    players: int
    bests: tuple[CountedBest, ...]
    average: float | None

    @property
    def best(self) -> CountedBest:
        return self.bests[0]

    @property
    def missing(self) -> range:
        """A number for each result that the average lacks; the cells of a table that stay empty."""
        return range(COUNTED - len(self.bests))

    @property
    def precision_ms(self) -> int | None:
        return coarsest(one.precision_ms for one in self.bests)


@dataclass(frozen=True, slots=True)
class CountryRanking:
    """The countries of a board, best first; ``players``: how many players of the board have a country."""

    rows: list[CountryRow]
    players: int
    made_at: datetime


def country_ranking(key: BoardKey) -> CountryRanking:
    """The ranking of the board ``key``, at most :data:`KEPT_SECONDS` old; three statements, or none."""
    name = f"countries:1:{':'.join(key)}"
    found = cache.get(name)
    if found is None:
        found = [timezone.now().isoformat(), [list(row) for row in _best_rows(key)]]
        cache.set(name, found, KEPT_SECONDS)
    made_at, rows = found
    ranked = _ranked(key, [tuple(row) for row in rows])
    return CountryRanking(ranked, sum(row.players for row in ranked), parse_datetime(made_at) or timezone.now())


def _best_rows(key: BoardKey) -> list[Row]:
    """The best rows of each country, best first: its players on the board, the columns of ``CountedBest``.

    Names and clocks are read for these few alone: joined, they would be read for the whole board.
    """
    if key.level == COMBINED:
        sums = CombinedBest.objects.filter(statistic=key.statistic, style=key.style)
        found = [(*row, None) for row in _first_of_each(sums, COMBINED_ORDER)]
    else:
        bests = PersonalBest.objects.filter(statistic=key.statistic, level=key.level, style=key.style)
        found = _first_of_each(bests, ORDER, "replay_id")
    players = player_refs([player_id for _count, _value, player_id, _replay_id in found])
    marks = ranked_games.marks_of([replay_id for *_best, replay_id in found if replay_id is not None])
    return [
        (count, value, replay_id, marks[replay_id].precision_ms if replay_id in marks else None, *players[player_id])
        for count, value, player_id, replay_id in found
        if player_id in players  # else deleted since the first statement
    ]


def _first_of_each(rows: QuerySet[Any], order: Sequence[str], *columns: str) -> list[Row]:
    """The first rows of each country: its number of rows, the value, the player's id, and ``columns``."""
    country = F("player__country")
    numbered = rows.exclude(player__country="").annotate(
        place=Window(RowNumber(), partition_by=country, order_by=order),
        players=Window(Count("id"), partition_by=country),
    )
    first = numbered.filter(place__lte=COUNTED).order_by("player__country", "place")
    return list(first.values_list("players", "value", "player_id", *columns))


def _ranked(key: BoardKey, rows: Sequence[Row]) -> list[CountryRow]:
    by_country = {
        country: list(some) for country, some in groupby(map(with_player_ref, rows), key=lambda row: row[-1].country)
    }
    countries = [
        CountryRow(None, country, some[0][0], tuple(CountedBest(*row[1:]) for row in some), _average(some))
        for country, some in by_country.items()
    ]
    rank_key = key.row.rank_key

    def order(row: CountryRow) -> tuple[bool, float, float, str]:
        return row.average is None, rank_key(row.average or 0.0), rank_key(row.best.value), row.country

    countries.sort(key=order)
    ranked: list[CountryRow] = []
    for index, row in enumerate(countries):
        tied = bool(ranked) and order(ranked[-1])[:3] == order(row)[:3]
        rank = None if row.average is None else ranked[-1].rank if tied else index + 1
        ranked.append(CountryRow(rank, row.country, row.players, row.bests, row.average))
    return ranked


def _average(rows: Sequence[Row]) -> float | None:
    # Rounded, since errors of binary sums must not break ties.
    return round(sum(row[1] for row in rows) / COUNTED, 9) if len(rows) == COUNTED else None
