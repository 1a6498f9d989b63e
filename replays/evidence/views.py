"""The page that explains what a file can prove."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def help_evidence(request: HttpRequest) -> HttpResponse:
    """What the evidence classes mean, which games are provisional, and which date counts."""
    context = {
        "open_formats": [name.upper() for name in settings.RANK_OPEN_FORMATS],
        "days": settings.PROVISIONAL_DAYS,
        "top": settings.PROVISIONAL_TOP,
        "leap": settings.PROVISIONAL_LEAP_PERCENT,
        "players": settings.PROVISIONAL_MIN_PLAYERS,
    }
    return render(request, "replays/help_evidence.html", context)
