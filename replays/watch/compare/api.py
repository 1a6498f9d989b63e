from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.http import Http404, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.recording import digest
from players.web.api import PublicView, read_query
from players.web.parameters import query_of
from replays.models import Replay
from replays.watch.compare.parameters import FIRST, SECOND
from replays.watch.compare.picks import picked
from replays.watch.compare.selectors import compare
from replays.watch.compare.serializers import ComparisonSerializer, comparison_values
from replays.watch.film.selectors import film_version, watched_replay
from replays.watch.film.services import FILM_LIMIT, count_film

CompareQuery: Final = query_of(replace(FIRST, required=True), replace(SECOND, required=True))


class CompareView(PublicView):
    """Two replays compared."""

    names_something = True
    needs_kernels = True
    rate_limits = {"GET": (FILM_LIMIT,)}

    @extend_schema(operation_id="compare", parameters=[CompareQuery], responses={200: ComparisonSerializer})
    def get(self, request: Request) -> HttpResponseBase:
        """Compare two replays.

        Their numbers with the differences, and who was ahead at equal progress.
        """
        values = read_query(CompareQuery, request)
        first, b = watched_replay(values["a"]), values["b"]
        number = picked(first, b) if isinstance(b, str) else b
        if number is None:
            raise Http404(_("This game doesn't exist."))
        second = watched_replay(number)
        etag = quote_etag(digest(repr((_known(first), _known(second))).encode())[:32])
        response: HttpResponseBase | None = get_conditional_response(request._request, etag=etag)
        if response is None:
            count_film(request, 2)
            response = Response(ComparisonSerializer(comparison_values(compare(first, second))).data)
        response["ETag"] = etag
        return response


def _known(replay: Replay) -> tuple[object, ...]:
    """Return all that an answer about ``replay`` depends on, without its film."""
    rows = (replay, replay.player) if replay.player else (replay,)
    return film_version(replay), [
        row.serializable_value(one.attname) for row in rows for one in row._meta.concrete_fields
    ]
