from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.statistics import ON_REQUEST
from players.models import User
from players.people.selectors import check_not_merged
from players.tokens.scopes import Scope
from players.web.api import PublicView
from players.web.parameters import CURSOR, SIZE
from players.web.problems import Refused
from players.web.users import required_user, signed_in_user
from replays.browse.lists.downloads import replay_file_response, replay_rawvf_response
from replays.browse.lists.filters import LIST_PARAMETERS, replay_filters, replay_list
from replays.browse.lists.random_zini import random_zini
from replays.browse.lists.serializers import (
    RandomZiniSerializer,
    ReplayChangesSerializer,
    ReplayDetailSerializer,
    ReplayPageSerializer,
)
from replays.models import Replay
from replays.trust.judging.permissions import deletion_refusal, may_delete, may_keep, replay_or_404
from replays.trust.ownership.services import NotYours, games_answer
from replays.upload.intake.api import UPLOAD_REQUEST, UPLOAD_RESPONSES, MayUpload, parse_error, upload
from replays.upload.intake.quota import UPLOAD_LIMITS
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.rejected import keep_file


class ReplaysView(PublicView):
    """The replays of the site."""

    query = {"GET": (*LIST_PARAMETERS, CURSOR, SIZE)}
    token_scopes = {"POST": Scope.UPLOAD}
    rate_limits = {"POST": UPLOAD_LIMITS}
    parser_classes = [MultiPartParser]

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method in SAFE_METHODS else MayUpload()]

    def handle_exception(self, exc: Exception) -> Response:
        """Errors of Django's parsers (sizes, numbers of files) give the same responses as our own checks."""
        return super().handle_exception(parse_error(exc))

    @extend_schema(operation_id="replays_list", responses={200: ReplayPageSerializer})
    def get(self, request: Request) -> Response:
        """List replays.

        Newest first, oldest first, by the date that counts, or by a statistic of one level.  `STATISTIC__gte` and
        `STATISTIC__lte` filter by any statistic that has a column; the names are those of `/api/v1/statistics/`.
        """
        values = self.params
        filters = replay_filters(values, signed_in_user(request))
        page = replay_list(filters, cursor=values["cursor"], size=values["size"])
        if not page.rows and len(values["player"]) == 1:
            check_not_merged(values["player"][0])
        return Response(ReplayPageSerializer(page).data)

    @extend_schema(operation_id="replays_upload", request=UPLOAD_REQUEST, responses=UPLOAD_RESPONSES)
    def post(self, request: Request) -> Response:
        """Upload replay files.

        One file or many, or zip archives of them; every file gets a receipt.  The analysis runs afterwards.
        """
        return upload(request)


class ReplayView(PublicView):
    """One replay."""

    body = {"PATCH": ReplayChangesSerializer}
    token_scopes = {"PATCH": Scope.UPLOAD, "DELETE": Scope.DELETE}

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method in SAFE_METHODS else IsAuthenticated()]

    @extend_schema(operation_id="replays_detail", responses={200: ReplayDetailSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return a replay.

        All its data: statistics, findings, judgement, board and links.
        """
        return Response(ReplayDetailSerializer(replay_or_404(request, pk)).data)

    @extend_schema(operation_id="replays_change", responses={200: ReplayDetailSerializer})
    def patch(self, request: Request, pk: int) -> Response:
        """Change what its uploader or the owner of the name inside it may change."""
        replay, user = replay_or_404(request, pk), required_user(request)
        _change(replay, user, self.given)
        return Response(ReplayDetailSerializer(replay_or_404(request, pk)).data)

    @extend_schema(operation_id="replays_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a replay, its file and its places; for its uploader and staff.

        Not for the uploader after staff decided not to accept it.
        """
        replay, user = replay_or_404(request, pk), required_user(request)
        if not (may_delete(replay, user) and replay_delete(replay, user)):
            replay = replay_or_404(request, pk)  # staff may have decided, or deleted it, a moment ago
            raise Refused("not_yours", deletion_refusal(replay, user))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ReplayFileView(PublicView):
    """The file of one replay."""

    @extend_schema(operation_id="replays_file", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Download the file of a replay.

        The original bytes, as they were uploaded.
        """
        replay = replay_or_404(request, pk)
        return replay_file_response(request, replay)


def _require_may_keep(replay: Replay, user: User) -> None:
    if not may_keep(replay, user):
        message = _("Only the uploader or a moderator can keep the file of a rejected replay.")
        raise Refused("not_yours", message)


def _change(replay: Replay, user: User, given: Mapping[str, Any]) -> None:
    """Change nothing unless ``user`` may change all of it: a replay that is rejected has no owner who could be asked."""
    keep, answer = given.get("keep_file"), given.get("ownership")
    if keep is not None:
        _require_may_keep(replay, user)
    if answer is not None:
        try:
            games_answer(user, [replay.pk], answer)
        except NotYours as error:
            message = _("Only the owner of the name can confirm or disown this game.")
            raise Refused("not_yours", message) from error
    if keep is not None:
        keep_file(replay, keep=keep)


class ReplayRandomZiniView(PublicView):
    """Random ZiNi of one replay."""

    needs_kernels = True

    @extend_schema(operation_id="replays_rzini", responses={200: RandomZiniSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Compute the random ZiNi of a replay.

        With its rates; none of them is stored.
        """
        replay = replay_or_404(request, pk)
        if replay.status != Replay.Status.DONE:
            raise Http404
        found = random_zini(replay) or dict.fromkeys(row.name for row in ON_REQUEST)
        return Response(RandomZiniSerializer(dict[str, object](found)).data)


class ReplayRawvfView(PublicView):
    """One replay as RawVF."""

    needs_kernels = True

    @extend_schema(operation_id="replays_rawvf", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Download a replay as RawVF.

        RawVF is the text format; every recording has it, whatever format it was uploaded in.
        """
        replay = replay_or_404(request, pk)
        return replay_rawvf_response(request, replay)
