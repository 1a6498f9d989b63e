"""The page of a player: it shows replays, so it lives where they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.statistics import RANKED, Statistic
from players.boards import COMBINED, ON_LEVEL, STYLES, UnknownBoard, checked_style
from players.models import ALL_STYLES, MAX_ID, Identity, Player
from players.questions import together
from players.selectors import (
    PlayerBests,
    RankedBest,
    Recorded,
    SubStep,
    ask_player_bests,
    ask_player_records,
    ask_player_with_names,
    ask_sub_ladders,
)
from players.views.errors import not_found
from players.views.statistics import grouped
from replays.selectors import Line, ask_newest
from replays.views.home import record_games

#: The statistics that everybody asks for; the others are shown on request.
_MAIN: Final = ("time", "bvs", "rqp", "stnb", "corr", "thrp", "ioe", "gzne")
_EVERY: Final = "all"
_RECENT = 10
#: Records that are read to find the games behind them: a good game sets ten or more.
_EVENTS_READ = 100
#: Rungs of the ladder that are shown: the newest achievements are the lowest N.
_RUNGS = 24


@dataclass(frozen=True, slots=True)
class BestsRow:
    """One statistic with the player's best of each shown level."""

    row: Statistic
    cells: list[tuple[str, RankedBest | None]]


@dataclass(frozen=True, slots=True)
class BestsGroup:
    """Statistics under one heading; those without any best are left out."""

    title: str
    rows: list[BestsRow]


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Personal bests with ranks, the sub ladder, the latest records and replays.

    ``?statistics=all``: the bests of every statistic, and not of the main ones alone.
    """
    every = request.GET.get("statistics") == _EVERY
    try:
        style = checked_style(request.GET.get("style", ALL_STYLES))
        read = _read(min(pk, MAX_ID), style, () if every else _MAIN)
    except Player.DoesNotExist as error:
        raise Http404 from error
    except UnknownBoard as error:
        return not_found(request, str(error))
    found, names, bests = read.player, read.names, read.bests
    levels = [level for level in (*ON_LEVEL, COMBINED) if level in bests]
    context: dict[str, Any] = {
        "player": found,
        "names": [identity for identity in names if identity.name != found.name],
        "claimed": any(identity.state == Identity.State.CLAIMED for identity in names),
        "style": style,
        "styles": STYLES,
        "levels": levels,
        "every": every,
        "statistics": len(RANKED),
        "groups": _bests_groups(bests, levels, style),
        "headline": _headline(bests, levels, style),
        "ladders": _ladders(read.ladders),
        "records": record_games(read.records, _RECENT),
        "replays": read.replays,
        "title": _("Player %(name)s") % {"name": found.name},
    }
    return render(request, "players/player.html", context)


@dataclass(frozen=True, slots=True)
class _Read:
    """All that the page reads."""

    player: Player
    names: list[Identity]
    bests: PlayerBests
    ladders: dict[str, list[SubStep]]
    records: list[Recorded]
    replays: list[Line]


def _read(pk: int, style: str, statistics: Sequence[str]) -> _Read:
    """One after the other, but asked at once; raises ``Player.DoesNotExist``.

    The bests come last: the database ranks them while the others are read.
    """
    with together():
        named = ask_player_with_names(pk)
        ladders = ask_sub_ladders(pk, style)
        records = ask_player_records(pk, _EVENTS_READ, style)
        replays = ask_newest(_RECENT, pk)
        bests = ask_player_bests(pk, style, statistics)
        player, names = named()
        return _Read(player, names, ladders=ladders(), records=records(), replays=replays(), bests=bests())


def _best(bests: PlayerBests, level: str, statistic: str, style: str) -> RankedBest | None:
    return bests.get(level, {}).get(statistic, {}).get(style)


def _bests_groups(bests: PlayerBests, levels: list[str], style: str) -> list[BestsGroup]:
    groups = []
    for group in grouped(RANKED):
        rows = [
            BestsRow(row, [(level, _best(bests, level, row.name, style)) for level in levels]) for row in group.rows
        ]
        rows = [entry for entry in rows if any(best for _level, best in entry.cells)]
        if rows:
            groups.append(BestsGroup(group.title, rows))
    return groups


def _headline(bests: PlayerBests, levels: list[str], style: str) -> list[tuple[str, RankedBest]]:
    """The best time of each level."""
    found = [(level, _best(bests, level, "time", style)) for level in levels]
    return [(level, best) for level, best in found if best is not None]


def _ladders(ladders: dict[str, list[SubStep]]) -> list[tuple[str, list[SubStep]]]:
    """The rungs on which something was won, lowest N first, by level."""
    return [
        (level, [step for step in ladders[level] if step.games_in_second][:_RUNGS])
        for level in ON_LEVEL
        if level in ladders
    ]
