from __future__ import annotations

from typing import Final

from django.contrib.auth import logout
from django.http import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import User
from players.web.api import ApiError, ProblemSerializer, PublicView, read_query
from players.web.parameters import NO_PARAMETERS
from players.web.problems import CONTENT_TYPE, ProblemDetails
from players.web.rate_limits import RateLimit, count_or_refuse
from players.web.users import required_user
from replays.own.account_deletion.export import export_response
from replays.own.account_deletion.forms import DeletionForm
from replays.own.account_deletion.selectors import can_prove, deletion_effects, deletion_refusal
from replays.own.account_deletion.serializers import (
    DeletionRequestSerializer,
    DeletionSerializer,
    EffectsSerializer,
    ExportSerializer,
)
from replays.own.account_deletion.services import TRIES, account_close

#: Each reads all that the account has.
ACCOUNT_EXPORT_LIMIT: Final = RateLimit("account-exports", "10/hour")


class AccountDeletionView(PublicView):
    """Deleting the account.  No scope of a token is enough for it: a program that knows the password may sign in."""

    permission_classes = [IsAuthenticated]
    rate_limits = {"POST": (TRIES,)}

    @extend_schema(operation_id="account_deletion_effects", responses={200: EffectsSerializer})
    def get(self, request: Request) -> Response:
        """Return what deleting the account would delete.

        Nothing is deleted by reading it.
        """
        read_query(NO_PARAMETERS, request)
        return Response(EffectsSerializer(deletion_effects(required_user(request))).data)

    @extend_schema(
        operation_id="account_delete",
        request=DeletionRequestSerializer,
        responses={
            202: DeletionSerializer,
            (403, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "With a token, or an account of the staff."),
        },
    )
    def post(self, request: Request) -> Response:
        """Delete the account permanently.

        Only from a session that gives the password again; no token can.

        The account is closed at once, and what belongs to it is deleted within minutes.  It cannot be undone.
        """
        read_query(NO_PARAMETERS, request)
        user = required_user(request)
        _check_allowed(user)
        given = DeletionRequestSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        form = DeletionForm(given.validated_data, user=user)
        if not form.is_valid():
            errors = {name: " ".join(map(str, texts)) for name, texts in form.errors.items()}
            raise ApiError(ProblemDetails("bad_request", " ".join(errors.values()), errors))
        deletion = account_close(user, form.cleaned_data["uploads"])
        logout(request._request)
        return Response(DeletionSerializer(deletion).data, status=202)


class AccountExportView(PublicView):
    """The data of the account."""

    permission_classes = [IsAuthenticated]
    rate_limits = {"GET": (ACCOUNT_EXPORT_LIMIT,)}

    @extend_schema(
        operation_id="account_export",
        responses={200: ExportSerializer},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Download all data of your account.

        Files of replays are not in it, but each upload has the address of its file.
        """
        read_query(NO_PARAMETERS, request)
        user = required_user(request)
        count_or_refuse(ACCOUNT_EXPORT_LIMIT, str(user.pk))
        return export_response(user)


def _check_allowed(user: User) -> None:
    if refusal := deletion_refusal(user):
        raise ApiError(ProblemDetails("staff_account", refusal))
    if not can_prove(user):
        raise ApiError(
            ProblemDetails(
                "no_password", _("Set a password first, using the link we e-mail you, so you can confirm it's you.")
            )
        )
    count_or_refuse(TRIES, str(user.pk))
