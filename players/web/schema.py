"""The OpenAPI schema of the API: every operation declares the problems that it may answer with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import status
from rest_framework.permissions import SAFE_METHODS
from rest_framework.serializers import Serializer

from players.web.gone import gone_thing
from players.web.parameters import Parameter
from players.web.problems import CONTENT_TYPE
from players.web.rate_limits import RateLimit

#: What a status means wherever a view says nothing else about it.
_DESCRIPTIONS: Final = {
    status.HTTP_400_BAD_REQUEST: "A parameter or the body is wrong; `errors` says which.",
    status.HTTP_401_UNAUTHORIZED: "The token is not valid, or an account is needed.",
    status.HTTP_403_FORBIDDEN: "The account or the token may not do this, or the form token of a session is missing.",
    status.HTTP_404_NOT_FOUND: "What the address names does not exist, or may not be seen.",
    status.HTTP_406_NOT_ACCEPTABLE: "Accept does not take JSON.",
    status.HTTP_410_GONE: "It was deleted, or the place in the feed is too old.",
    status.HTTP_413_REQUEST_ENTITY_TOO_LARGE: "The body is too large.",
    status.HTTP_415_UNSUPPORTED_MEDIA_TYPE: "The body has another type.",
    status.HTTP_429_TOO_MANY_REQUESTS: "Above a limit of `x-rate-limits`; Retry-After tells how long to wait.",
    status.HTTP_503_SERVICE_UNAVAILABLE: "The site is getting ready; Retry-After tells how long to wait.",
}
#: Of an answer with 429; other answers that were counted have the first two.
_RATE_LIMIT_HEADERS: Final = {
    "RateLimit-Policy": {
        "description": 'The limits that counted this request, such as `"films";q=600;w=60`: 600 in 60 seconds.',
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": 'What is left of them, such as `"films";r=599;t=42`: 599 more in the next 42 seconds.',
        "schema": {"type": "string"},
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
}


class ApiSchema(AutoSchema):
    def get_summary(self) -> str:
        """The first line of the docstring."""
        return self._docstring()[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]  # the base has the signature of the framework
        """The docstring below its first line."""
        return self._docstring()[1].strip()

    def _docstring(self) -> tuple[str, str]:
        first, _newline, rest = str(super().get_description()).partition("\n")
        return first, rest

    def get_override_parameters(self) -> list[OpenApiParameter | Serializer[Any] | type[Serializer[Any]]]:
        """The ``query`` of the view."""
        query: Mapping[str, Sequence[Parameter[object]]] = getattr(self.view, "query", {})
        return [
            OpenApiParameter(one.name, dict(one.schema), required=one.required, description=one.description)
            for one in query.get(self.method, ())
        ]

    def get_request_serializer(self) -> type[Serializer[Any]] | None:
        """The ``body`` of the view."""
        body: Mapping[str, type[Serializer[Any]]] = getattr(self.view, "body", {})
        return body.get(self.method)

    def _get_parameters(self) -> list[dict[str, Any]]:
        """The parameters; an empty one of a query is the same as none."""
        parameters: list[dict[str, Any]] = super()._get_parameters()
        for parameter in parameters:
            if parameter["in"] == "query" and not parameter.get("required"):
                parameter["allowEmptyValue"] = True
        return parameters

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        from players.web.api import ProblemSerializer  # its module needs the schema class

        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for code in self._problem_statuses():
            if str(code) not in bodies:
                answer = OpenApiResponse(ProblemSerializer, _DESCRIPTIONS[code])
                bodies[str(code)] = self._get_response_for_code(  # type: ignore[no-untyped-call]
                    answer, str(code), [CONTENT_TYPE], direction
                )
        if self._rate_limits():
            bodies[str(status.HTTP_429_TOO_MANY_REQUESTS)]["headers"] = _RATE_LIMIT_HEADERS
        return dict(sorted(bodies.items()))

    def _rate_limits(self) -> Sequence[RateLimit]:
        limits: Mapping[str, Sequence[RateLimit]] = getattr(self.view, "rate_limits", {})
        return limits.get(self.method, ())

    def get_extensions(self) -> dict[str, Any]:
        """Return also the names of the limits that count an operation."""
        names = [limit.name for limit in self._rate_limits()]
        return super().get_extensions() | ({"x-rate-limits": names} if names else {})

    def _problem_statuses(self) -> Iterator[int]:
        """The statuses of the problems that this operation may answer with besides those that its view declares."""
        yield from (
            status.HTTP_400_BAD_REQUEST, status.HTTP_401_UNAUTHORIZED, status.HTTP_403_FORBIDDEN,
            status.HTTP_406_NOT_ACCEPTABLE,
        )  # fmt: skip
        if self.method not in SAFE_METHODS:
            yield from (
                status.HTTP_413_REQUEST_ENTITY_TOO_LARGE,
                status.HTTP_415_UNSUPPORTED_MEDIA_TYPE,
            )  # fmt: skip
        by_parameter = "player" in {one["name"] for one in self._get_parameters()}
        names_something = "{" in self.path or by_parameter or getattr(self.view, "names_something", False)
        if names_something:
            yield status.HTTP_404_NOT_FOUND
        if getattr(self.view, "answers_gone", False) or gone_thing(self.path):
            yield status.HTTP_410_GONE
        if self._rate_limits():
            yield status.HTTP_429_TOO_MANY_REQUESTS
        if getattr(self.view, "needs_kernels", False):
            yield status.HTTP_503_SERVICE_UNAVAILABLE
