"""The pages of the help.  None of them asks the database."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.formats import FORMATS
from replays.browse.help.clones import CLONES
from replays.browse.help.licences import LICENCES
from replays.browse.help.selectors import glossary
from replays.play.solo.services import UNKEPT_GAMES_DAYS
from replays.upload.processing import rejected


@require_safe
def help_index(request: HttpRequest) -> HttpResponse:
    formats = ", ".join(module.NAME.upper() for module in FORMATS)
    return render(request, "replays/browse/help/index.html", {"formats": formats})


@require_safe
def more(request: HttpRequest) -> HttpResponse:
    """Return the page behind the last item of the bottom bar of phones: every other page, language and colours."""
    return render(request, "replays/browse/help/more.html")


@require_safe
def help_files(request: HttpRequest) -> HttpResponse:
    return render(request, "replays/browse/help/files.html", {"clones": CLONES})


@require_safe
def help_ranking(request: HttpRequest) -> HttpResponse:
    return render(request, "replays/browse/help/ranking.html", {"minimums": list(settings.MINIMUM_3BV.items())})


@require_safe
def help_glossary(request: HttpRequest) -> HttpResponse:
    entries = glossary()
    context = {
        "words": [entry for entry in entries if not entry.is_statistic],
        "statistics": [entry for entry in entries if entry.is_statistic],
    }
    return render(request, "replays/browse/help/glossary.html", context)


@require_safe
def help_about(request: HttpRequest) -> HttpResponse:
    return render(request, "replays/browse/help/about.html", {"contact": settings.SITE_CONTACT})


@require_safe
def help_privacy(request: HttpRequest) -> HttpResponse:
    context = {
        "contact": settings.SITE_CONTACT,
        "rejected_days": rejected.KEEP_DAYS,
        "unkept_days": UNKEPT_GAMES_DAYS,
        "kept_days": settings.DUMPS_KEPT,
    }
    return render(request, "replays/browse/help/privacy.html", context)


@require_safe
def help_licence(request: HttpRequest) -> HttpResponse:
    licence = settings.DATA_LICENCE
    return render(
        request, "replays/browse/help/licence.html", {"licence": licence, "address": LICENCES.get(licence, "")}
    )
