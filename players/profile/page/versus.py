from __future__ import annotations

from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.leaderboards.boards import COMBINED, STYLE, STYLES
from players.people.selectors import player_of_id, surviving_player
from players.profile.charts import games as player_games
from players.profile.page.comparison import MAIN, compare, lead
from players.web.errors import handle_bad_addresses
from players.web.parameters import form_of

VersusForm = form_of(STYLE)


@require_safe
@handle_bad_addresses
def versus(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    players = player_of_id(pk), surviving_player(other)
    style = VersusForm(request.GET).values()["style"]
    compared = compare((players[0].pk, players[1].pk), style, MAIN)
    context = {
        "players": players,
        "first": players[0],
        "second": players[1],
        "totals": [player_games.send_totals(player.pk)() for player in players],
        "leads": [lead(compared, number) for number in (0, 1)],
        "levels": [(level, list(rows)) for level, rows in groupby(compared, lambda one: one.level)],
        "chart_level": next((one.level for one in reversed(compared) if one.level != COMBINED), ""),
        "style": style,
        "styles": STYLES,
        "title": _("%(first)s and %(second)s") % {"first": players[0].shown_name, "second": players[1].shown_name},
    }
    return render(request, "players/profile/page/versus.html", context)
