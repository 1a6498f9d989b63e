"""The page of a player: it shows replays, so it lives where they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.statistics import RANKED, Statistic
from players.boards import COMBINED, ON_LEVEL, STYLES, UnknownBoard, checked_style
from players.models import ALL_STYLES, Identity, Player
from players.selectors import (
    PlayerBests,
    RankedBest,
    SubStep,
    player_bests,
    player_records,
    player_with_names,
    sub_ladders,
)
from players.views.errors import not_found
from players.views.statistics import grouped
from replays.selectors import newest
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
    try:
        found, names = player_with_names(pk)
        style = checked_style(request.GET.get("style", ALL_STYLES))
    except Player.DoesNotExist as error:
        raise Http404 from error
    except UnknownBoard as error:
        return not_found(request, str(error))
    every = request.GET.get("statistics") == _EVERY
    bests = player_bests(found, style, () if every else _MAIN)
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
        "ladders": _ladders(found, style),
        "records": record_games(player_records(found, _EVENTS_READ, style=style), _RECENT),
        "replays": newest(_RECENT, found),
        "title": _("Player %(name)s") % {"name": found.name},
    }
    return render(request, "players/player.html", context)


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


def _ladders(found: Player, style: str) -> list[tuple[str, list[SubStep]]]:
    """The rungs on which something was won, lowest N first, by level."""
    ladders = sub_ladders(found, style)
    return [
        (level, [step for step in ladders[level] if step.games_in_second][:_RUNGS])
        for level in ON_LEVEL
        if level in ladders
    ]
