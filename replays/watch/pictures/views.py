"""The addresses of pictures.  They are the same for everybody, so neither looks at the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.web.problems import Refused
from players.web.rate_limits import client_address
from replays.watch.pictures.selectors import card, card_tag, moment, moment_tag, pictured_replay
from replays.watch.pictures.tags import moment_ms

_KEPT: Final = "public, max-age=86400"


@require_safe
def replay_card(request: HttpRequest, pk: int) -> HttpResponseBase:
    replay = pictured_replay(pk)
    return _picture(request, card_tag(replay), lambda: card(replay, client_address(request)))


@require_safe
def replay_frame(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The board of a replay ``t`` seconds after the opening; without ``t`` at the end."""
    replay = pictured_replay(pk)
    asked = request.GET.get("t", "").strip()
    time_ms = moment_ms(asked) if asked else None
    if asked and time_ms is None:
        raise Refused("bad_parameter", _("Enter t in seconds (62.5) or in minutes and seconds (1:02.5)."))
    return _picture(request, moment_tag(replay, time_ms), lambda: moment(replay, time_ms, client_address(request)))


def _picture(request: HttpRequest, tag: str, make: Callable[[], bytes]) -> HttpResponseBase:
    etag = quote_etag(tag)
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(make(), content_type="image/png")
    response["ETag"] = etag
    response["Cache-Control"] = _KEPT
    return response
