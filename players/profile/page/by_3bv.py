from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.statistics import RANKED, Statistic
from players.leaderboards import ranked_games
from players.leaderboards.boards import (
    COMBINED,
    LEVEL_ORDER,
    ON_LEVEL,
    STYLE,
    STYLES,
    BoardKey,
    UnknownBoard,
    board_key,
)
from players.leaderboards.ranked_games import BvBest
from players.models import ALL_STYLES, Player
from players.people.selectors import player_of_id
from players.web.errors import handle_bad_addresses
from players.web.parameters import form_of
from players.web.statistic_groups import grouped
from players.web.statistic_names import statistic_choice

COLUMNS: Final = 10
#: Number of colours of the cells; shade 1 has the best values.  The cells are divided into shades of equal size.
SHADES: Final = 6


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the grid; ``best`` is None and ``shade`` 0 where the player has no game."""

    bv: int
    best: BvBest | None
    shade: int


@dataclass(frozen=True, slots=True)
class Band:
    first: int
    cells: tuple[Cell, ...]


#: The parameters of the page; its form sends ``statistic``, which is redirected to that statistic's page.
GridForm = form_of(STYLE, statistic_choice("statistic", RANKED))


@require_safe
@handle_bad_addresses
def by_3bv(request: HttpRequest, pk: int, level: str, statistic: str) -> HttpResponse:
    player = player_of_id(pk)
    if level == COMBINED:
        raise UnknownBoard(_("There's no ranked level “%(level)s”.") % {"level": level})
    board_key(level, statistic)  # an unknown board is 404 whatever its parameters are
    values = GridForm(request.GET).values()
    key = board_key(level, values["statistic"] or statistic, values["style"])
    if key.statistic != statistic:
        return redirect(_address(player, key))
    bests = ranked_games.best_by_3bv(player.pk, key)
    context = {
        "player": player,
        "level": level,
        "statistic": statistic,
        "style": key.style,
        "styles": STYLES,
        "row": key.row,
        "groups": grouped(ON_LEVEL[level]),
        "tabs": [(name, _address(player, _on(name, key))) for name in LEVEL_ORDER if name != COMBINED],
        "bands": bands(bests, key.row),
        "columns": range(COLUMNS),
        "shades": range(1, SHADES + 1),
        "filled": len(bests),
        "games": sum(best.games for best in bests),
    }
    return render(request, "players/profile/page/by_3bv.html", context)


def _on(level: str, key: BoardKey) -> BoardKey:
    """The same board on another level, or that of the time if the statistic is not ranked there."""
    offered = {row.name for row in ON_LEVEL[level]}
    return BoardKey(level, key.statistic if key.statistic in offered else "time", key.style)


def _address(player: Player, key: BoardKey) -> str:
    path = reverse("player-by-3bv", args=[player.pk, key.level, key.statistic])
    return path if key.style == ALL_STYLES else f"{path}?style={key.style}"


def bands(bests: Sequence[BvBest], row: Statistic) -> list[Band]:
    """The rows of the grid; those without any game are left out."""
    by_bv = {best.bv: best for best in bests}
    keys = sorted(row.rank_key(best.value) for best in bests)
    return [
        Band(first, tuple(_cell(bv, by_bv.get(bv), keys, row) for bv in range(first, first + COLUMNS)))
        for first in sorted({bv - bv % COLUMNS for bv in by_bv})
    ]


def _cell(bv: int, best: BvBest | None, keys: Sequence[float], row: Statistic) -> Cell:
    if best is None:
        return Cell(bv, None, 0)
    better = bisect_left(keys, row.rank_key(best.value))  # equal values have the same shade
    return Cell(bv, best, 1 + better * SHADES // len(keys))
