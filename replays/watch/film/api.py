from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Final

import orjson
from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.zini import KINDS
from players.tokens.scopes import Scope
from players.web.api import PublicView, Values
from players.web.parameters import choice
from players.web.parsers import JsonParser
from players.web.problems import Refused
from players.web.users import required_user
from replays.models import Replay
from replays.models.kept import KeptResult, take
from replays.watch.film.selectors import (
    film_of_replay,
    film_version,
    odds_of_replay,
    odds_version,
    route_of_replay,
    watched_replay,
)
from replays.watch.film.serializers import (
    FilmSerializer,
    OddsSerializer,
    RouteSerializer,
    ViewerSettingsSerializer,
    film_values,
    odds_values,
    route_values,
)
from replays.watch.film.services import FILM_LIMIT, count_film, store_viewer_settings

#: The longest column that is given as JSON; the longest of a real replay has 77,111 values.
MAX_ROWS: Final = 200_000
_FAST: Final = 1  # level of gzip


class FilmView(PublicView):
    """The film of one replay."""

    rate_limits = {"GET": (FILM_LIMIT,)}
    needs_kernels = True

    @extend_schema(operation_id="replays_film", responses={200: FilmSerializer})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Return a replay event by event.

        The cursor, every act with its counters, and the faces that it changed: what the viewer plays.
        """
        replay = watched_replay(pk)
        etag = f"{film_version(replay)}-{replay.sha256[:16]}-json"

        def make() -> tuple[Values, bool]:
            film = film_of_replay(replay)
            _check_rows(len(film.events), len(film.cells))
            return film_values(film), True

        return _json(request, replay, "film", etag, make)


class OddsView(PublicView):
    """The odds of one replay."""

    rate_limits = {"GET": (FILM_LIMIT,)}
    needs_kernels = True

    @extend_schema(operation_id="replays_odds", responses={200: OddsSerializer})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Return the mine chances of a replay over time.

        Of closed cells at every moment of the game, flags being no evidence.
        """
        replay = watched_replay(pk)

        def make() -> tuple[Values, bool]:
            pack = odds_of_replay(replay)
            _check_rows(len(pack.cells))
            return odds_values(pack), pack.is_complete

        return _json(request, replay, "odds", f"{odds_version(replay)}-{replay.sha256[:16]}-json", make)


class RouteView(PublicView):
    """The clicks of a ZiNi on the board of one replay."""

    query = {"GET": (choice("kind", KINDS, default=KINDS[0], description="Which ZiNi."),)}
    needs_kernels = True
    rate_limits = {"GET": (FILM_LIMIT,)}

    @extend_schema(operation_id="replays_route", responses={200: RouteSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return the ZiNi route of a replay's board.

        The clicks of the solution whose number is the ZiNi, in order.
        """
        kind = self.params["kind"]
        replay = watched_replay(pk)
        count_film(request)
        columns = replay.board_object().mines.shape[1]
        return Response(RouteSerializer(route_values(kind, route_of_replay(replay, kind), columns)).data)


class ViewerSettingsView(PublicView):
    """The settings of the viewer, which the account keeps."""

    body = {"PUT": ViewerSettingsSerializer}
    permission_classes = [IsAuthenticated]
    parser_classes = [JsonParser]
    token_scopes = {"PUT": Scope.UPLOAD}

    @extend_schema(operation_id="viewer_settings_store", responses={200: ViewerSettingsSerializer})
    def put(self, request: Request) -> Response:
        """Store your settings of the viewer.

        In place of those that the account has.
        """
        user = required_user(request)
        store_viewer_settings(user, dict(self.given))
        return Response(user.viewer_settings)


def _check_rows(*numbers: int) -> None:
    """Refuse columns that would be tens of megabytes of JSON."""
    if max(numbers) > MAX_ROWS:
        message = _("Each column of this replay has %(rows)s values; JSON responses have at most %(limit)s.")
        raise Refused("film_too_large", message % {"rows": max(numbers), "limit": MAX_ROWS})


def _json(
    request: Request, replay: Replay, kind: str, tag: str, make: Callable[[], tuple[Values, bool]]
) -> HttpResponseBase:
    """The values of ``make``, or 304.  They come with whether another request would get the same."""
    etag = quote_etag(tag)
    response: HttpResponseBase | None = get_conditional_response(request._request, etag=etag)
    is_final = True
    if response is None:
        count_film(request)

        def packed() -> KeptResult:
            values, is_final = make()
            data = orjson.dumps(values, option=orjson.OPT_SERIALIZE_NUMPY)
            return KeptResult(gzip.compress(data, _FAST, mtime=0), is_final)

        made = take(replay.sha256, f"{kind}-json", packed)
        is_final = made.is_final
        response = HttpResponse(gzip.decompress(made.data), content_type="application/json")
    if is_final:
        response["ETag"] = etag
    return response
