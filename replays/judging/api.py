"""The REST interface of appeals."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.web.api import PROBLEM, ProblemSerializer, problem
from players.web.users import signed_in_user
from replays.judging.appeals import AppealRefused, appeal_create
from replays.judging.permissions import may_judge, owns, replay_or_404
from replays.judging.selectors import appeals_of
from replays.judging.serializers import AppealSerializer, AppealsSerializer, AppealTextSerializer


class ReplayAppealView(APIView):
    """The appeals of a replay against its judgement."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="replays_appeals",
        responses={200: AppealsSerializer, 403: OpenApiResponse(), 404: OpenApiResponse()},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The appeals of a replay, for its owner and for staff."""
        replay, viewer = replay_or_404(request, pk), signed_in_user(request)
        if not (owns(replay, viewer) or may_judge(viewer)):
            raise PermissionDenied
        return Response(AppealsSerializer({"rows": appeals_of(replay)}).data)

    @extend_schema(
        operation_id="replays_appeal",
        request=AppealTextSerializer,
        responses={
            201: AppealSerializer,
            400: PROBLEM,
            403: OpenApiResponse(description="Only who uploaded a replay, or whose player it counts for, may appeal."),
            404: OpenApiResponse(),
            409: OpenApiResponse(ProblemSerializer, "It is accepted, an appeal is open, or there were too many."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Appeal against the judgement of one's replay."""
        replay, viewer = replay_or_404(request, pk), signed_in_user(request)
        if viewer is None or not owns(replay, viewer):
            raise PermissionDenied(gettext("Only who uploaded a replay, or whose player it counts for, may appeal."))
        body = AppealTextSerializer(data=request.data)
        if not body.is_valid():
            return problem("bad_text", " ".join(str(text) for texts in body.errors.values() for text in texts))
        try:
            appeal = appeal_create(replay, viewer, body.validated_data["text"])
        except AppealRefused as error:
            return problem(str(error.code), " ".join(error.messages), status.HTTP_409_CONFLICT)
        except ValidationError as error:
            return problem(str(error.code), " ".join(error.messages))
        return Response(AppealSerializer(appeal).data, status=status.HTTP_201_CREATED)
