from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from analysis.statistics import BY_NAME
from analysis.time_convention import MS_PER_SECOND, value_text
from players.leaderboards import ranked_games
from players.leaderboards.boards import (
    COMBINED,
    HARDEST_FIRST,
    LEVEL_ORDER,
    STYLE,
)
from players.leaderboards.sub_n.selectors import Rung, next_rung
from players.models import MAX_ID, Player
from players.people.selectors import others_of_like_name, player_of_id
from players.profile.charts.kinds.catalogue import KINDS
from players.profile.charts.request import LEVEL, STATISTIC
from players.profile.charts.views import cards_of, chart_address
from players.profile.page.head import head_of
from players.profile.page.selectors import PlayerBests, RankedBest, player_bests
from players.web.errors import handle_bad_addresses
from players.web.parameters import Parsed, form_of, integer

#: Games on the overview, which loads them when they come near, and on a page of the list.
_LAST_GAMES: Final = 10
_GAMES_A_PAGE: Final = 50
#: The charts of the overview: the page holds the first one, the others are loaded when they come near.
_HELD_CHART: Final = "progress"
_MORE_CHARTS: Final = ("time-by-3bv", "distribution")
_TILE_STATISTICS: Final = ("time", "bvs")
#: The levels of the tiles: those of the sum and the sum, then the others.


@dataclass(frozen=True, slots=True)
class Tile:
    """The best time of a level or of their sum; ``next``: None for sums and at the foot of the ladder."""

    level: str
    time: RankedBest
    speed: RankedBest | None
    next: Rung | None

    @property
    def missing(self) -> str:
        """The seconds by which the best time must be beaten to be sub-N."""
        missing_s = self.next.missing_ms / MS_PER_SECOND if self.next else None
        return "" if missing_s is None else value_text(BY_NAME["time"], missing_s, precision_ms=self.time.precision_ms)


#: ``level`` and ``statistic``: of the charts.
ProfileForm = form_of(STYLE, LEVEL, STATISTIC)


@require_safe
@handle_bad_addresses
def player(request: HttpRequest, pk: int) -> HttpResponse:
    values = ProfileForm(request.GET).values()
    style = values["style"]
    head, bests = head_of(pk), player_bests(min(pk, MAX_ID), style, _TILE_STATISTICS)
    levels = [level for level in HARDEST_FIRST if level in bests]
    charts = {name: values[name] for name in ("style", "level", "statistic")}
    charts["level"] = values["level"] or next(iter(levels), None)
    context: dict[str, object] = head.context("player", style, bests) | {
        "tiles": [tile for level in LEVEL_ORDER if level in bests and (tile := _tile(bests, level, style)) is not None],
        "looks_like": others_of_like_name([head.player]).get(head.player.pk),
        "last_games": range(min(head.totals.games, _LAST_GAMES)),  # the room that they will take
        "charts": cards_of(request, head.player, [_HELD_CHART], charts) if levels else [],
        "more_charts": _slots(_MORE_CHARTS, head.player, charts) if levels else [],
    }
    return render(request, "players/profile/page/player.html", context)


def _tile(bests: PlayerBests, level: str, style: str) -> Tile | None:
    time, speed = (bests[level].get(statistic, {}).get(style) for statistic in _TILE_STATISTICS)
    if time is None:
        return None
    return Tile(level, time, speed, None if level == COMBINED else next_rung(time.value, time.precision_ms))


def _slots(names: Sequence[str], player: Player, values: Parsed) -> list[tuple[object, str]]:
    """Charts that are loaded when they come near, with their addresses."""
    return [(KINDS[name], chart_address(KINDS[name], player, values)) for name in names]


ChartsForm = form_of(STYLE, LEVEL, STATISTIC)


@require_safe
@handle_bad_addresses
def player_charts(request: HttpRequest, pk: int) -> HttpResponse:
    values = ChartsForm(request.GET).values()
    head = head_of(pk)
    context = head.context("player-charts", values["style"]) | {
        "more_charts": _slots(tuple(KINDS), head.player, values)
    }
    return render(request, "players/profile/page/charts.html", context)


GamesForm = form_of(
    integer("before", least=1, most=MAX_ID, description="The games uploaded before the one of this number.")
)


@require_safe
@vary_on_headers("HX-Request")
@handle_bad_addresses
def player_games(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the list page by page, or, for htmx, the last games alone."""
    before = GamesForm(request.GET).values()["before"]
    if getattr(request, "htmx", False):
        last = ranked_games.newest(_LAST_GAMES, player_of_id(pk).pk)
        return render(request, "players/profile/page/_last_games.html", {"games": last})
    head, found = head_of(pk), ranked_games.newest(_GAMES_A_PAGE + 1, min(pk, MAX_ID), before)
    shown = found[:_GAMES_A_PAGE]
    context = head.context("player-games") | {
        "games": shown,
        "is_first": before is None,
        "older": shown[-1].pk if len(found) > len(shown) else None,
    }
    return render(request, "players/profile/page/games.html", context)
