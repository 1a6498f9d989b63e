from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import User
from players.tokens.scopes import Scope
from players.web.api import ApiError, ProblemSerializer, PublicView, page_values, read_query
from players.web.parameters import NO_PARAMETERS, SIZE, query_of
from players.web.problems import CONTENT_TYPE, ProblemDetails
from players.web.staff import staff_refusal
from players.web.users import signed_in_user
from replays.trust.judging.appeals import AppealRefused, appeal_create
from replays.trust.judging.permissions import may_judge, owns, replay_or_404
from replays.trust.judging.selectors import QUEUE_PARAMETERS, appeals_of, judged_replay, judgement_page
from replays.trust.judging.serializers import (
    AppealSerializer,
    AppealsSerializer,
    AppealTextSerializer,
    DecisionSerializer,
    JudgedReplaySerializer,
    JudgementQueueSerializer,
)
from replays.trust.judging.services import replay_judge

QueueQuery = query_of(*QUEUE_PARAMETERS, SIZE)


def require_judge(request: Request) -> User:
    viewer = signed_in_user(request)
    if viewer is None or not may_judge(viewer):
        raise PermissionDenied(staff_refusal(viewer, gettext("Only moderators can judge replays.")))
    return viewer


class JudgementsView(PublicView):
    """The judgement queue."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"GET": Scope.MODERATE, "HEAD": Scope.MODERATE}

    @extend_schema(
        operation_id="judgements",
        parameters=[QueueQuery],
        responses={200: JudgementQueueSerializer},
    )
    def get(self, request: Request) -> Response:
        """List replays to be judged, for staff.

        Those that wait for staff or that they did not accept, newest first.
        """
        require_judge(request)
        values = read_query(QueueQuery, request)
        page = judgement_page(
            state=values["state"] or "", code=values["code"] or "", appealed=bool(values["appeal"]),
            objected=bool(values["objection"]), cursor=values["cursor"], size=values["size"],
        )  # fmt: skip
        return Response(JudgementQueueSerializer(page_values(page, page.rows)).data)


class ReplayJudgementView(PublicView):
    """The judgement of a replay."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"POST": Scope.MODERATE}

    @extend_schema(
        operation_id="replays_judge",
        request=DecisionSerializer,
        responses={200: JudgedReplaySerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Judge a replay, for staff.

        Accept, doubt or freeze it.  No rule overrules it.
        """
        viewer, replay = require_judge(request), replay_or_404(request, pk)
        read_query(NO_PARAMETERS, request)
        given = DecisionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        try:
            replay_judge(replay, given.validated_data["judgement"], given.validated_data["reason"], viewer)
        except ValidationError as error:
            text = " ".join(error.messages)
            raise ApiError(ProblemDetails("bad_request", text, {"judgement": text})) from error
        return Response(JudgedReplaySerializer(judged_replay(pk)).data)


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
