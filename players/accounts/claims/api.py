from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.accounts.claims.selectors import claims_of_account
from players.accounts.claims.serializers import ClaimSerializer, ClaimsSerializer, NewClaimSerializer
from players.accounts.claims.services import ClaimRefused, claim_make, claim_withdraw
from players.models import MAX_ID, Claim
from players.tokens.scopes import Scope
from players.web.api import ApiError, PublicView, read_query
from players.web.parameters import NO_PARAMETERS
from players.web.parsers import JsonParser
from players.web.problems import ProblemDetails
from players.web.users import required_user


class OwnClaimsView(PublicView):
    """Claims of names by the account."""

    permission_classes = [IsAuthenticated]
    parser_classes = [JsonParser]
    token_scopes = {"POST": Scope.UPLOAD}

    @extend_schema(operation_id="me_claims", responses={200: ClaimsSerializer})
    def get(self, request: Request) -> Response:
        """List your claims of names.

        Those that wait or that moderators refused, the latest first.  Names that are yours are among the `identities` of
        your player.
        """
        read_query(NO_PARAMETERS, request)
        return Response(ClaimsSerializer({"rows": claims_of_account(required_user(request))}).data)

    @extend_schema(operation_id="me_claims_make", request=NewClaimSerializer, responses={201: ClaimSerializer})
    def post(self, request: Request) -> Response:
        """Claim a name in replays.

        A claim of the same name that still waits is returned instead.  Its page shows a code for a verification game;
        nothing changes hands before one is analysed, or a moderator decides.
        """
        read_query(NO_PARAMETERS, request)
        body = NewClaimSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        with _refusals():
            claim = claim_make(required_user(request), body.validated_data["name"])
        return Response(ClaimSerializer(claim).data, status=201)


class OwnClaimView(PublicView):
    """One claim of the account."""

    permission_classes = [IsAuthenticated]
    token_scopes = {"DELETE": Scope.UPLOAD}

    @extend_schema(operation_id="me_claim", responses={200: ClaimSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return one of your claims."""
        read_query(NO_PARAMETERS, request)
        return Response(ClaimSerializer(_own_claim(request, pk)).data)

    @extend_schema(operation_id="me_claim_withdraw", responses={200: ClaimSerializer})
    def delete(self, request: Request, pk: int) -> Response:
        """Withdraw one of your claims.

        Only while it waits.
        """
        read_query(NO_PARAMETERS, request)
        with _refusals():
            claim = claim_withdraw(_own_claim(request, pk))
        return Response(ClaimSerializer(claim).data)


def _own_claim(request: Request, pk: int) -> Claim:
    found = Claim.objects.filter(pk=min(pk, MAX_ID), user=required_user(request)).first()
    if found is None:
        raise Http404(_("There's nothing at this URL."))
    return found


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn the refusal of a claim into a problem."""
    try:
        yield
    except ClaimRefused as error:
        raise ApiError(ProblemDetails("bad_request", str(error), {"name": str(error)})) from error
