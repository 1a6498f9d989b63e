from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.views import APIView, exception_handler

from players.db.keyset import BadCursor, Page
from players.db.text import encodable
from players.models import Player
from players.web.disk import StorageFull, is_full
from players.web.errors import MERGED_CACHE, PlayerMerged, UnknownAddress, survivor_address
from players.web.gone import is_gone
from players.web.links import address_of, replay_address
from players.web.parameters import BadParameter, NeedsAccount, Parameter, Parsed, api_values
from players.web.problems import PROBLEMS, Refused
from players.web.rate_limits import RateLimit

logger = logging.getLogger(__name__)
T = TypeVar("T")
#: What a serializer reads where no class holds it: the value of each field by name.
Values: TypeAlias = dict[str, object]


class ProblemSerializer(serializers.Serializer[Values]):
    """Reason why a request was refused (RFC 9457).  `/api/v1/docs/errors/` lists all codes."""

    type = serializers.CharField(help_text="The address of the documentation of the code.")
    title = serializers.CharField(help_text="The HTTP status in words.")
    status = serializers.IntegerField(help_text="The HTTP status.")
    detail = serializers.CharField(help_text="What is wrong with this request.")
    code = serializers.CharField(help_text="Stable, for programs; new ones may be added.")
    errors = serializers.DictField(  # type: ignore[assignment]  # DRF turns declarations into fields
        child=serializers.CharField(), required=False, help_text="What is wrong, by parameter or field."
    )


class TextField(serializers.CharField):
    """A text of a response; null where there is none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def to_representation(self, value: object) -> str | None:  # type: ignore[override]  # null, unlike its base class
        return str(value) or None


class KnownChoiceField(serializers.ChoiceField):
    """A choice that is null in the API, and "" in the table, where there is none."""

    def __init__(self, choices: Sequence[Any], **options: Any) -> None:
        super().__init__(choices, allow_null=True, **options)

    def to_representation(self, value: str) -> str | None:  # type: ignore[override]  # null, unlike its base class
        return super().to_representation(value) or None


@extend_schema_field({"type": "string", "example": "2025-12-31T23:59:58"})
class StatedTimeField(serializers.DateTimeField):
    """A datetime of a file; naive, and written without an offset, if the file names no zone.

    It has no format in the schema: a ``date-time`` has an offset.
    """

    def enforce_timezone(self, value: datetime) -> datetime:
        """Leave a naive one as it is, where Django REST framework would take it for one of the current zone."""
        return value if value.tzinfo is None else super().enforce_timezone(value)


class ReplayRefSerializer(serializers.Serializer[int]):
    """A replay that something refers to."""

    id = serializers.IntegerField(help_text="Number of the replay.")
    url = serializers.CharField(help_text="The replay in the API.")
    html_url = serializers.CharField(help_text="The page of the replay.")

    def to_representation(self, pk: int) -> Values:
        return {"id": pk, "url": address_of("api-replay", pk), "html_url": replay_address(pk)}


class ValueField(serializers.FloatField):
    """A value of a statistic: counts are whole numbers, ``5`` and not ``5.0``."""

    def to_representation(self, value: float) -> float | int:  # type: ignore[override]  # a number, unlike its stub
        return value if isinstance(value, int) else float(value)


class ValueSerializer(serializers.Serializer[Values]):
    """A result that one replay achieved."""

    value = serializers.FloatField(help_text="Exact.")
    text = serializers.CharField(help_text="Rounded half up, as pages show it; times count from 0.")
    replay = ReplayRefSerializer(allow_null=True, help_text="Null for sums.")


#: Fields that the detail of a problem names; all are among its errors.
_NAMED_FIELDS: Final = 3
#: The codes of the exceptions of the REST framework, the special ones first.
_FRAMEWORK_CODES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (exceptions.AuthenticationFailed, "bad_token"),
    (exceptions.NotAuthenticated, "not_authenticated"),
    (exceptions.PermissionDenied, "forbidden"),
    (PermissionDenied, "forbidden"),
    (exceptions.NotFound, "not_found"),
    (exceptions.MethodNotAllowed, "method_not_allowed"),
    (exceptions.NotAcceptable, "not_acceptable"),
    (exceptions.UnsupportedMediaType, "unsupported_media_type"),
    (exceptions.Throttled, "too_many_requests"),
    (exceptions.ValidationError, "bad_request"),
    (exceptions.ParseError, "bad_request"),
)


def handle_exception(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """``EXCEPTION_HANDLER`` of the REST framework: every error of a client, and of a site that is not ready.

    The response is Django's: the framework's would be written in the format that the view has negotiated.
    """
    if is_full(error):
        logger.error("The disk is full: %s", error)
        error = StorageFull()
    problem = problem_of(error)
    if problem is None:
        return None
    if problem.code == "not_found" and is_gone(context["request"]):
        problem = Refused("gone", _("This was here once, but it has been deleted."))
    framework = exception_handler(error, context)
    response = problem.response()
    for name in ("WWW-Authenticate", "Retry-After"):
        if framework is not None and framework.has_header(name):
            response[name] = framework[name]
    if isinstance(error, PlayerMerged):
        response["Location"] = survivor_address(context["request"], error.survivor_id)
        response["Cache-Control"] = MERGED_CACHE
    if isinstance(error, NeedsAccount):
        response["WWW-Authenticate"] = context["view"].get_authenticate_header(context["request"])
    return response


def problem_of(error: Exception) -> Refused | None:
    """The problem that ``error`` means; None if the fault is ours."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, UnknownAddress):
        return Refused("unknown_board", str(error))
    if isinstance(error, PlayerMerged):
        return Refused("player_merged")
    if isinstance(error, Player.DoesNotExist):
        return Refused("not_found", _("This player doesn't exist."))
    if isinstance(error, Http404):
        return Refused("not_found", str(error) or _("There's nothing at this URL."))
    if isinstance(error, BadCursor):
        return Refused("bad_cursor", _(str(error)))
    if isinstance(error, BadParameter):
        code = "not_authenticated" if isinstance(error, NeedsAccount) else "bad_parameter"
        return Refused(code, str(error), errors=error.errors)
    if isinstance(error, SuspiciousOperation):
        return Refused("bad_request")
    return _framework_problem(error)


def _framework_problem(error: Exception) -> Refused | None:
    code = next((code for kind, code in _FRAMEWORK_CODES if isinstance(error, kind)), None)
    if code is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        errors = field_errors(error.detail)
        named = " ".join(f"{name}: {text}" for name, text in list(errors.items())[:_NAMED_FIELDS])
        return Refused(code, named, errors=errors)
    detail = getattr(error, "detail", "")
    special = getattr(detail, "code", "")
    code = special if special in PROBLEMS else code
    return Refused(code, str(detail) if isinstance(detail, str) else "")


def field_errors(found: object, prefix: str = "") -> dict[str, str]:
    """The messages of a serializer's errors by field; those inside lists and objects by their path, ``rows.0``."""
    if isinstance(found, dict):
        inner = (field_errors(value, f"{prefix}.{name}" if prefix else str(name)) for name, value in found.items())
        return {name: text for one in inner for name, text in one.items()}
    texts = found if isinstance(found, list) else [found]
    return {prefix or "non_field_errors": encodable(" ".join(map(str, texts)))}


class PublicView(APIView):
    """A view that needs no account.

    ``query`` and ``body``: the parameters and the serializer of the body, by method; they are read before the view is
    called, which finds them as ``self.params`` and ``self.given``.  ``needs_kernels``: whether it answers 503 until
    compiled code is ready, for the schema.  ``rate_limits``: what its services count, by method, for the schema too.
    ``names_something``: whether it answers 404 though nothing in its path says so.
    """

    needs_kernels = False
    names_something = False
    rate_limits: ClassVar[Mapping[str, Sequence[RateLimit]]] = {}
    query: ClassVar[Mapping[str, Sequence[Parameter[Any]]]] = {}
    body: ClassVar[Mapping[str, type[serializers.Serializer[Any]]]] = {}
    params: Parsed
    given: dict[str, Any]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Refuse a method that the address does not have before anybody is asked for an account; read the request."""
        if (request.method or "").lower() not in self.http_method_names or not hasattr(
            self, str(request.method).lower()
        ):
            self.http_method_not_allowed(request)
        super().initial(request, *args, **kwargs)
        method = "GET" if request.method == "HEAD" else str(request.method)
        self.params = api_values(self.query.get(method, ()), request.query_params)
        if method in self.body:
            body = self.body[method](data=request.data)
            body.is_valid(raise_exception=True)
            self.given = body.validated_data


class PageSerializer(serializers.Serializer[Any]):
    """A page of a list, whose rows the subclass declares; a cursor is null where the list ends."""

    next_cursor = serializers.CharField(allow_null=True, help_text="`cursor` of the next page; null on the last one.")
    previous_cursor = serializers.CharField(
        allow_null=True, help_text="`cursor` of the page before; null on the first one."
    )


def page_values(page: Page[T], rows: object) -> Values:
    return {"rows": rows, "next_cursor": page.next_cursor, "previous_cursor": page.previous_cursor}
