from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.http.multipartparser import MultiPartParserError
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import ParseError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.web.api import ApiError, ProblemSerializer, PublicView, read_query
from players.web.parameters import Parameter, ids, query_of
from players.web.problems import CONTENT_TYPE, ProblemDetails
from players.web.users import signed_in_user
from replays.trust.reasons import sentence
from replays.upload.batches.receiving import named_batch, note_received
from replays.upload.intake.permissions import check_stored, uploads_allowed
from replays.upload.intake.receipts import Outcome, Receipt
from replays.upload.intake.selectors import MAX_STATUSES, upload_statuses
from replays.upload.intake.serializers import (
    ReceiptsSerializer,
    StatusesSerializer,
    UploadProblemSerializer,
    UploadSerializer,
)
from replays.upload.intake.services import receive_many

_FILE_FIELDS: Final = ("file", "files")
#: Refused files that the detail of a problem names; all are among the receipts.
_NAMED_FILES: Final = 3
_IDS: Final[Parameter[list[int]]] = ids(
    "ids", most=MAX_STATUSES, description="Numbers of replays, with commas between."
)
StatusQuery = query_of(replace(_IDS, required=True))

UPLOAD_REQUEST: Final = {"multipart/form-data": UploadSerializer}
UPLOAD_RESPONSES: Final = {
    200: OpenApiResponse(ReceiptsSerializer, "Nothing new: every file was here before."),
    202: OpenApiResponse(ReceiptsSerializer, "At least one file is new; its analysis is queued."),
    (400, CONTENT_TYPE): OpenApiResponse(UploadProblemSerializer, "Every file was refused, or the request as a whole."),
    (429, CONTENT_TYPE): OpenApiResponse(
        ProblemSerializer, "The quota of the account or the address is used up; Retry-After says when the next begins."
    ),
    (507, CONTENT_TYPE): OpenApiResponse(
        ProblemSerializer, "The site has no room for uploads, or stores no more in this hour."
    ),
}


class MayUpload(IsAuthenticated):
    """Uploads need an account, unless ``ANONYMOUS_UPLOADS`` is set."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return settings.ANONYMOUS_UPLOADS or super().has_permission(request, view)


def refusal(code: str, **params: object) -> ApiError:
    """The error of an upload that is refused as a whole."""
    return ApiError(ProblemDetails(code, sentence(code, params)))


def parse_error(error: Exception) -> Exception:
    """The refusal that an error of Django's parsers means; any other error as it is."""
    if isinstance(error, RequestDataTooBig):
        return refusal("body_too_large", limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    if isinstance(error, TooManyFilesSent):
        return refusal("too_many_files", limit=settings.UPLOAD_MAX_FILES)
    if isinstance(error, SuspiciousOperation | MultiPartParserError | ParseError):
        return refusal("bad_request")
    return error


def upload(request: Request) -> Response:
    """Receive the files of ``request``.  Raises ``QuotaExceeded`` or ``StorageFull``."""
    quota = uploads_allowed(request)
    sent = [file for name in _FILE_FIELDS for file in request.FILES.getlist(name)]
    if not sent:
        raise refusal("no_file")
    if len(sent) > settings.UPLOAD_MAX_FILES:
        raise refusal("too_many_files", limit=settings.UPLOAD_MAX_FILES)
    receipts = receive_many(sent, uploader=signed_in_user(request), quota=quota)
    note_received(named_batch(request), receipts)
    check_stored(receipts, quota)
    return _response(receipts)


def _response(receipts: Sequence[Receipt]) -> Response:
    """202 if any file is new, 200 if there are only duplicates, a problem if every file was refused."""
    values = ReceiptsSerializer({"receipts": receipts}).data
    outcomes = {receipt.outcome for receipt in receipts}
    if outcomes == {Outcome.REFUSED}:
        detail = " ".join(f"{receipt.name}: {receipt.message}" for receipt in receipts[:_NAMED_FILES])
        raise ApiError(ProblemDetails("files_refused", detail, more=values))
    return Response(values, status=status.HTTP_202_ACCEPTED if Outcome.STORED in outcomes else status.HTTP_200_OK)


class ReplayStatusView(PublicView):
    """The statuses of uploads."""

    @extend_schema(
        operation_id="replays_status",
        parameters=[StatusQuery],
        responses={200: StatusesSerializer},
    )
    def get(self, request: Request) -> Response:
        """The status of each of the given replays that the visitor may see."""
        wanted = read_query(StatusQuery, request)["ids"]
        return Response(StatusesSerializer({"rows": upload_statuses(wanted, signed_in_user(request))}).data)
