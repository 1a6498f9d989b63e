from __future__ import annotations

from base64 import b64encode
from typing import Final

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from analysis.formats import FORMATS
from analysis.limits import WATCHED_BYTES
from analysis.names import shown_name
from analysis.statistics import STORED, StatKind
from players.leaderboards.pages.board_texts import level_text
from players.web.problems import Refused
from players.web.statistic_groups import grouped
from replays.models import Replay
from replays.trust.judging.findings import finding_sentences
from replays.trust.reasons import sentence
from replays.upload.intake.permissions import may_upload
from replays.watch.any_file.film_alone import film_alone
from replays.watch.any_file.in_memory import keep_in_memory
from replays.watch.any_file.selectors import count_file, unreadable, watched_file
from replays.watch.film.board_svg import board_text

_KILOBYTE: Final = 1024


@csrf_exempt  # ``_page`` checks the token, once the form may be read
@require_http_methods(["GET", "HEAD", "POST"])
def any_file(request: HttpRequest) -> HttpResponse:
    """Show the game in the file that a form sends; nothing of it is stored, here or on the way."""
    keep_in_memory(request)
    return _page(request)


@csrf_protect
def _page(request: HttpRequest) -> HttpResponse:
    context: dict[str, object] = {
        "may_upload": may_upload(request.user),
        "formats": ", ".join(f".{module.NAME}" for module in FORMATS),
        "most_bytes": WATCHED_BYTES,
        "most_kilobytes": WATCHED_BYTES // _KILOBYTE,
        "too_large": sentence("too_large", {"limit": WATCHED_BYTES}),
    }
    if request.method != "POST":
        return _answer(request, context)
    count_file(request)
    file = request.FILES.get("file")
    try:
        if file is None:
            raise unreadable("no_file", code="no_file")
        return _answer(request, context | _shown(request, file))
    except Refused as error:
        return _answer(request, context | {"refused": str(error)}, error.http_status)


def _answer(request: HttpRequest, context: dict[str, object], status: int = 200) -> HttpResponse:
    """Render a page that no cache keeps, that of the browser included."""
    response = render(request, "replays/watch/any_file/any_file.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _shown(request: HttpRequest, file: UploadedFile[bytes]) -> dict[str, object]:
    data = file.read()
    found = watched_file(data)
    replay = found.replay
    return {
        **film_alone(request, found),
        "file_name": shown_name(file.name or ""),
        "level": level_text(replay.level),
        "board_text": board_text(found.facts),
        "findings": finding_sentences(replay.findings),
        "number_parts": _numbers(replay),
        "file_data": {"name": file.name, "bytes": b64encode(data).decode()},
    }


def _numbers(replay: Replay) -> list[dict[str, object]]:
    """Return every statistic that the file decides, what is counted and what follows from it, by group."""
    parts = {
        _("Basic data"): tuple(row for row in STORED if row.kind is StatKind.BASE),
        _("Derived data"): tuple(row for row in STORED if row.kind is StatKind.DERIVED),
    }
    return [
        {
            "title": title,
            "groups": [
                {
                    "title": group.title,
                    "numbers": [{"row": row, "value": replay.statistic(row.name)} for row in group.rows],
                }
                for group in grouped(rows)
            ],
        }
        for title, rows in parts.items()
    ]
