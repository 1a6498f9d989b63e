"""The base view of the API, its parameters and its error responses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.db.keyset import BadCursor, Page
from players.models import Player
from players.web.disk import StorageFull, is_full
from players.web.errors import MERGED_CACHE, GettingReady, PlayerMerged, Problem, UnknownAddress, survivor_address
from players.web.parameters import BadParameter, Parsed, QuerySerializer

T = TypeVar("T")
#: What a serializer reads where no class holds it: the value of each field by name.
Values: TypeAlias = dict[str, object]


class ProblemSerializer(serializers.Serializer[Values]):
    """Why a request was refused: a stable code, and a message."""

    code = serializers.CharField()
    message = serializers.CharField()


class BadParameterSerializer(ProblemSerializer):
    """Which parameters cannot be read."""

    errors = serializers.DictField(  # type: ignore[assignment]  # declared fields are no attributes
        child=serializers.CharField(), help_text="What is wrong, by parameter."
    )


class ValueSerializer(serializers.Serializer[Values]):
    """A result that one replay achieved."""

    value = serializers.FloatField(help_text="Exact.")
    text = serializers.CharField(help_text="Rounded half up, as pages show it; times count from 0.")
    replay = serializers.IntegerField(allow_null=True, help_text="Number of the replay; null for sums.")


PROBLEM = OpenApiResponse(ProblemSerializer)


def problem(code: str, message: object, http_status: int = status.HTTP_400_BAD_REQUEST) -> Response:
    """An error response."""
    return Response({"code": code, "message": str(message)}, status=http_status)


class PublicView(APIView):
    """A view that needs no account; errors of the client give a :class:`ProblemSerializer`."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, UnknownAddress):
            return problem("unknown_board", exc, status.HTTP_404_NOT_FOUND)
        if isinstance(exc, Player.DoesNotExist):
            return problem("not_found", _("There is no such player."), status.HTTP_404_NOT_FOUND)
        if isinstance(exc, PlayerMerged):
            where = survivor_address(self.request, exc.survivor_id)
            moved = problem(
                "player_merged", _("This player has another number now."), status.HTTP_301_MOVED_PERMANENTLY
            )
            moved["Location"], moved["Cache-Control"] = where, MERGED_CACHE
            return moved
        if isinstance(exc, Http404):
            return problem("not_found", str(exc) or _("There is nothing at this address."), status.HTTP_404_NOT_FOUND)
        if isinstance(exc, BadCursor):
            return problem("bad_cursor", exc)
        if isinstance(exc, BadParameter):
            values: Values = {"code": "bad_parameter", "message": str(exc), "errors": exc.errors}
            return Response(BadParameterSerializer(values).data, status=status.HTTP_400_BAD_REQUEST)
        if is_full(exc):
            exc = StorageFull()
        if isinstance(exc, Problem):
            answer = problem(exc.code, exc, exc.http_status)
            if exc.retry_seconds is not None:
                answer["Retry-After"] = str(exc.retry_seconds)
            return answer
        if isinstance(exc, GettingReady):
            answer = problem("getting_ready", _("The site is getting ready. Try again soon."), 503)
            answer["Retry-After"] = str(exc.retry_seconds)
            return answer
        return super().handle_exception(exc)


def read_query(query: type[QuerySerializer], request: Request) -> Parsed:
    """The parameters of ``request``; raises ``BadParameter``."""
    return query(data=request.query_params.dict()).values()


def page_values(page: Page[T], rows: Sequence[object]) -> Values:
    """The values of every page serializer: ``rows`` and the cursors of ``page``."""
    return {"rows": rows, "next_cursor": page.next_cursor, "previous_cursor": page.previous_cursor}
