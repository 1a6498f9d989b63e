from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils.translation import gettext as _

from analysis.names import shown_name
from players.db.keyset import Page, page_of
from replays.play.models import Room, RoomBoard, RoomLog, RoomPlayer
from replays.play.referee.log import unpack_log
from replays.play.sockets.visitors import Visitor

LOBBY_SIZE: Final = 50
FINISHED_SIZE: Final = 8
_LOBBY_ORDER: Final = ("-here", "-used_at", "-id")
_FINISHED_ORDER: Final = ("-ended_at", "-id")
_BOARD_ORDER: Final = ("-epoch",)


def rooms_are_available() -> bool:
    """Return whether the site has the server through which web processes and referee talk."""
    return bool(settings.PLAY_BUS_URL)


def lobby(cursor: str | None = None, size: int = LOBBY_SIZE) -> Page[Room]:
    """Open rooms that are listed: those with players first, then the ones that were used last."""
    return page_of(_rooms().filter(state=Room.State.OPEN, listed=True), _LOBBY_ORDER, cursor, size)


def _rooms() -> QuerySet[Room]:
    """Rooms with ``open_cells``: safe cells of the running board that are open, as stored in the last second."""
    players = RoomPlayer.objects.filter(room=OuterRef("pk"), hue__isnull=False)
    scores = players.order_by().values("room").annotate(total=Sum("score")).values("total")
    return Room.objects.annotate(open_cells=Coalesce(Subquery(scores), 0))


def rooms_of(visitor: Visitor) -> QuerySet[Room]:
    """Return open rooms, the newest first."""
    rooms = _rooms().filter(state=Room.State.OPEN).order_by("-id")
    if visitor.user_id is not None:
        return rooms.filter(owner_id=visitor.user_id)
    return rooms.filter(owner=None, owner_guest=visitor.guest)


def room_or_404(slug: str) -> Room:
    try:
        return _rooms().get(slug=slug)
    except Room.DoesNotExist:
        raise Http404(_("This room doesn't exist.")) from None


def board_or_404(room: Room, epoch: int) -> RoomBoard:
    """A board of ``room`` that has ended."""
    found = RoomBoard.objects.filter(room=room, epoch=epoch, ended_at__isnull=False).first()
    if found is None:
        raise Http404(_("This board doesn't exist or is still being played."))
    return found


def boards(room: Room, cursor: str | None = None, size: int = LOBBY_SIZE) -> Page[RoomBoard]:
    """The boards of ``room`` that have ended, the newest first."""
    return page_of(RoomBoard.objects.filter(room=room, ended_at__isnull=False), _BOARD_ORDER, cursor, size)


def finished_boards(cursor: str | None = None, size: int = FINISHED_SIZE) -> Page[RoomBoard]:
    """Finished boards of listed rooms with their rooms, the newest first."""
    found = RoomBoard.objects.filter(end=RoomBoard.End.FINISHED, ended_at__isnull=False, room__listed=True)
    return page_of(found.select_related("room"), _FINISHED_ORDER, cursor, size)


def owns(room: Room, visitor: Visitor) -> bool:
    if visitor.user_id is not None:
        return room.owner_id == visitor.user_id
    return room.owner_id is None and bool(room.owner_guest) and room.owner_guest == visitor.guest


def players_of(room: Room) -> list[RoomPlayer]:
    """Return the players of the running board, best first, as stored in the last second."""
    return list(room.players.filter(hue__isnull=False).order_by("-score", "blasts", "number"))


def player_of(room: Room, visitor: Visitor) -> RoomPlayer | None:
    return RoomPlayer.objects.filter(room=room, key=visitor.key).first()


def log_of(board: RoomBoard) -> list[list[int]]:
    """The moves of a board in the order of their stamps: [player, kind (0 open, 1 flag, 2 chord), cell, ms]."""
    packed = RoomLog.objects.filter(board=board).order_by("first").values_list("moves", flat=True)
    moves: list[list[int]] = []
    for one in packed:
        logged = unpack_log(one)
        columns = [logged[name].tolist() for name in ("player", "kind", "cell", "ms")]
        moves += [list(move) for move in zip(*columns, strict=True)]
    return moves


def shown_scores(board: RoomBoard) -> list[dict[str, Any]]:
    """The players of a board that has ended, best first."""
    return [{**row, "name": shown_name(row["name"])} for row in _rows(board)]


def _rows(board: RoomBoard) -> Sequence[dict[str, Any]]:
    rows: Sequence[dict[str, Any]] = board.scores
    return rows
