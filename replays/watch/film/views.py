"""Views of the data that the viewer loads: film, odds, route and formulas.

None of these views looks at the session: what they send is the same for everybody.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.middleware.gzip import re_accepts_gzip
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.formulas import BadFormula
from analysis.zini import KINDS
from players.web.problems import Refused
from replays.models import Replay
from replays.models.kept import KeptResult
from replays.watch.film.counters import own_formula, refusal_text
from replays.watch.film.selectors import (
    film_version,
    odds_version,
    packed_film,
    packed_odds,
    route_of_replay,
    watched_replay,
)
from replays.watch.film.services import count_film

_FOR_EVER: Final = "private, max-age=31536000, immutable"


@require_safe
def film(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Send bytes that never change at the address with their version."""
    count_film(request)
    replay = watched_replay(pk)
    return _packed(request, replay, film_version(replay), packed_film)


@require_safe
def odds(request: HttpRequest, pk: int) -> HttpResponseBase:
    count_film(request)
    replay = watched_replay(pk)
    return _packed(request, replay, odds_version(replay), packed_odds)


def _packed(
    request: HttpRequest, replay: Replay, version: str, make: Callable[[Replay], KeptResult]
) -> HttpResponseBase:
    """The bytes of ``make``; 304 if the client has them; a redirect to the right version from any other."""
    if request.GET.get("v") != version:
        moved = HttpResponseRedirect(f"{request.path}?{urlencode({'v': version})}")
        moved["Cache-Control"] = "private, no-cache"
        return moved
    zipped = re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")) is not None
    # The same game in another file may have other moves.
    etag = quote_etag(f"{version}-{replay.sha256[:16]}{'-gzip' if zipped else ''}")
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    is_final = True
    if response is None:
        packed = make(replay)
        is_final = packed.is_final
        data = packed.data if zipped else gzip.decompress(packed.data)
        response = HttpResponse(data, content_type="application/octet-stream")
        if zipped:
            response["Content-Encoding"] = "gzip"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = _FOR_EVER if is_final else "private, max-age=60"
    if is_final:
        response["ETag"] = etag
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


@require_safe
def route(request: HttpRequest, pk: int) -> HttpResponseBase:
    """``kind`` is the name of a ZiNi."""
    count_film(request)
    replay = watched_replay(pk)
    kind = request.GET.get("kind", KINDS[0])
    if kind not in KINDS:
        raise Refused("bad_parameter", _("This kind of ZiNi doesn't exist."))
    etag = quote_etag(f"{film_version(replay)}-{kind}")
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if response is None:
        response = JsonResponse({"kind": kind, "steps": [asdict(step) for step in route_of_replay(replay, kind)]})
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
def formula(request: HttpRequest) -> HttpResponseBase:
    """Answer 400 with the reason if ``text`` is no formula (``analysis.formulas``)."""
    count_film(request)
    try:
        found = own_formula(request.GET.get("text", ""))
    except BadFormula as error:
        return JsonResponse({"reason": refusal_text(error)}, status=400)
    response = JsonResponse({"tree": found})
    response["Cache-Control"] = "private, max-age=3600"
    return response
