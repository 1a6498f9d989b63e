from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView
from players.web.users import required_user
from replays.own.me.selectors import home_of, last_visit
from replays.own.me.serializers import HomeSerializer


class MeView(PublicView):
    """The start page of an account."""

    permission_classes = [IsAuthenticated]

    @extend_schema(operation_id="me", responses={200: HomeSerializer})
    def get(self, request: Request) -> Response:
        """Return the start page of your account.

        Ranks and who changed places since the last visit, last games, next rungs, questions and notes.

        Reading this is no visit: only the start page of the site notes when it was looked at.
        """
        user = required_user(request)
        return Response(HomeSerializer(home_of(user, last_visit(user))).data)
