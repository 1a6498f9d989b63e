from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import ApiError, ProblemSerializer, PublicView, read_query
from players.web.parameters import NO_PARAMETERS
from players.web.problems import CONTENT_TYPE, ProblemDetails
from players.web.users import signed_in_user
from replays.trust.judging.appeals import AppealRefused, appeal_create
from replays.trust.judging.permissions import may_judge, owns, replay_or_404
from replays.trust.judging.selectors import appeals_of
from replays.trust.judging.serializers import (
    AppealSerializer,
    AppealsSerializer,
    AppealTextSerializer,
)


class ReplayAppealView(PublicView):
    """The appeals of a replay against its judgement."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"POST": Scope.UPLOAD}  # it is about one's own uploads

    @extend_schema(
        operation_id="replays_appeals",
        responses={
            200: AppealsSerializer,
            (403, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Only its owner and staff may see them."),
        },
    )
    def get(self, request: Request, pk: int) -> Response:
        """List the appeals of a replay.

        For its owner and for staff.
        """
        replay, viewer = replay_or_404(request, pk), signed_in_user(request)
        read_query(NO_PARAMETERS, request)
        if not (owns(replay, viewer) or may_judge(viewer)):
            raise PermissionDenied
        return Response(AppealsSerializer({"rows": appeals_of(replay)}).data)

    @extend_schema(
        operation_id="replays_appeal",
        request=AppealTextSerializer,
        responses={
            201: AppealSerializer,
            (403, CONTENT_TYPE): OpenApiResponse(
                ProblemSerializer, "Only the uploader, or the player the replay counts for, can appeal."
            ),
            (409, CONTENT_TYPE): OpenApiResponse(
                ProblemSerializer, "It is accepted, an appeal is open, or there were too many."
            ),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Appeal against the judgement of your replay."""
        replay, viewer = replay_or_404(request, pk), signed_in_user(request)
        read_query(NO_PARAMETERS, request)
        if viewer is None or not owns(replay, viewer):
            raise PermissionDenied(gettext("Only the uploader, or the player the replay counts for, can appeal."))
        body = AppealTextSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        try:
            appeal = appeal_create(replay, viewer, body.validated_data["text"])
        except AppealRefused as error:
            raise ApiError(ProblemDetails(str(error.code), " ".join(error.messages))) from error
        except ValidationError as error:
            text = " ".join(error.messages)
            raise ApiError(ProblemDetails("bad_request", text, {"text": text})) from error
        return Response(AppealSerializer(appeal).data, status=status.HTTP_201_CREATED)
