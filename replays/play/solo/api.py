from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView, page_values
from players.web.parameters import CURSOR, SIZE
from players.web.problems import Refused
from players.web.users import signed_in_user
from replays.play.sockets.visitors import Visitor, guest_in
from replays.play.solo.selectors import game_detail, own_games_page
from replays.play.solo.serializers import LiveGameDetailSerializer, LiveGamePageSerializer
from replays.play.solo.shapes import BadShape, shape_of


def solo_target(values: Mapping[str, Any], visitor: Visitor) -> dict[str, Any]:
    """Raise ``Refused`` if no such game can be played."""
    try:
        return shape_of(values).as_target()
    except BadShape as error:
        raise Refused("not_playable", str(error)) from error


class LiveGamesView(PublicView):
    """The visitor's own games."""

    query = {"GET": (CURSOR, SIZE)}

    @extend_schema(operation_id="play_games_list", responses={200: LiveGamePageSerializer})
    def get(self, request: Request) -> Response:
        """List your single games, newest first.

        Those of the account; a guest's are those of this browser.
        """
        values = self.params
        page = own_games_page(signed_in_user(request), guest_in(request), values["cursor"], values["size"])
        return Response(LiveGamePageSerializer(page_values(page, page.rows)).data)


class LiveGameView(PublicView):
    """One game."""

    @extend_schema(operation_id="play_games_detail", responses={200: LiveGameDetailSerializer})
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        """Return a single game.

        Public when it has ended, before that its player's alone.
        """
        game = game_detail(pk, signed_in_user(request), guest_in(request))
        if game is None:
            raise Http404(_("This game doesn't exist."))
        return Response(LiveGameDetailSerializer(game).data)
