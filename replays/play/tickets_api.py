from __future__ import annotations

from typing import Final

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import ProblemSerializer, PublicView, Values
from players.web.json_bodies import JsonBody
from players.web.parsers import JsonParser
from players.web.problems import CONTENT_TYPE, Refused
from players.web.rate_limits import RateLimit, count_or_refuse
from players.web.rate_limits import visitor_of as counted_visitor
from replays.play import wire
from replays.play.sockets.tickets import PURPOSES, TARGETS, TICKET_SECONDS, issue
from replays.play.sockets.visitors import set_guest_cookie, visitor_of

TICKET_LIMIT: Final = RateLimit("play-tickets", "60/minute")
_MOST_CHARS = 100


class TicketRequestSerializer(JsonBody[Values]):
    """The game or room to be played; the purpose's own code decides which fields it needs and what they may be."""

    purpose = serializers.ChoiceField(choices=PURPOSES, help_text="A single game, or a room.")
    level = serializers.CharField(
        max_length=_MOST_CHARS,
        required=False,
        help_text="Of a single game: beginner, beginner-9x9, intermediate, expert or custom.",
    )
    rules = serializers.CharField(
        max_length=_MOST_CHARS, required=False, help_text="Of a single game: xp, win7 or no-guess."
    )
    rows = serializers.IntegerField(min_value=1, max_value=2**31, required=False, help_text="Of a custom game.")
    columns = serializers.IntegerField(min_value=1, max_value=2**31, required=False, help_text="Of a custom game.")
    mines = serializers.IntegerField(min_value=1, max_value=2**31, required=False, help_text="Of a custom game.")
    room = serializers.CharField(max_length=_MOST_CHARS, required=False, help_text="The room, as its address names it.")


class TicketSerializer(serializers.Serializer[Values]):
    """Good for one socket, within a minute: send it in the first message."""

    ticket = serializers.CharField(help_text="The ticket; opaque.")
    socket = serializers.CharField(help_text="The path of the socket.")
    protocol = serializers.CharField(help_text="The subprotocol, whose messages docs/play-protocol.md describes.")
    seconds = serializers.IntegerField(help_text="How long the ticket is good.")
    name = serializers.CharField(help_text="How others see this visitor.")


class TicketsView(PublicView):
    """Tickets, for accounts and guests."""

    body = {"POST": TicketRequestSerializer}
    permission_classes = [AllowAny]
    token_scopes = {"POST": Scope.UPLOAD}  # a game that is played becomes a replay
    parser_classes = [JsonParser]
    rate_limits = {"POST": (TICKET_LIMIT,)}

    @extend_schema(
        operation_id="play_ticket",
        responses={
            200: TicketSerializer,
            (400, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "We can't read this request."),
            (422, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Nothing like that can be played (not_playable)."),
            (403, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "The room does not let this visitor in."),
            (404, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "This room doesn't exist."),
        },
    )
    def post(self, request: Request) -> Response:
        """Request a ticket for a socket.

        Without an account the visitor is a guest, whom a cookie names.
        """
        _count(request)
        values = dict(self.given)
        purpose = values.pop("purpose")
        target = TARGETS.get(purpose)
        if target is None:
            raise Refused("not_playable")
        visitor = visitor_of(request)
        answer = {
            "ticket": issue(visitor, purpose, target(values, visitor)),
            "socket": f"/ws/play/{purpose}/",
            "protocol": wire.SUBPROTOCOL,
            "seconds": TICKET_SECONDS,
            "name": visitor.name,
        }
        response = Response(TicketSerializer(answer).data)
        set_guest_cookie(response, visitor)
        return response


def _count(request: Request) -> None:
    count_or_refuse(TICKET_LIMIT, counted_visitor(request))
