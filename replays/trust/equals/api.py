from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import User
from players.tokens.scopes import Scope
from players.web.api import ApiError, PublicView, page_values, read_query
from players.web.parameters import CURSOR, NO_PARAMETERS, SIZE, query_of
from players.web.problems import ProblemDetails
from players.web.users import signed_in_user
from replays.models import GameLink
from replays.trust.equals.selectors import pair_shown, pairs_page
from replays.trust.equals.serializers import PairDecisionSerializer, PairSerializer, PairsSerializer
from replays.trust.equals.services import pair_decide
from replays.trust.judging.permissions import may_judge

PairsQuery = query_of(CURSOR, SIZE)


def _require_judge(request: Request) -> User:
    viewer = signed_in_user(request)
    if viewer is None or not may_judge(viewer):
        raise PermissionDenied(_("Only moderators can judge replays."))
    return viewer


class PairsView(PublicView):
    """The queue of pairs."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"GET": Scope.MODERATE, "HEAD": Scope.MODERATE}

    @extend_schema(operation_id="pairs", parameters=[PairsQuery], responses={200: PairsSerializer})
    def get(self, request: Request) -> Response:
        """List linked files in dispute, for staff.

        Also those about which somebody appeals, newest first.
        """
        _require_judge(request)
        values = read_query(PairsQuery, request)
        page = pairs_page(values["cursor"], values["size"])
        return Response(PairsSerializer(page_values(page, page.rows)).data)


class PairView(PublicView):
    """A decision about a pair."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"POST": Scope.MODERATE}

    @extend_schema(operation_id="pairs_decide", request=PairDecisionSerializer, responses={200: PairSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Decide which of two linked files counts, for staff.

        No rule overrules it.
        """
        viewer = _require_judge(request)
        read_query(NO_PARAMETERS, request)
        given = PairDecisionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        try:
            link = GameLink.objects.get(pk=pk)
            pair_decide(link, given.validated_data["stands"], given.validated_data["reason"], viewer)
            shown = pair_shown(pk)
        except GameLink.DoesNotExist as error:
            raise Http404(_("This pair doesn't exist.")) from error
        except ValidationError as error:
            text = " ".join(error.messages)
            raise ApiError(ProblemDetails("bad_request", text, {"reason": text})) from error
        return Response(PairSerializer(shown).data)
