"""The REST interface of the probability tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.core.exceptions import SuspiciousOperation
from django.urls import reverse
from django.utils.cache import patch_cache_control
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import PublicView
from players.web.rate_limits import visitor_of
from replays.positions.positions import Flags
from replays.positions.refusal import Refusal, encodable
from replays.positions.results import evaluate
from replays.positions.serializers import (
    PositionAnswerSerializer,
    PositionProblemSerializer,
    PositionSerializer,
    query_in,
    result_values,
    rows_in_query,
)
from replays.positions.throttles import PositionThrottle

_CACHED_SECONDS = 3600

_PROBLEM = OpenApiResponse(PositionProblemSerializer)
_RESPONSES = {
    200: PositionAnswerSerializer,
    400: OpenApiResponse(PositionProblemSerializer, "It is no position; the sentence names the place."),
    413: _PROBLEM,
    422: OpenApiResponse(PositionProblemSerializer, "An impossible position, with the numbers that contradict each other; or one that takes too long (too_wide, too_hard)."),
    429: OpenApiResponse(description="Too many positions, or too much computing, in a while."),
    503: OpenApiResponse(PositionProblemSerializer, "Many positions are being computed; Retry-After says when to try again."),
}  # fmt: skip


class ProbabilityView(PublicView):
    """Exact mine probabilities, for anyone."""

    permission_classes = [AllowAny]
    token_scopes = {"POST": Scope.READ}  # it changes nothing
    parser_classes = [JSONParser]
    throttle_classes = [PositionThrottle]

    def handle_exception(self, exc: Exception) -> Response:
        """All errors of a request give the same form of response."""
        if isinstance(exc, Refusal):
            return refused_response(exc)
        if isinstance(exc, UnsupportedMediaType):
            return refused_response(Refusal("bad_request", http_status=status.HTTP_415_UNSUPPORTED_MEDIA_TYPE))
        if isinstance(exc, ParseError | SuspiciousOperation | RecursionError):  # the last: JSON nested too deeply
            return refused_response(Refusal("bad_request"))
        return super().handle_exception(exc)

    @extend_schema(operation_id="probability", request=PositionSerializer, responses=_RESPONSES)
    def post(self, request: Request) -> Response:
        """Evaluate a position: mine probabilities, layouts, certain cells, reasons, and on request the solver's advice."""
        return self._evaluate(request, request.data)

    @extend_schema(
        operation_id="probability_link",
        parameters=[
            OpenApiParameter("position", str, required=True, description="The rows with slashes between."),
            OpenApiParameter("mines", int, description="Of the whole board; or density."),
            OpenApiParameter("density", float, description="Mines a cell."),
            OpenApiParameter("flags", str, enum=[flags.value for flags in Flags]),
            OpenApiParameter("advice", bool),
        ],
        responses=_RESPONSES,
    )
    def get(self, request: Request) -> Response:
        """The same by a link, which caches may store."""
        response = self._evaluate(request, rows_in_query(request.query_params.dict()))
        # Private, since the texts are in the language of the account.
        patch_cache_control(response, private=True, max_age=_CACHED_SECONDS)
        return response

    def _evaluate(self, request: Request, values: object) -> Response:
        given = PositionSerializer(data=values)
        if not given.is_valid():
            raise_invalid(given.errors)
        query = query_in(given.validated_data)
        found = evaluate(query, advice=given.validated_data["advice"], visitor=visitor_of(request))
        link = request.build_absolute_uri(f"{reverse('tool-probability')}?{query.parameters}")
        return Response(PositionAnswerSerializer(result_values(found, link)).data)


class InvalidFields(Refusal):
    """Fields that are missing or cannot be read."""

    def __init__(self, problems: dict[str, list[str]]) -> None:
        super().__init__("bad_request")
        self.problems = problems


def raise_invalid(errors: Mapping[str, Iterable[object]]) -> None:
    """Raise a refusal with the errors of a serializer."""
    raise InvalidFields({str(field): _flat(found) for field, found in errors.items()})


def _flat(found: Iterable[object]) -> list[str]:
    """The messages of a field; those of list items with their indexes."""
    if isinstance(found, dict):
        return [f"{index}: {text}" for index, inner in found.items() for text in _flat(inner)]
    return [encodable(str(text)) for text in found]


def refused_response(refusal: Refusal) -> Response:
    """The error response of ``refusal``."""
    body: dict[str, object] = {"code": refusal.code, "message": refusal.sentence}
    if refusal.cells:
        body["cells"] = [list(cell) for cell in refusal.cells]
    if isinstance(refusal, InvalidFields):
        body["message"] = " ".join(f"{field}: {text}" for field, texts in refusal.problems.items() for text in texts)
        body["problems"] = refusal.problems
    response = Response(body, status=refusal.http_status)
    if "seconds" in refusal.values:
        response["Retry-After"] = str(refusal.values["seconds"])
    return response
