from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from players.leaderboards.pages.board_texts import level_text
from players.web.links import absolute_address
from replays.browse.lists.replay_page import board_drawing, replay_title
from replays.upload.kernels import require_kernels
from replays.watch.film.counters import shown_labels
from replays.watch.film.film_texts import film_data
from replays.watch.film.selectors import watched_replay


@require_safe
@xframe_options_exempt
def embed(request: HttpRequest, pk: int) -> HttpResponse:
    """The viewer without cookies, forms, or anything that belongs to a visitor; with ``?anonymous=1`` it names no player."""
    # The language of the browser, and not of a cookie: what is sent may be stored for others.
    request.COOKIES.clear()
    translation.activate(translation.get_language_from_request(request))
    try:
        found = watched_replay(pk)
    except Http404 as error:
        # Without the request no template can ask who the visitor is.
        response = render(None, "replays/embed_missing.html", {"reason": str(error)}, status=404)
    else:
        require_kernels("analysis")
        drawing, _text = board_drawing(found)
        context = {
            "replay": found,
            "title": level_text(found.level) if request.GET.get("anonymous") == "1" else replay_title(found),
            "address": absolute_address(found.get_absolute_url()),
            "drawing": drawing,
            "embedded": True,
            "film_data": film_data(found, from_one=False),
            "film_rows": shown_labels(None),
        }
        response = render(None, "replays/embed.html", context)
        response["Cache-Control"] = "public, max-age=300"
    response["X-Robots-Tag"] = "noindex"
    return response
