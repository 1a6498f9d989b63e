from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from analysis.statistics import BY_NAME, STATISTICS, Statistic
from analysis.time_convention import difference_text
from players.leaderboards.boards import CORPSES_ON, ON_LEVEL
from players.models import ALL_STYLES
from players.web.links import corpses_address
from players.web.statistic_groups import grouped
from replays.models import Replay
from replays.watch.standing.selectors import Place, Standing

_HEADLINE_WON: Final = ("time", "bv", "bvs", "ioe", "stnb", "cls")
_HEADLINE_LOST: Final = ("time", "completion", "estime", "bvs", "ioe", "cls")


@dataclass(frozen=True, slots=True)
class Number:
    """``board``: the address of its leaderboard, or "".  ``difference``: to the player's best, with its sign, or ""."""

    row: Statistic
    value: float | None
    board: str
    place: Place | None
    difference: str


@dataclass(frozen=True, slots=True)
class NumberGroup:
    title: str
    numbers: tuple[Number, ...]

    @property
    def has_places(self) -> bool:
        return any(number.place is not None for number in self.numbers)


@dataclass(frozen=True, slots=True)
class Held:
    """``style``: "" on the board of all styles."""

    row: Statistic
    style: str
    rank: int
    board: str


def headline(replay: Replay, standing: Standing) -> list[Number]:
    names = _HEADLINE_WON if replay.win else _HEADLINE_LOST
    return [_number(BY_NAME[name], replay, standing, {}) for name in names]


def number_groups(replay: Replay, standing: Standing, computed: Mapping[str, float | None]) -> list[NumberGroup]:
    """Every statistic by group; ``computed``: values that are not stored, by name."""
    return [
        NumberGroup(group.title, tuple(_number(row, replay, standing, computed) for row in group.rows))
        for group in grouped(STATISTICS)
    ]


def held_bests(replay: Replay, standing: Standing) -> list[Held]:
    order = {row.name: index for index, row in enumerate(STATISTICS)}
    return [
        Held(BY_NAME[name], "" if style == ALL_STYLES else style, rank, reverse("board", args=[replay.level, name]))
        for (name, style), rank in sorted(standing.held.items(), key=lambda held: (order[held[0][0]], held[0][1]))
    ]


def _number(
    row: Statistic, replay: Replay, standing: Standing, computed: Mapping[str, float | None]
) -> Number:  # fmt: skip
    ranked = any(row.name == other.name for other in ON_LEVEL.get(replay.level, ()))
    value = replay.statistic(row.name) if row.stored else computed.get(row.name)
    place = standing.places.get(row.name)
    board = reverse("board", args=[replay.level, row.name]) if ranked else ""
    if replay.result == Replay.Result.LOST and row in CORPSES_ON.get(replay.level, ()):
        board = corpses_address(replay.level, row.name)
    return Number(row, value, board, place, _difference(row, place, replay.time_precision_ms))


def _difference(row: Statistic, place: Place | None, precision_ms: int | None) -> str:
    if place is None or place.is_best or place.difference is None:
        return ""
    return difference_text(row, place.difference, precision_ms)
