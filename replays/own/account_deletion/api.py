from __future__ import annotations

from typing import Final

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from players.web.api import PublicView
from players.web.rate_limits import RateLimit, count_or_refuse
from players.web.users import required_user
from replays.own.account_deletion.export import export_response
from replays.own.account_deletion.serializers import (
    ExportSerializer,
)

#: Each reads all that the account has.
ACCOUNT_EXPORT_LIMIT: Final = RateLimit("account-exports", "10/hour")


class AccountExportView(PublicView):
    """The data of the account."""

    permission_classes = [IsAuthenticated]
    rate_limits = {"GET": (ACCOUNT_EXPORT_LIMIT,)}

    @extend_schema(operation_id="account_export", responses={200: ExportSerializer})
    def get(self, request: Request) -> HttpResponseBase:
        """Download all data of your account.

        Files of replays are not in it, but each upload has the address of its file.
        """
        user = required_user(request)
        count_or_refuse(ACCOUNT_EXPORT_LIMIT, str(user.pk))
        return export_response(user)
