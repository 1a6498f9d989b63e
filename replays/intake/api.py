"""The REST interface of uploads and their statuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.http.multipartparser import MultiPartParserError
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import ParseError
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.web.api import PROBLEM, ProblemSerializer, PublicView, problem, read_query
from players.web.parameters import Parameter, ids, query_of
from players.web.users import signed_in_user
from replays.intake.permissions import check_stored, uploads_allowed
from replays.intake.receipts import Outcome, Receipt
from replays.intake.selectors import MAX_STATUSES, upload_statuses
from replays.intake.serializers import ReceiptsSerializer, StatusesSerializer, UploadSerializer
from replays.intake.services import receive_many
from replays.reasons import sentence

_FILE_FIELDS: Final = ("file", "files")
_TOO_LARGE: Final = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
_IDS: Final[Parameter[list[int]]] = ids(
    "ids", most=MAX_STATUSES, description="Numbers of replays, with commas between."
)
#: The parameters of upload statuses.
StatusQuery = query_of(_IDS)

#: The request and the responses of the upload, for ``extend_schema``.
UPLOAD_REQUEST: Final = {"multipart/form-data": UploadSerializer}
UPLOAD_RESPONSES: Final = {
    200: OpenApiResponse(ReceiptsSerializer, "Nothing new: every file was here before."),
    202: OpenApiResponse(ReceiptsSerializer, "At least one file is new; its analysis is queued."),
    400: OpenApiResponse(ReceiptsSerializer, "Every file was refused, or the request as a whole."),
    413: PROBLEM,
    429: OpenApiResponse(ProblemSerializer, "The quota of the day is used up; Retry-After says when the next begins."),
    507: OpenApiResponse(ProblemSerializer, "The site has no room for uploads."),
}


class MayUpload(IsAuthenticatedOrReadOnly):
    """Anyone may read; uploads need an account, unless ``ANONYMOUS_UPLOADS`` is set."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return settings.ANONYMOUS_UPLOADS or super().has_permission(request, view)


def refusal(code: str, http_status: int = status.HTTP_400_BAD_REQUEST, **params: object) -> Response:
    """The response to an upload that is refused as a whole."""
    return problem(code, sentence(code, params), http_status)


def parse_problem(error: Exception) -> Response | None:
    """The response to an error of parsing a request; None for any other error."""
    if isinstance(error, RequestDataTooBig):
        return refusal("body_too_large", _TOO_LARGE, limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    if isinstance(error, TooManyFilesSent):
        return refusal("too_many_files", limit=settings.UPLOAD_MAX_FILES)
    if isinstance(error, SuspiciousOperation | MultiPartParserError | ParseError):
        return refusal("bad_request")
    return None


def upload(request: Request) -> Response:
    """Receive the files of ``request``.  Raises ``QuotaExceeded`` or ``StorageFull``."""
    quota = uploads_allowed(request)
    sent = [file for name in _FILE_FIELDS for file in request.FILES.getlist(name)]
    if not sent:
        return refusal("no_file")
    if len(sent) > settings.UPLOAD_MAX_FILES:
        return refusal("too_many_files", limit=settings.UPLOAD_MAX_FILES)
    receipts = receive_many(sent, uploader=signed_in_user(request), quota=quota)
    check_stored(receipts, quota)
    return Response(ReceiptsSerializer({"receipts": receipts}).data, status=_status(receipts))


def _status(receipts: Sequence[Receipt]) -> int:
    """202 if any file is new, 200 if there are only duplicates, 400 if every file was refused."""
    outcomes = {receipt.outcome for receipt in receipts}
    if Outcome.STORED in outcomes:
        return status.HTTP_202_ACCEPTED
    return status.HTTP_200_OK if Outcome.DUPLICATE in outcomes else status.HTTP_400_BAD_REQUEST


class ReplayStatusView(PublicView):
    """The statuses of uploads."""

    @extend_schema(
        operation_id="replays_status",
        parameters=[StatusQuery],
        responses={200: StatusesSerializer, 400: PROBLEM},
    )
    def get(self, request: Request) -> Response:
        """The status of each of the given replays that the visitor may see."""
        ids = read_query(StatusQuery, request)["ids"]
        if not ids:
            return refusal("bad_ids")
        return Response(StatusesSerializer({"rows": upload_statuses(ids, signed_in_user(request))}).data)
