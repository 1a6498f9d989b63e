from __future__ import annotations

from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from analysis.statistics import RANKED
from players.leaderboards.boards import (
    COMBINED,
    COMBINED_NAMES,
    LEVEL_ORDER,
    LOGGED_STATISTICS,
    STYLE,
    STYLES,
    BoardKey,
    board_key,
)
from players.models import Player
from players.people.selectors import player_of_id, surviving_player
from players.profile.charts import games as player_games
from players.profile.charts.request import LEVEL, STATISTIC, hardest_level
from players.profile.page.comparison import compare, lead
from players.profile.page.rivals import rivals_of
from players.web.errors import handle_bad_addresses
from players.web.parameters import form_of
from players.web.statistic_groups import grouped
from players.web.users import signed_in_user

VersusForm = form_of(STYLE)
#: ``level`` and ``statistic``: the board on which rivals are looked for, beside the combined one.
RivalsForm = form_of(STYLE, LEVEL, STATISTIC)


@require_safe
@vary_on_headers("HX-Request")
@handle_bad_addresses
def rivals(request: HttpRequest, pk: int) -> HttpResponse:
    """Show with whom the player may be compared: the visitor, and the neighbours on boards.

    For htmx the neighbours on the first of the boards alone, which the overview loads.
    """
    player = player_of_id(pk)
    values = RivalsForm(request.GET).values()
    style, statistic = values["style"], values["statistic"]
    key = board_key(values["level"] or hardest_level(player.pk), statistic, style)
    keys = [BoardKey(COMBINED, statistic, style), key] if statistic in COMBINED_NAMES else [key]
    if getattr(request, "htmx", False):
        first = next((found for one in keys if (found := rivals_of(player.pk, one)) is not None), None)
        return render(request, "players/profile/page/_rivals.html", {"player": player, "style": style, "rivals": first})
    viewer = signed_in_user(request)
    own = None if viewer is None else Player.objects.filter(user=viewer).exclude(pk=player.pk).first()
    context = {
        "player": player,
        "own": own,
        "rivals": [found for one in keys if (found := rivals_of(player.pk, one)) is not None],
        "looked_at": key,
        "levels": [level for level in LEVEL_ORDER if level != COMBINED],
        "groups": grouped(RANKED),
        "style": style,
        "styles": STYLES,
    }
    return render(request, "players/profile/page/rivals.html", context)


@require_safe
@handle_bad_addresses
def versus(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    players = player_of_id(pk), surviving_player(other)
    style = VersusForm(request.GET).values()["style"]
    compared = compare((players[0].pk, players[1].pk), style, LOGGED_STATISTICS)
    context = {
        "players": players,
        "first": players[0],
        "second": players[1],
        "totals": [player_games.totals_of(player.pk) for player in players],
        "leads": [lead(compared, number) for number in (0, 1)],
        "levels": [(level, list(rows)) for level, rows in groupby(compared, lambda one: one.level)],
        "played_level": next((one.level for one in compared if one.level != COMBINED), ""),
        "style": style,
        "styles": STYLES,
        "title": _("%(first)s and %(second)s") % {"first": players[0].shown_name, "second": players[1].shown_name},
    }
    return render(request, "players/profile/page/versus.html", context)
