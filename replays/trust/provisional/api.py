from __future__ import annotations

from django.core.exceptions import ValidationError
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import ApiError, ProblemSerializer, PublicView, read_query
from players.web.parameters import NO_PARAMETERS
from players.web.problems import CONTENT_TYPE, ProblemDetails
from players.web.users import signed_in_user
from replays.trust.judging.permissions import replay_or_404
from replays.trust.provisional.serializers import ObjectionSerializer, ObjectionTextSerializer
from replays.trust.provisional.services import OBJECTION_LIMIT, ObjectionRefused, objection_create


class ReplayObjectionView(PublicView):
    """Objecting to a ranked game."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"POST": Scope.UPLOAD}
    rate_limits = {"POST": (OBJECTION_LIMIT,)}

    @extend_schema(
        operation_id="replays_object",
        request=ObjectionTextSerializer,
        responses={
            201: ObjectionSerializer,
            (409, CONTENT_TYPE): OpenApiResponse(
                ProblemSerializer, "It does not count, is your own, or you have objected already."
            ),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Object to a ranked game.

        Say why it should not count.  A provisional game then stays so until staff decide.
        """
        replay, viewer = replay_or_404(request, pk), signed_in_user(request)
        assert viewer is not None  # noqa: S101 - IsAuthenticated
        read_query(NO_PARAMETERS, request)
        given = ObjectionTextSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        try:
            objection = objection_create(replay, viewer, given.validated_data["text"])
        except ObjectionRefused as error:
            raise ApiError(ProblemDetails(str(error.code), " ".join(error.messages)), error.retry_seconds) from error
        except ValidationError as error:
            text = " ".join(error.messages)
            raise ApiError(ProblemDetails("bad_request", text, {"text": text})) from error
        return Response(ObjectionSerializer(objection).data, status=status.HTTP_201_CREATED)
