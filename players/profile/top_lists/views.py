from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from analysis.statistics import BY_NAME, STATISTICS
from analysis.time_convention import decimals_apart
from players.leaderboards.board import board_address
from players.leaderboards.boards import (
    LEVEL_ORDER,
    STYLE,
    STYLES,
    board_key,
    games_in_value,
    main_statistics,
    statistics_on,
)
from players.models import ALL_STYLES
from players.profile.top_lists.country_ranking import COUNTED, country_ranking
from players.profile.top_lists.improvements import DAYS, checked_improvement_level, improvements
from players.web.errors import handle_bad_addresses
from players.web.parameters import form_of
from players.web.statistic_groups import grouped
from players.web.statistic_names import statistic_choice

#: The parameter ``statistic`` is the form's, which is redirected to the address of that board.
CountriesForm = form_of(STYLE, statistic_choice("statistic", STATISTICS))
ImprovementsForm = form_of(STYLE)


def _with_style(address: str, style: str) -> str:
    return address if style == ALL_STYLES else f"{address}?{urlencode({'style': style})}"


@require_safe
@handle_bad_addresses
def countries(request: HttpRequest, level: str, statistic: str) -> HttpResponse:
    board_key(level, statistic)
    values = CountriesForm(request.GET).values()
    key = board_key(level, values["statistic"] or statistic, values["style"])
    ranking = country_ranking(key)
    context = {
        "level": level,
        "statistic": key.statistic,
        "row": key.row,
        "style": key.style,
        "styles": STYLES,
        "tabs": [(name, _with_style(_address(name, key.statistic), key.style)) for name in LEVEL_ORDER],
        "groups": grouped(statistics_on(level)),
        "main": main_statistics(level, key.statistic),
        "ranking": ranking,
        "games": games_in_value(level),
        "decimals": decimals_apart(key.row, (one.value for row in ranking.rows for one in row.bests)),
        "counted": COUNTED,
        "board": board_address(level, key.statistic),
    }
    return render(request, "players/profile/top_lists/countries.html", context)


def _address(level: str, statistic: str) -> str:
    """The ranking of ``level``, of the time if the statistic has no board there."""
    offered = statistics_on(level)
    return reverse("board-countries", args=[level, statistic if BY_NAME[statistic] in offered else "time"])


@require_safe
@handle_bad_addresses
def improvement_list(request: HttpRequest, level: str) -> HttpResponse:
    checked_improvement_level(level)
    style = ImprovementsForm(request.GET).values()["style"]
    rows = improvements(level, style)
    context = {
        "level": level,
        "style": style,
        "styles": STYLES,
        "tabs": [(name, _with_style(reverse("improvements", args=[name]), style)) for name in LEVEL_ORDER],
        "rows": rows,
        "games": games_in_value(level),
        "days": DAYS,
    }
    return render(request, "players/profile/top_lists/improvements.html", context)
