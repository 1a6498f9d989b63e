from __future__ import annotations

from typing import Final

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import ProblemSerializer, PublicView, Values
from players.web.links import absolute_address
from players.web.parameters import Parameter, boolean, choice, integer, parse_finite
from players.web.parsers import JsonParser
from players.web.problems import CONTENT_TYPE
from players.web.rate_limits import visitor_of
from replays.odds.positions.budget import POSITION_LIMITS, conditional, count_position, query_tag
from replays.odds.positions.positions import MAX_CELLS, Flags
from replays.odds.positions.results import evaluate
from replays.odds.positions.serializers import (
    FLAGS_HELP,
    PositionAnswerSerializer,
    PositionProblemSerializer,
    PositionSerializer,
    query_in,
    result_values,
    rows_in_query,
)

POSITION_PROBLEMS = {
    (400, CONTENT_TYPE): OpenApiResponse(PositionProblemSerializer, "It is no position; the detail names the place."),
    (422, CONTENT_TYPE): OpenApiResponse(PositionProblemSerializer, "An impossible position, with the numbers that contradict each other; or one that takes too long (too_wide, too_hard)."),
    (429, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Too many positions, or too much computing, in a while."),
    (503, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Many positions are being computed, or the site is getting ready; Retry-After says when to try again."),
}  # fmt: skip
#: The parameters of a link.  The rows may be divided by slashes or by line breaks.
LINK_QUERY: Final = (
    Parameter("position", str, "", {"type": "string", "minLength": 1}, "The rows with slashes between.", required=True),
    integer("mines", least=0, most=MAX_CELLS, description="Of the whole board; or density."),
    Parameter("density", parse_finite, None, {"type": "number", "minimum": 0, "maximum": 1}, "Mines a cell."),
    choice("flags", [flags.value for flags in Flags], default=Flags.TRUSTED.value, description=FLAGS_HELP),
    boolean("advice", description="Also return what the solver would open."),
)  # fmt: skip


class CalculatingView(PublicView):
    """A view of a tool, for anyone: its requests are counted like positions, and what is refused is a problem."""

    permission_classes = [AllowAny]
    token_scopes = {"POST": Scope.READ}  # it changes nothing
    parser_classes = [JsonParser]
    rate_limits = {"GET": POSITION_LIMITS, "POST": POSITION_LIMITS}
    needs_kernels = True


class ProbabilityView(CalculatingView):
    """Exact mine probabilities."""

    query = {"GET": LINK_QUERY}
    body = {"POST": PositionSerializer}

    @extend_schema(operation_id="probability", responses={200: PositionAnswerSerializer, **POSITION_PROBLEMS})
    def post(self, request: Request) -> Response:
        """Compute the mine probabilities of a position.

        With the number of layouts, certain cells and their reasons, and the solver's advice on request.
        """
        count_position(request)
        return _evaluated(request, self.given)

    @extend_schema(operation_id="probability_link", responses={200: PositionAnswerSerializer, **POSITION_PROBLEMS})
    def get(self, request: Request) -> HttpResponseBase:
        """Compute the mine probabilities of a position in a link.

        The same as POST, by a link, which caches may store.
        """

        def make() -> Response:
            body = PositionSerializer(data=rows_in_query(self.params))
            body.is_valid(raise_exception=True)
            return _evaluated(request, body.validated_data)

        return conditional(request, query_tag(request, "probability"), make)


def _evaluated(request: Request, given: Values) -> Response:
    query = query_in(given)
    found = evaluate(query, advice=bool(given["advice"]), visitor=visitor_of(request))
    link = absolute_address(f"{reverse('tool-probability')}?{query.parameters}")
    return Response(PositionAnswerSerializer(result_values(found, link)).data)
