from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import User
from players.tokens.scopes import Scope
from players.web.api import ApiError, ProblemSerializer, PublicView, page_values, read_query
from players.web.parameters import CURSOR, NO_PARAMETERS, SIZE, choice, query_of
from players.web.problems import CONTENT_TYPE, ProblemDetails
from players.web.users import signed_in_user
from replays.models import Replay
from replays.trust.ownership.selectors import asked_page
from replays.trust.ownership.serializers import AnsweredSerializer, AnswerSerializer, AskedPageSerializer
from replays.trust.ownership.services import ANSWERS, NotYours, games_answer

AskedQuery = query_of(
    choice(
        "ownership",
        (Replay.Ownership.WAITING, *ANSWERS),
        default=Replay.Ownership.WAITING.value,
        description="Only games with this answer; without it those that wait.",
    ),
    CURSOR,
    SIZE,
)


class OwnershipView(PublicView):
    """Games under the names of the account."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"POST": Scope.UPLOAD}  # a confirmed game counts like an upload of the owner

    @extend_schema(
        operation_id="ownership_list",
        parameters=[AskedQuery],
        responses={200: AskedPageSerializer},
    )
    def get(self, request: Request) -> Response:
        """List games that others uploaded under your names.

        Newest first.
        """
        values = read_query(AskedQuery, request)
        page = asked_page(_account(request), values["ownership"], values["cursor"], values["size"])
        return Response(AskedPageSerializer(page_values(page, page.rows)).data)

    @extend_schema(
        operation_id="ownership_answer",
        request=AnswerSerializer,
        responses={
            200: AnsweredSerializer,
            (404, CONTENT_TYPE): OpenApiResponse(
                ProblemSerializer, "Not all are games under the names of the account."
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Say whether games are yours.

        Also of games that have an answer, or that you uploaded yourself.
        """
        read_query(NO_PARAMETERS, request)
        body = AnswerSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        given = body.validated_data
        try:
            changed = games_answer(_account(request), given["replays"], given["answer"])
        except ValidationError as error:
            text = " ".join(error.messages)
            raise ApiError(ProblemDetails("bad_request", text, {"replays": text})) from error
        except NotYours as error:
            raise ApiError(ProblemDetails("not_found", _("Some of these games aren't under your names."))) from error
        return Response(AnsweredSerializer({"changed": changed}).data)


def _account(request: Request) -> User:
    user = signed_in_user(request)
    if user is None:
        raise NotAuthenticated
    return user
