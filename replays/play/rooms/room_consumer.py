from __future__ import annotations

import secrets
from typing import Final

from django.conf import settings

from replays.play import wire
from replays.play.referee.bus import Visitor
from replays.play.rooms.hub import Hub, Member, hub_of_loop
from replays.play.sockets.connection import BAD_MESSAGE, NOT_ALLOWED, Connection, refuse
from replays.play.sockets.tickets import Ticket
from replays.play.wire.rows import AnswerResult, MoveKind

_KINDS: Final = {wire.Open: MoveKind.OPEN, wire.Flag: MoveKind.FLAG, wire.Chord: MoveKind.CHORD}


class RoomConsumer(Connection):
    """The player is the one that the ticket names, whatever the messages say."""

    purpose = "room"

    _member: Member | None = None
    _hub: Hub

    async def opened(self, ticket: Ticket, hello: wire.Hello) -> None:
        if not settings.PLAY_BUS_URL:
            refuse(NOT_ALLOWED, "rooms_unavailable", "Rooms aren't available right now.")
        self._hub = hub_of_loop()
        who, target = ticket.visitor, ticket.target
        session = (hello.game or secrets.token_bytes(16)).hex()
        visitor = Visitor(who.key, who.name, bool(target["play"]), session)
        self._member = await self._hub.join(int(target["room"]), visitor, self)

    async def received(self, message: wire.ClientMessage) -> None:
        member = self._member
        if member is None:
            return
        if isinstance(message, wire.Open | wire.Flag | wire.Chord):
            self._move(member, message)
        elif isinstance(message, wire.Cursor):
            self._hub.cursor(member, message.x, message.y)
        elif isinstance(message, wire.Resync):
            self._hub.picture(member)
        else:
            refuse(BAD_MESSAGE, "not_now", "This is no message of rooms.")

    def _move(self, member: Member, message: wire.Open | wire.Flag | wire.Chord) -> None:
        kind = _KINDS[type(message)]
        allowed = self.may_click() and self._hub.move(member, message.own, message.epoch, int(kind), message.cell)
        if not allowed:
            self.send_now(wire.Answer(message.epoch, message.own, AnswerResult.TOO_FAST, 0))

    async def resync(self) -> None:
        if self._member is not None:
            self._hub.picture(self._member)

    async def closed(self) -> None:
        if self._member is not None:
            self._hub.leave(self._member)
            self._member = None
