from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from typing import Any, Final

import redis
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.locks import lock_keys
from players.decision_log import Action, Kind, log_decision
from players.models import User
from players.web import redis_clients
from players.web.problems import Refused
from players.web.rate_limits import RateLimit
from replays.play.models import Room, RoomLog
from replays.play.referee import bus
from replays.play.referee.bus import Command, Entry
from replays.play.referee.log import join_logs
from replays.play.rooms.selectors import owns, player_of, rooms_are_available, rooms_of
from replays.play.sockets.visitors import Visitor

#: New rooms of one address.
#: Open rooms of one account and of one guest.
ROOMS_PER_ACCOUNT: Final = 10
ROOMS_PER_GUEST: Final = 2
#: Days after which an open room that nobody uses is closed.
ROOM_KEEP_DAYS: Final = 30
ROOM_LIMIT: Final = RateLimit("rooms", "30/hour")
#: Boards whose logs one sweep joins.
_JOINED: Final = 100


def room_create(visitor: Visitor, room: Room, address: str) -> Room:
    """Store ``room``, whose settings a form has checked; raises :class:`Refused`."""
    if not rooms_are_available():
        raise unavailable()
    if not ROOM_LIMIT.count(address):
        seconds = math.ceil(ROOM_LIMIT.wait_seconds(address))
        raise Refused("too_many_requests", _("Too many new rooms. Try again later."), seconds)
    most = ROOMS_PER_ACCOUNT if visitor.user_id is not None else ROOMS_PER_GUEST
    with transaction.atomic():
        lock_keys([hashlib.sha256(f"rooms of {visitor.key}".encode()).digest()])
        if rooms_of(visitor).count() >= most:
            raise Refused("too_many_rooms", _("You have %(limit)s open rooms. Close one first.") % {"limit": most})
        room.owner_id, room.owner_guest = visitor.user_id, visitor.guest
        room.save()
    return room


def room_command(
    room: Room,
    visitor: Visitor,
    command: Command,
    player: int = 0,
    *,
    moderator: User | None = None,
    rule: str = "",
    reason: str = "",
) -> None:
    """Ask the referee to do what the owner of ``room`` (or a moderator) wants; raises :class:`Refused`."""
    if moderator is None and not owns(room, visitor):
        raise Refused("forbidden", _("Only the room owner can do this."))
    if room.state == Room.State.CLOSED:
        raise Refused("room_closed", _("The room is closed."))
    if command in (Command.MUTE, Command.UNMUTE, Command.KICK) and not room.players.filter(number=player).exists():
        raise Refused("not_found", _("This player isn't in the room."))
    if not rooms_are_available():
        raise unavailable()
    with transaction.atomic():
        if moderator is not None and not owns(room, visitor):
            _log(room, moderator, command, player, rule, reason)
        _send(room, command, player)


def _log(room: Room, moderator: User, command: Command, player: int, rule: str, reason: str) -> None:
    closes = command is Command.CLOSE
    after = "closed" if closes else f"{command.name.lower()} {player or ''}".strip()
    log_decision(
        moderator, Action.CLOSED if closes else Action.COMMANDED, Kind.ROOM, room.pk, about=room.owner_id, rule=rule,
        reason=reason, before=room.state, after=after,
    )  # fmt: skip


def _send(room: Room, command: Command, player: int) -> None:
    stream = bus.stream_key(bus.shard_of(room.pk))
    try:
        _client().xadd(stream, bus.entry(Entry.COMMAND, room.pk, "", int(command), player))  # type: ignore[arg-type]  # bytes are fields too
    except redis.RedisError as error:
        raise unavailable() from error


def room_take_down(room: Room, moderator: User, rule: str, reason: str) -> None:
    """Close a room for everybody and take it off all lists; raises :class:`Refused`."""
    if room.state == Room.State.OPEN:
        room_command(room, Visitor(None, "", ""), Command.CLOSE, moderator=moderator, rule=rule, reason=reason)
    else:
        _log(room, moderator, Command.CLOSE, 0, rule, reason)
    Room.objects.filter(pk=room.pk).update(listed=False)


def room_target(data: Mapping[str, Any], visitor: Visitor) -> dict[str, Any]:
    """The target of a ticket for the room ``data["room"]`` (its slug); raises :class:`Refused`."""
    room = Room.objects.filter(slug=str(data.get("room", ""))[:16]).first()
    if room is None:
        raise Refused("not_found", _("This room doesn't exist."))
    if room.state == Room.State.CLOSED:
        raise Refused("room_closed", _("The room is closed."))
    if not rooms_are_available():
        raise unavailable()
    player = player_of(room, visitor)
    if player is not None and player.kicked:
        raise Refused("forbidden", _("The owner removed you from this room."))
    return {"room": room.pk, "play": visitor.user_id is not None or room.guests}


def unavailable() -> Refused:
    return Refused("rooms_unavailable", _("Rooms aren't available right now. You can still play on your own."), 5)


def sweep_rooms() -> int:
    """Close rooms that nobody has used for a while, delete those in which nothing ever happened, and join the logs of
    boards that have ended.  Returns how many rooms were closed or deleted.
    """
    unused = Room.objects.filter(state=Room.State.OPEN, used_at__lt=timezone.now() - timedelta(days=ROOM_KEEP_DAYS))
    deleted, _by_model = unused.filter(players__isnull=True).delete()
    closed = unused.update(state=Room.State.CLOSED, here=0)
    _join_ended_logs()
    return deleted + closed


def _join_ended_logs() -> None:
    """Make one row of the rows for each second of a board."""
    boards = (
        RoomLog.objects.filter(board__ended_at__isnull=False, first__gt=1)
        .order_by("board")
        .values_list("board", flat=True)
        .distinct()[:_JOINED]
    )
    for board in list(boards):
        with transaction.atomic():
            rows = list(RoomLog.objects.select_for_update().filter(board=board).order_by("first"))
            if len(rows) < 2 or rows[0].first != 1:
                continue
            RoomLog.objects.filter(pk=rows[0].pk).update(
                last=rows[-1].last, moves=join_logs([row.moves for row in rows])
            )
            RoomLog.objects.filter(pk__in=[row.pk for row in rows[1:]]).delete()


@cache
def _client() -> redis.Redis:
    return redis_clients.client(settings.PLAY_BUS_URL)
