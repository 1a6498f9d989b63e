"""The REST interface of replays: list, upload, detail, file, status."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent, ValidationError
from django.http import Http404, HttpResponseBase
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import ParseError, PermissionDenied
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from players.keyset import BadCursor
from players.models import User
from replays.downloads import replay_file_response, replay_rawvf_response
from replays.models import Replay
from replays.parameters import CURSOR, LIST_PARAMETERS, IgnoreFormatParameter, filters_of, size_of
from replays.selectors import (
    FilterError,
    appeals_of,
    may_judge,
    owns,
    replay_detail,
    replay_list,
    upload_statuses,
)
from replays.serializers import (
    AppealSerializer,
    AppealsSerializer,
    AppealTextSerializer,
    ProblemSerializer,
    ReceiptsSerializer,
    ReplayDetailSerializer,
    ReplayPageSerializer,
    StatusesSerializer,
    UploadSerializer,
)
from replays.services import AppealRefused, Outcome, Receipt, appeal_create, receive_many
from replays.texts import sentence
from replays.throttles import UploadThrottle

_FILE_FIELDS = ("file", "files")
_TOO_LARGE = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
_PROBLEM = OpenApiResponse(ProblemSerializer)


def viewer_of(request: Request) -> User | None:
    """The account behind the request, None for visitors."""
    return request.user if isinstance(request.user, User) else None


def problem(code: str, http_status: int = status.HTTP_400_BAD_REQUEST, **params: object) -> Response:
    """An answer that turns the whole request down."""
    return Response({"code": code, "message": sentence(code, params)}, status=http_status)


class BodyTooLarge(Exception):
    """The request announces more bytes than are taken."""


def _content_length(request: Request) -> int:
    text = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(text) if text.isascii() and text.isdigit() else 0


def _upload_status(receipts: Sequence[Receipt]) -> int:
    """202 with anything new, 200 if all was here before, 400 if nothing was taken."""
    outcomes = {receipt.outcome for receipt in receipts}
    if Outcome.STORED in outcomes:
        return status.HTTP_202_ACCEPTED
    return status.HTTP_200_OK if Outcome.DUPLICATE in outcomes else status.HTTP_400_BAD_REQUEST


def _replay_or_404(pk: int, request: Request) -> Replay:
    """One that the viewer may see; others are as good as absent."""
    try:
        return replay_detail(pk, viewer_of(request))
    except Replay.DoesNotExist as error:
        raise Http404(gettext("There is no such replay.")) from error


class MayUpload(IsAuthenticatedOrReadOnly):
    """Reading is free; sending needs an account unless the site takes files from anyone."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return settings.ANONYMOUS_UPLOADS or super().has_permission(request, view)


class ReplaysView(APIView):
    """The replays of the site."""

    permission_classes = [MayUpload]
    parser_classes = [MultiPartParser]
    content_negotiation_class = IgnoreFormatParameter

    def get_throttles(self) -> list[BaseThrottle]:
        return [UploadThrottle()]

    def handle_exception(self, exc: Exception) -> Response:
        """Limits of Django that are met while the request is parsed get the same answers as ours."""
        if isinstance(exc, BodyTooLarge):
            return problem("body_too_large", _TOO_LARGE, limit=settings.ARCHIVE_MAX_BYTES)
        if isinstance(exc, RequestDataTooBig):
            return problem("body_too_large", _TOO_LARGE, limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if isinstance(exc, TooManyFilesSent):
            return problem("too_many_files", limit=settings.UPLOAD_MAX_FILES)
        if isinstance(exc, SuspiciousOperation | MultiPartParserError | ParseError):
            return problem("bad_request")
        return super().handle_exception(exc)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Checked before anything reads the body; authentication by session would.
        if _content_length(request) > settings.ARCHIVE_MAX_BYTES:
            raise BodyTooLarge
        super().initial(request, *args, **kwargs)

    @extend_schema(
        operation_id="replays_list",
        parameters=LIST_PARAMETERS,
        responses={200: ReplayPageSerializer, 400: _PROBLEM},
    )
    def get(self, request: Request) -> Response:
        """List replays, newest first or by any ranked statistic of one level."""
        query = request.query_params
        try:
            page = replay_list(
                filters_of(query), cursor=query.get(CURSOR), size=size_of(query), viewer=viewer_of(request)
            )
        except FilterError as error:
            return Response({"code": "bad_filter", "message": str(error), "errors": error.errors}, status=400)
        except BadCursor as error:
            return Response({"code": "bad_cursor", "message": str(error)}, status=400)
        return Response(ReplayPageSerializer(page).data)

    @extend_schema(
        operation_id="replays_upload",
        request={"multipart/form-data": UploadSerializer},
        responses={
            200: OpenApiResponse(ReceiptsSerializer, "Nothing new: every file was here before."),
            202: OpenApiResponse(ReceiptsSerializer, "At least one file is new; its analysis is queued."),
            400: OpenApiResponse(ReceiptsSerializer, "Every file was refused, or the request as a whole."),
            413: _PROBLEM,
            429: OpenApiResponse(description="Too many files in a while."),
        },
    )
    def post(self, request: Request) -> Response:
        """Upload replay files or zip archives of them."""
        sent = [file for name in _FILE_FIELDS for file in request.FILES.getlist(name)]
        if not sent:
            return problem("no_file")
        if len(sent) > settings.UPLOAD_MAX_FILES:
            return problem("too_many_files", limit=settings.UPLOAD_MAX_FILES)
        receipts = receive_many(sent, uploader=viewer_of(request))
        UploadThrottle().charge(request, len(receipts))
        return Response(ReceiptsSerializer({"receipts": receipts}).data, status=_upload_status(receipts))


class ReplayView(APIView):
    """One replay."""

    @extend_schema(operation_id="replays_detail", responses={200: ReplayDetailSerializer, 404: OpenApiResponse()})
    def get(self, request: Request, pk: int) -> Response:
        """Everything that is known of a replay."""
        return Response(ReplayDetailSerializer(_replay_or_404(pk, request)).data)


class ReplayAppealView(APIView):
    """What the owner of a replay says against its judgement."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="replays_appeals",
        responses={200: AppealsSerializer, 403: OpenApiResponse(), 404: OpenApiResponse()},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The appeals of a replay, for its owner and for staff."""
        replay, viewer = _replay_or_404(pk, request), viewer_of(request)
        if not (owns(replay, viewer) or may_judge(viewer)):
            raise PermissionDenied
        return Response(AppealsSerializer({"rows": appeals_of(replay)}).data)

    @extend_schema(
        operation_id="replays_appeal",
        request=AppealTextSerializer,
        responses={
            201: AppealSerializer,
            400: _PROBLEM,
            403: OpenApiResponse(description="Only who uploaded a replay, or whose player it counts for, may appeal."),
            404: OpenApiResponse(),
            409: OpenApiResponse(ProblemSerializer, "It is accepted, an appeal is open, or there were too many."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Appeal against the judgement of one's replay."""
        replay, viewer = _replay_or_404(pk, request), viewer_of(request)
        if viewer is None or not owns(replay, viewer):
            raise PermissionDenied(gettext("Only who uploaded a replay, or whose player it counts for, may appeal."))
        asked = AppealTextSerializer(data=request.data)
        if not asked.is_valid():
            return _told("bad_text", [str(text) for texts in asked.errors.values() for text in texts])
        try:
            appeal = appeal_create(replay, viewer, asked.validated_data["text"])
        except AppealRefused as error:
            return _told(str(error.code), error.messages, status.HTTP_409_CONFLICT)
        except ValidationError as error:
            return _told(str(error.code), error.messages)
        return Response(AppealSerializer(appeal).data, status=status.HTTP_201_CREATED)


def _told(code: str, texts: Sequence[str], http_status: int = status.HTTP_400_BAD_REQUEST) -> Response:
    """A problem whose sentences are made already."""
    return Response({"code": code, "message": " ".join(texts)}, status=http_status)


class ReplayFileView(APIView):
    """The file of one replay."""

    @extend_schema(
        operation_id="replays_file",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, 404: OpenApiResponse()},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The original bytes, as they were uploaded."""
        return replay_file_response(request, _replay_or_404(pk, request))


class ReplayRawvfView(APIView):
    """One replay as RawVF."""

    @extend_schema(
        operation_id="replays_rawvf",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, 404: OpenApiResponse()},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The recording in RawVF, the text format, whatever format it was uploaded in."""
        return replay_rawvf_response(request, _replay_or_404(pk, request))


class ReplayStatusView(APIView):
    """The states of uploads."""

    @extend_schema(
        operation_id="replays_status",
        parameters=[
            OpenApiParameter("ids", str, required=True, description="Numbers of replays, with commas between.")
        ],
        responses={200: StatusesSerializer, 400: _PROBLEM},
    )
    def get(self, request: Request) -> Response:
        """How far one's uploads have come."""
        parts = request.query_params.get("ids", "").split(",")
        if not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
            return problem("bad_ids")
        rows = upload_statuses([int(part) for part in parts], viewer_of(request))
        return Response(StatusesSerializer({"rows": rows}).data)
