"""The server's side of a room inside a test: its sockets are those of Playwright, its rules ``ServerGame``.

So a test decides when each message arrives.  What the real server sends is the same by ``replays.play.wire``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import numpy as np
from playwright.sync_api import Page, Route, WebSocketRoute

from analysis.multiplayer.laying import Laying, lay
from analysis.multiplayer.server_game import Answer, MoveKind, Opened, Rules, ServerGame
from replays.play import wire
from replays.play.referee.frames import shown_faces

_RESULTS = {
    Answer.OPENED: 1, Answer.FLAG_SET: 1, Answer.FLAG_TAKEN: 1, Answer.BLAST: 2, Answer.ALREADY_OPEN: 3, Answer.OUTSIDE: 4,
    Answer.NOT_ALLOWED: 5, Answer.NO_CHORD: 5, Answer.OVER: 6, Answer.FLAGGED: 8,
}  # fmt: skip
_KINDS = {wire.Open: MoveKind.OPEN, wire.Flag: MoveKind.FLAG, wire.Chord: MoveKind.CHORD}


@dataclass
class Guest:
    """A page in the room.  ``holds``: messages to it wait in ``held`` until ``release``; ``sent``: what it has sent."""

    player: int
    name: str
    socket: WebSocketRoute | None = None
    holds: bool = False
    held: list[bytes] = field(default_factory=list)
    sent: list[wire.ClientMessage] = field(default_factory=list)
    answered: dict[int, wire.Answer] = field(default_factory=dict)

    def send(self, message: wire.ServerMessage) -> None:
        if self.holds:
            self.held.append(message.encode())
        elif self.socket is not None:
            self.socket.send(message.encode())

    def release(self, *, backwards: bool = False) -> None:
        """Deliver what was held."""
        self.holds = False
        for data in reversed(self.held) if backwards else self.held:
            assert self.socket is not None
            self.socket.send(data)
        self.held.clear()


class FakeRoom:
    """One room: ``join`` a page before it opens the address of the room."""

    def __init__(self, laying: Laying, *, sealed: bool = False, rules: Rules = Rules()) -> None:  # noqa: B008 - frozen
        self.laying, self.sealed, self.rules = laying, sealed, rules
        self.epoch = 1
        self.guests: list[Guest] = []
        self.answers = True
        self._begin()

    def _begin(self) -> None:
        self.game = ServerGame(lay(self.laying), self.rules)
        self.history: list[wire.Move] = []

    def join(self, page: Page, name: str, *, player: int | None = None) -> Guest:
        """Make ``page`` a player (0: a spectator) whose sockets end here."""
        guest = Guest(len(self.guests) + 1 if player is None else player, name)
        self.guests.append(guest)
        page.route("**/api/v1/play/tickets/", lambda route: self._ticket(route, name))
        page.route_web_socket("**/ws/play/room/", lambda socket: self._connect(guest, socket))
        return guest

    @staticmethod
    def _ticket(route: Route, name: str) -> None:
        values = {"ticket": "t", "socket": "/ws/play/room/", "name": name}
        route.fulfill(status=201, content_type="application/json", body=json.dumps(values))

    def _connect(self, guest: Guest, socket: WebSocketRoute) -> None:
        guest.socket = socket
        socket.on_message(lambda data: self._receive(guest, data))

    def _receive(self, guest: Guest, data: str | bytes) -> None:
        assert isinstance(data, bytes)
        message = wire.decode_client(data)
        guest.sent.append(message)
        match message:
            case wire.Hello() | wire.Resync():
                self.welcome(guest)
            case wire.Open() | wire.Flag() | wire.Chord():
                self._click(guest, message)
            case _:
                pass

    def welcome(self, guest: Guest) -> None:
        """The board, the picture, the players."""
        one = self.laying
        guest.send(
            wire.Room(
                epoch=self.epoch, number=self.game.number, you=guest.player, sealed=self.sealed, flags=self.rules.flags,
                chords=self.rules.chords, coop=False, rows=one.rows, columns=one.columns, area=one.area,
                area_mines=one.area_mines, modulus=one.modulus, start=0 if self.sealed else one.start_number,
                mines=int(lay(one).sum()), server_ms=0, name="Room",
            )
        )  # fmt: skip
        self.picture(guest)
        self.players()

    def picture(self, guest: Guest) -> None:
        if self.sealed:
            game = self.game
            shown = shown_faces(game.numbers, game.stamp, game.flags).tobytes()
            owner = np.where(game.stamp > 0, game.owner, game.flags).astype("<u2").tobytes()
            guest.send(wire.Snapshot(self.epoch, game.number, wire.pack(shown), wire.pack(owner)))
        else:
            guest.send(wire.History(self.epoch, self.game.number, tuple(self.history)))

    def players(self) -> None:
        rows = tuple(
            wire.PlayerRow(one.player, one.name, (one.player * 5) % 12, one.player % 5, 0, 0, here=True)
            for one in self.guests
            if one.player
        )
        for guest in self.guests:
            guest.send(wire.Players(self.epoch, rows))
            guest.send(wire.Here(sum(one.socket is not None for one in self.guests)))

    def _click(self, guest: Guest, message: wire.Open | wire.Flag | wire.Chord) -> None:
        if message.epoch != self.epoch:
            return
        if message.own not in guest.answered:  # sent again after a lost connection
            done = self.move(guest.player, message.cell, _KINDS[type(message)])
            guest.answered[message.own] = wire.Answer(self.epoch, message.own, _RESULTS[done.result], done.stamp)
        if self.answers:
            guest.send(guest.answered[message.own])

    def move(self, player: int, cell: int, kind: MoveKind = MoveKind.OPEN) -> Opened:
        """A move of ``player``, told to everybody."""
        done = self.game.move(cell, player, kind)
        if done.stamp:
            shown = shown_faces(self.game.numbers, self.game.stamp, self.game.flags).ravel()
            changed = sorted({*done.cells.tolist(), *done.flagged.tolist(), *done.unflagged.tolist()})
            faces = tuple(wire.Face(one, int(shown[one])) for one in changed) if self.sealed else ()
            names = {
                MoveKind.OPEN: wire.MoveKind.OPEN,
                MoveKind.CHORD: wire.MoveKind.CHORD,
                MoveKind.FLAG: wire.MoveKind.FLAG,
            }
            sent = wire.MoveKind.UNFLAG if done.result is Answer.FLAG_TAKEN else names[kind]
            self.history.append(wire.Move(player, int(sent), cell))
            batch = wire.Moves(self.epoch, done.stamp, (wire.Move(player, int(sent), cell, faces),))
            for guest in self.guests:
                guest.send(batch)
        return done

    def restart(self, laying: Laying) -> None:
        """The next board."""
        self.laying = laying
        self.epoch += 1
        self._begin()
        for guest in self.guests:
            self.welcome(guest)
