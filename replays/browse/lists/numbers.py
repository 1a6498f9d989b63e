from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext, ngettext

from analysis.statistics import BY_NAME, STATISTICS, Statistic, StatKind
from analysis.time_convention import difference_text, value_text
from players.leaderboards.board import Board
from players.leaderboards.boards import CORPSES_ON, ON_LEVEL
from players.leaderboards.filters import LOST_GAMES
from players.models import ALL_STYLES
from players.web.statistic_groups import grouped
from replays.models import Replay
from replays.watch.standing.selectors import Place, Standing

_HEADLINE_WON: Final = ("bvs", "bv", "cl", "ioe", "stnb", "pluck")
_HEADLINE_LOST: Final = ("completion", "bvs", "estime", "bv", "cl", "ioe")


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


@dataclass(frozen=True, slots=True)
class NumberPart:
    """``has_places``: whether its numbers are compared with those of other games."""

    title: str
    groups: tuple[NumberGroup, ...]
    has_places: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """``comparison``: one sentence about the value, or ""; of a personal best it leads to ``board``."""

    row: Statistic
    value: float | None
    comparison: str
    is_best: bool
    board: str


@dataclass(frozen=True, slots=True)
class Held:
    """``style``: "" on the board of all styles."""

    row: Statistic
    style: str
    rank: int
    board: str


def headline(replay: Replay, standing: Standing) -> list[Tile]:
    names = _HEADLINE_WON if replay.win else _HEADLINE_LOST
    return [_tile(_number(BY_NAME[name], replay, standing, {}), replay) for name in names]


def _tile(number: Number, replay: Replay) -> Tile:
    place = number.place
    is_best = place is not None and place.is_best
    return Tile(number.row, number.value, _comparison(number, replay), is_best, number.board)


def _comparison(number: Number, replay: Replay) -> str:
    """Say one thing about a main number: its rank, the gap to the player's best, its rate or its parts."""
    row, place = number.row, number.place
    if number.value is None:
        return ""
    if place is not None and place.best is not None and place.is_best:
        return gettext("PB · #%(rank)s") % {"rank": place.best.rank}
    if place is not None and place.difference:
        gap = {"difference": value_text(row, abs(place.difference), precision_ms=replay.time_precision_ms)}
        return (
            gettext("%(difference)s below their PB") % gap
            if place.difference < 0
            else gettext("%(difference)s above their PB") % gap
        )
    about = {"bv": _board_parts, "cl": _click_rate, "pluck": _guesses, "completion": _solved}.get(row.name)
    if about is not None:
        return about(replay)
    if place is not None and place.all_games is not None:
        share = place.all_games
        return gettext("better than %(percent)s%% of %(games)s games") % {
            "percent": share.percent,
            "games": share.games,
        }
    return ""


def _board_parts(replay: Replay) -> str:
    openings, islands = int(replay.statistic("op") or 0), int(replay.statistic("isl") or 0)
    return ", ".join(
        (
            ngettext("%(count)s opening", "%(count)s openings", openings) % {"count": openings},
            ngettext("%(count)s island", "%(count)s islands", islands) % {"count": islands},
        )
    )


def _click_rate(replay: Replay) -> str:
    rate = replay.statistic("cls")
    return "" if rate is None else gettext("%(rate)s per second") % {"rate": value_text(BY_NAME["cls"], rate)}


def _guesses(replay: Replay) -> str:
    guesses = int(replay.statistic("guesses") or 0)
    return ngettext("%(count)s guess", "%(count)s guesses", guesses) % {"count": guesses}


def _solved(replay: Replay) -> str:
    return gettext("%(solved)s of %(whole)s 3BV") % {
        "solved": replay.statistic("bvdone"),
        "whole": replay.statistic("bv"),
    }


def number_parts(replay: Replay, standing: Standing, computed: Mapping[str, float | None]) -> list[NumberPart]:
    """Every statistic, what is counted and what follows from it, by group; ``computed``: values that are not stored."""
    counted = tuple(row for row in STATISTICS if row.kind is StatKind.BASE)
    derived = tuple(row for row in STATISTICS if row.kind is not StatKind.BASE)
    return [
        NumberPart(gettext("Basic data"), _groups(counted, replay, standing, computed), has_places=False),
        NumberPart(gettext("Derived data"), _groups(derived, replay, standing, computed), has_places=replay.ranked),
    ]


def _groups(
    rows: tuple[Statistic, ...], replay: Replay, standing: Standing, computed: Mapping[str, float | None]
) -> tuple[NumberGroup, ...]:
    return tuple(
        NumberGroup(group.title, tuple(_number(row, replay, standing, computed) for row in group.rows))
        for group in grouped(rows)
    )


def held_bests(replay: Replay, standing: Standing) -> list[Held]:
    order = {row.name: index for index, row in enumerate(STATISTICS)}
    return [
        Held(BY_NAME[name], "" if style == ALL_STYLES else style, rank, Board(replay.level, name).path)
        for (name, style), rank in sorted(standing.held.items(), key=lambda held: (order[held[0][0]], held[0][1]))
    ]


def _number(
    row: Statistic, replay: Replay, standing: Standing, computed: Mapping[str, float | None]
) -> Number:  # fmt: skip
    ranked = any(row.name == other.name for other in ON_LEVEL.get(replay.level, ()))
    value = replay.statistic(row.name) if row.stored else computed.get(row.name)
    place = standing.places.get(row.name)
    board = Board(replay.level, row.name).path if ranked else ""
    if replay.result == Replay.Result.LOST and row in CORPSES_ON.get(replay.level, ()):
        board = Board(replay.level, row.name, filters=LOST_GAMES).path
    return Number(row, value, board, place, _difference(row, place, replay.time_precision_ms))


def _difference(row: Statistic, place: Place | None, precision_ms: int | None) -> str:
    if place is None or place.is_best or place.difference is None:
        return ""
    return difference_text(row, place.difference, precision_ms)
