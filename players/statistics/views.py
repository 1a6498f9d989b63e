from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.recording import LEVEL_SHAPES
from analysis.sources import SOURCES
from analysis.statistics import STATISTICS, VERSION
from players.leaderboards.boards import COMBINED_NAMES, levels_by_statistic
from players.web.statistic_groups import grouped


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    context = {
        "groups": grouped(STATISTICS),
        "version": VERSION,
        "sources": SOURCES,
        "boards": levels_by_statistic(),
        "combined": COMBINED_NAMES,
        "minimums": list(settings.MINIMUM_3BV.items()),
        "shapes": list(LEVEL_SHAPES.items()),
    }
    return render(request, "players/statistics/statistics.html", context)
