from __future__ import annotations

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

from analysis import limits
from players.web.api import ProblemSerializer, PublicView
from players.web.json_bodies import refuse_unknown
from players.web.parameters import Parameter, ids
from players.web.problems import CONTENT_TYPE, Refused
from players.web.users import signed_in_user
from replays.upload.batches.selectors import BATCH_FIELD
from replays.upload.intake.permissions import may_upload, sender_of
from replays.upload.intake.receipts import Outcome
from replays.upload.intake.selectors import MAX_STATUSES, upload_statuses
from replays.upload.intake.serializers import (
    ReceiptsSerializer,
    StatusesSerializer,
    UploadProblemSerializer,
    UploadSerializer,
)
from replays.upload.intake.services import receive_upload, upload_refused

_FILE_FIELDS: Final = ("file", "files")
#: Refused files that the detail of a problem names; all are among the receipts.
_NAMED_FILES: Final = 3
_IDS: Final[Parameter[list[int]]] = ids(
    "ids", most=MAX_STATUSES, description="Numbers of replays, with commas between."
)

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
        return may_upload(request.user)


def parse_error(error: Exception) -> Exception:
    """The refusal that an error of Django's parsers means; any other error as it is."""
    if isinstance(error, RequestDataTooBig):
        return upload_refused("body_too_large", settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    if isinstance(error, TooManyFilesSent):
        return upload_refused("too_many_files", limits.UPLOAD_MAX_FILES)
    if isinstance(error, SuspiciousOperation | MultiPartParserError | ParseError):
        return upload_refused("bad_request")
    return error


def upload(request: Request) -> Response:
    """Receive the files of ``request``: 202 if any is new, 200 if there are only duplicates.

    Raises a problem if every file was refused.
    """
    sender = sender_of(request)
    refuse_unknown([*request.POST, *request.FILES], (*_FILE_FIELDS, BATCH_FIELD))
    sent = [file for name in _FILE_FIELDS for file in request.FILES.getlist(name)]
    receipts = receive_upload(sent, sender, request.POST.get(BATCH_FIELD, ""))
    values = ReceiptsSerializer({"receipts": receipts}).data
    outcomes = {receipt.outcome for receipt in receipts}
    if outcomes == {Outcome.REFUSED}:
        detail = " ".join(f"{receipt.name}: {receipt.message}" for receipt in receipts[:_NAMED_FILES])
        raise Refused("files_refused", detail, more=values)
    return Response(values, status=status.HTTP_202_ACCEPTED if Outcome.STORED in outcomes else status.HTTP_200_OK)


class ReplayStatusView(PublicView):
    """The statuses of uploads."""

    query = {"GET": (replace(_IDS, required=True),)}

    @extend_schema(operation_id="replays_status", responses={200: StatusesSerializer})
    def get(self, request: Request) -> Response:
        """Return the status of uploads.

        Of each of the given replays that the visitor may see.
        """
        wanted = self.params["ids"]
        return Response(StatusesSerializer({"rows": upload_statuses(wanted, signed_in_user(request))}).data)
