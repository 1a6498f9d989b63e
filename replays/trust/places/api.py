from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import ApiError, PublicView, page_values, read_query
from players.web.parameters import CURSOR, NO_PARAMETERS, SIZE, query_of
from players.web.problems import ProblemDetails
from replays.models import Place
from replays.trust.judging.api import require_judge
from replays.trust.places.selectors import place_shown, places_page
from replays.trust.places.serializers import DisputeDecisionSerializer, DisputeSerializer, DisputesSerializer
from replays.trust.places.services import place_decide

PlacesQuery = query_of(CURSOR, SIZE)


class PlacesView(PublicView):
    """The queue of places."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"GET": Scope.MODERATE, "HEAD": Scope.MODERATE}

    @extend_schema(operation_id="places", parameters=[PlacesQuery], responses={200: DisputesSerializer})
    def get(self, request: Request) -> Response:
        """List games that several accounts say are theirs, for staff.

        Also those about which somebody appeals, newest first.
        """
        require_judge(request)
        values = read_query(PlacesQuery, request)
        page = places_page(values["cursor"], values["size"])
        return Response(DisputesSerializer(page_values(page, page.rows)).data)


class PlaceView(PublicView):
    """A decision about a place."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"POST": Scope.MODERATE}

    @extend_schema(operation_id="places_decide", request=DisputeDecisionSerializer, responses={200: DisputeSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Decide which file of a game counts, once for all of them, for staff.

        Whoever sent another game takes no place from anybody any more.
        """
        viewer = require_judge(request)
        read_query(NO_PARAMETERS, request)
        body = DisputeDecisionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        given = body.validated_data
        try:
            place_decide(pk, given["replay"], given["reason"], viewer, given["honest_mistakes"])
            shown = place_shown(pk)
        except Place.DoesNotExist as error:
            raise Http404(_("This dispute doesn't exist.")) from error
        except ValidationError as error:
            text = " ".join(error.messages)
            raise ApiError(ProblemDetails("bad_request", text, {"reason": text})) from error
        return Response(DisputeSerializer(shown).data)
