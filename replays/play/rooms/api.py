from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import ApiError, ProblemSerializer, PublicView, page_values, read_query
from players.web.parameters import CURSOR, NO_PARAMETERS, SIZE, query_of
from players.web.parsers import JsonParser
from players.web.problems import CONTENT_TYPE, ProblemDetails
from players.web.rate_limits import client_address
from players.web.users import moderator_in
from replays.play.laying.selectors import parameters_of
from replays.play.referee.bus import Command
from replays.play.rooms import selectors
from replays.play.rooms.forms import RoomForm
from replays.play.rooms.serializers import (
    CommandSerializer,
    FinishedBoardPageSerializer,
    RoomBoardDetailSerializer,
    RoomBoardPageSerializer,
    RoomBoardSerializer,
    RoomDetailSerializer,
    RoomPageSerializer,
    RoomPlayerSerializer,
    RoomRequestSerializer,
    RoomSerializer,
)
from replays.play.rooms.services import ROOM_LIMIT, RoomRefused, room_command, room_create
from replays.play.sockets.visitors import set_guest_cookie, visitor_of

ListQuery = query_of(CURSOR, SIZE)
_REFUSED: dict[Any, Any] = {
    (400, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "The settings make no room."),
    (409, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Too many open rooms, or the room is closed."),
    (503, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Rooms are not available right now."),
}


class _RoomView(PublicView):
    permission_classes = [AllowAny]
    parser_classes = [JsonParser]

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, RoomRefused):
            details = ProblemDetails(exc.code, str(exc), status=exc.http_status)
            return super().handle_exception(ApiError(details, exc.retry_seconds))
        return super().handle_exception(exc)


class RoomsView(_RoomView):
    """Rooms."""

    token_scopes = {"POST": Scope.UPLOAD}
    rate_limits = {"POST": (ROOM_LIMIT,)}

    @extend_schema(operation_id="rooms_list", parameters=[ListQuery], responses={200: RoomPageSerializer})
    def get(self, request: Request) -> Response:
        """List the open rooms.

        Those that their makers listed: rooms with players first, then the ones that were used last.
        """
        values = read_query(ListQuery, request)
        page = selectors.lobby(values["cursor"], values["size"])
        return Response(RoomPageSerializer(page_values(page, page.rows)).data)

    @extend_schema(
        operation_id="rooms_create", request=RoomRequestSerializer, responses={201: RoomSerializer, **_REFUSED}
    )
    def post(self, request: Request) -> Response:
        """Create a room.

        It belongs to the account, or to the guest of the cookie.
        """
        read_query(NO_PARAMETERS, request)
        given = RoomRequestSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        form = RoomForm(_with_defaults(given.validated_data))
        if not form.is_valid():
            errors = {name: " ".join(map(str, texts)) for name, texts in form.errors.items()}
            raise ApiError(ProblemDetails("bad_request", " ".join(errors.values()), errors))
        visitor = visitor_of(request)
        made = room_create(visitor, form.save(commit=False), client_address(request))
        response = Response(RoomSerializer(made).data, status=201)
        set_guest_cookie(response, visitor)
        return response


def _with_defaults(given: dict[str, Any]) -> dict[str, Any]:
    """In a form a missing box is not ticked; in JSON a missing setting has its default.

    An open room has neither flags nor chords, so they need not be turned off one by one.
    """
    sealed = given.get("sealed", True)
    return {"sealed": sealed, "flags": sealed, "chords": sealed, "guests": True, "listed": True, **given}


class RoomView(_RoomView):
    """One room."""

    @extend_schema(operation_id="rooms_detail", responses={200: RoomDetailSerializer})
    def get(self, request: Request, slug: str) -> Response:
        """Return a room.

        Its settings, and the players of its running board.
        """
        room = selectors.room_or_404(slug)
        read_query(NO_PARAMETERS, request)
        players = RoomPlayerSerializer(selectors.players_of(room), many=True).data  # type: ignore[arg-type]  # many
        return Response({**RoomSerializer(room).data, "players": players})


class RoomCommandView(_RoomView):
    """Commands that the owner of a room gives."""

    token_scopes = {"POST": Scope.UPLOAD}

    @extend_schema(operation_id="rooms_command", request=CommandSerializer, responses={202: None, **_REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Send a command to a room.

        Restart the board, close the room, mute or remove a player.  It takes effect within moments.
        """
        room = selectors.room_or_404(slug)
        read_query(NO_PARAMETERS, request)
        given = CommandSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        command = Command[values["do"].upper()]
        room_command(room, visitor_of(request), command, values["player"], moderator=moderator_in(request))
        return Response(status=202)


class RoomBoardsView(_RoomView):
    """The boards of a room."""

    @extend_schema(operation_id="rooms_boards", parameters=[ListQuery], responses={200: RoomBoardPageSerializer})
    def get(self, request: Request, slug: str) -> Response:
        """List the ended boards of a room, newest first."""
        room = selectors.room_or_404(slug)
        values = read_query(ListQuery, request)
        page = selectors.boards(room, values["cursor"], values["size"])
        return Response(RoomBoardPageSerializer(page_values(page, page.rows)).data)


class FinishedBoardsView(_RoomView):
    """Finished boards of all rooms."""

    @extend_schema(
        operation_id="rooms_finished_boards", parameters=[ListQuery], responses={200: FinishedBoardPageSerializer}
    )
    def get(self, request: Request) -> Response:
        """List the finished boards of all listed rooms, newest first."""
        values = read_query(ListQuery, request)
        page = selectors.finished_boards(values["cursor"], values["size"])
        return Response(FinishedBoardPageSerializer(page_values(page, page.rows)).data)


class RoomBoardView(_RoomView):
    """A board that has ended."""

    @extend_schema(operation_id="rooms_board", responses={200: RoomBoardDetailSerializer})
    def get(self, request: Request, slug: str, epoch: int) -> Response:
        """Return an ended board of a room.

        Its players, how it is laid, and every move: all that is needed to watch it again.
        """
        room = selectors.room_or_404(slug)
        board = selectors.board_or_404(room, epoch)
        read_query(NO_PARAMETERS, request)
        values: dict[str, Any] = {
            **RoomBoardSerializer(board).data,
            "laying": parameters_of(room.laying(board.start_number)),
            "flags": room.flags,
            "chords": room.chords,
            "players": selectors.shown_scores(board),
            "moves": selectors.log_of(board),
        }
        return Response(values)  # plain values, of which there may be many
