from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from analysis.statistics import BY_NAME
from players.leaderboards.pages.board_texts import level_text


@require_safe
def help_evidence(request: HttpRequest) -> HttpResponse:
    context = {
        "open_formats": [name.upper() for name in settings.RANK_OPEN_FORMATS],
        "days": settings.PROVISIONAL_DAYS,
        "limits": [
            f"{level_text(level)} {gettext(BY_NAME[statistic].label)} {sign} {bound:g}"
            for level, statistic, sign, bound in settings.PROVISIONAL_LIMITS
        ],
        "top": settings.PROVISIONAL_TOP,
        "leap": settings.PROVISIONAL_LEAP_PERCENT,
        "players": settings.PROVISIONAL_MIN_PLAYERS,
    }
    return render(request, "replays/help_evidence.html", context)
