from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView, read_query
from players.web.parameters import query_of
from replays.watch.compare.parameters import FIRST, SECOND
from replays.watch.compare.picks import picked
from replays.watch.compare.selectors import compare
from replays.watch.compare.serializers import ComparisonSerializer, comparison_values
from replays.watch.film.selectors import watched_replay
from replays.watch.film.services import count_film

CompareQuery: Final = query_of(replace(FIRST, required=True), replace(SECOND, required=True))


class CompareView(PublicView):
    """Two replays compared."""

    names_something = True
    needs_kernels = True

    @extend_schema(operation_id="compare", parameters=[CompareQuery], responses={200: ComparisonSerializer})
    def get(self, request: Request) -> Response:
        """Compare two replays.

        Their numbers with the differences, and who was ahead at equal progress.
        """
        values = read_query(CompareQuery, request)
        first, b = watched_replay(values["a"]), values["b"]
        number = picked(first, b) if isinstance(b, str) else b
        if number is None:
            raise Http404(_("There is no such game."))
        second = watched_replay(number)
        count_film(request, 2)
        return Response(ComparisonSerializer(comparison_values(compare(first, second))).data)
