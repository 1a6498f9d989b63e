"""The socket of single play.

``Hello`` -> (``Game``, if one goes on) -> ``New`` -> ``Game`` -> ``Start`` -> ``Input`` … -> ``Faces`` … ->
``Over`` -> ``Stored``.  Before ``Over`` every message is a function of what is open and flagged (``tests/replays/play/twins``).
The commitment is in ``Game``, so it is always sent before the board can depend on anything; who plays, and which game, is
known from the ticket and the socket alone.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from functools import cache
from typing import Any, Final

from analysis import warmup
from analysis.click_machine import Result
from analysis.fair import Rules
from analysis.live import Advance
from replays.play import wire
from replays.play.models import LiveGame as Row
from replays.play.sockets.connection import BAD_MESSAGE, CONNECT_AGAIN, TAKEN_OVER, Connection, refuse
from replays.play.sockets.event_loops import once_a_loop
from replays.play.sockets.socket_limits import Buckets
from replays.play.sockets.tickets import Ticket
from replays.play.solo import selectors
from replays.play.solo.playing import database
from replays.play.solo.playing.ending import adopt_abandoned_games
from replays.play.solo.playing.no_guess import NotFound, Searches
from replays.play.solo.playing.played_game import GameRefused, PlayedGame, buttons_in
from replays.play.solo.playing.registry import Registry, registry_of_loop
from replays.play.solo.shapes import BadShape, GameShape, shape_of
from replays.play.solo.unranked_reasons import ERRORS
from replays.upload.kernels import compile_beside

#: New games of one visitor: so many a second, and twice as many at once.
GAMES_A_SECOND: Final = 5
_MOST_WAIT_SECONDS: Final = 5.0
_WAIT_SECONDS: Final = 0.1
#: After a game that outlasted the server, its player is told the outcome within this time.
_LAST_WORD_SECONDS: Final = 5.0

logger = logging.getLogger(__name__)


class SoloConsumer(Connection):
    purpose = "solo"
    most_differences = 300  # ten minutes: by them the ranked time is judged

    shape: GameShape
    registry: Registry
    game: PlayedGame | None = None
    _told: asyncio.Event | None = None  # whether OVER was sent of the game before
    _drains = False

    # --- the life of the socket ---------------------------------------------------------------------------------------

    async def opened(self, ticket: Ticket, hello: wire.Hello) -> None:
        """Go on with the game that the client names, if it is the visitor's."""
        try:
            self.shape = shape_of(ticket.target)
        except BadShape:
            refuse(BAD_MESSAGE, "bad_shape", "This game doesn't exist.")
        self.registry = registry_of_loop()
        server_end: Any = (self.scope.get("extensions") or {}).get("server_end")  # ``config.http.protocols``
        if server_end is not None:
            server_end.outlasts = self._outlasts_server
        if hello.game:
            await self._go_on(uuid.UUID(bytes=hello.game))

    async def received(self, message: wire.ClientMessage) -> None:
        if isinstance(message, wire.Input):
            self._input(message)
        elif isinstance(message, wire.New):
            await self._new(message)
        elif isinstance(message, wire.Start):
            self._start(message)
        elif isinstance(message, wire.Leave):
            self._leave()
        elif isinstance(message, wire.Resync):
            await self.resync()
        else:
            refuse(BAD_MESSAGE, "not_now", "This is no message of single games.")

    async def resync(self) -> None:
        if self.game is not None:
            self._show(self.game)

    async def closed(self) -> None:
        if self.game is None:
            return
        if self._drains:  # nobody can connect to this process any more
            self.registry.give_up(self.game, "interrupted")
        else:
            self.registry.detach(self.game)
        self.game = None

    def _outlasts_server(self, seconds: float) -> bool:
        """Return whether the socket stays open until its game has ended, although the server takes no new ones."""
        self._drains = self.game is not None and self.game.started_at is not None
        if self._drains:
            self._close_after(seconds)
        return self._drains

    def _close_after(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self.fail, CONNECT_AGAIN, "restarting", ERRORS["restarting"])

    def fail(self, close_code: int, code: str, message: str = "") -> None:
        """Close after an ``Error``; a message that cannot be read ends the game as well."""
        if close_code == BAD_MESSAGE and self.game is not None:
            self.end_refused(self.game, "format")
        super().fail(close_code, code, message)

    def taken_over(self) -> None:
        self.game = None
        self.fail(TAKEN_OVER, "taken_over", "The game goes on in another window.")

    # --- the beginning ------------------------------------------------------------------------------------------------

    async def _new(self, message: wire.New) -> None:
        """A fresh game; the running one is given up."""
        if self._drains:
            if self.game is not None:
                self.registry.give_up(self.game, "given_up")
                self.game = None
            refuse(CONNECT_AGAIN, "restarting", ERRORS["restarting"])
        if not await self._may_begin():
            self.send_now(_error("too_many_games"))
            return
        if not await self._ready():
            self.send_now(_error("getting_ready"))
            return
        if self.game is not None:
            self.registry.give_up(self.game, "given_up")
        elif self._told is not None:  # OVER names no game, so it comes before the next GAME
            await asyncio.wait([asyncio.create_task(self._told.wait())], timeout=_MOST_WAIT_SECONDS)
        game = PlayedGame(self.ticket.visitor, self.shape, message.cell_px, message.settings, message.device)
        self.game = game
        self.registry.attach(game, self)
        self._show(game)

    async def _may_begin(self) -> bool:
        """Return whether a game may begin, after a wait of up to ``_MOST_WAIT_SECONDS`` if many have begun."""
        ends = time.monotonic() + _MOST_WAIT_SECONDS
        while not _new_games().take(self.ticket.visitor.key):
            if time.monotonic() > ends:
                return False
            await asyncio.sleep(_WAIT_SECONDS)
        return True

    async def _ready(self) -> bool:
        """Return whether the kernels are compiled, and load them in a thread; if not, start to compile them."""
        needed = ("live", "fair") if self.shape.rules is Rules.NO_GUESS else ("live",)
        if not all(map(warmup.is_ready, needed)):
            compile_beside()
            return False
        if not _loaded:
            await asyncio.to_thread(warmup.compile_group, "live")
            _loaded.add("live")
        return True

    def _start(self, message: wire.Start) -> None:
        game = self.game
        if game is None:
            return  # it was ended while this message was on its way
        try:
            game.start(message.nonce)
        except GameRefused:
            refuse(BAD_MESSAGE, "not_now", "The game has begun already.")

    async def _go_on(self, game_id: uuid.UUID) -> None:
        """Let the player go on with a game of this process, or connect again while another process has it."""
        game = self.registry.find(game_id)
        if game is None and await database.run(selectors.is_running, game_id, self.ticket.visitor):
            adopt_abandoned_games()  # that process may have died
            refuse(CONNECT_AGAIN, "elsewhere", ERRORS["elsewhere"])
        if game is None or game.visitor != self.ticket.visitor or not game.is_running:
            self.send_now(_error("no_game"))
            return
        self.game, self.shape = game, game.shape
        self.registry.attach(game, self)
        self._show(game)

    def _show(self, game: PlayedGame) -> None:
        resumed = game.seq > 0
        self.send_now(
            wire.Game(
                game.id.bytes, bytes.fromhex(game.commit), game.shape.rows, game.shape.columns, game.shape.mines,
                game.shape.rules.value, resumed, game.seq, game.elapsed_ms(time.monotonic_ns()) if resumed else 0,
                wire.pack(game.machine.shown().tobytes()) if resumed else b"",
            )
        )  # fmt: skip
        if game.search is not None and game.machine.board is None:
            self.send_now(wire.Working())

    # --- playing ------------------------------------------------------------------------------------------------------

    def _input(self, message: wire.Input) -> None:
        game = self.game
        if game is None:
            return  # what was still on its way when the game ended
        if game.nonce is None:
            refuse(BAD_MESSAGE, "not_now", "START comes before INPUT.")
        if message.seq <= game.seq:
            return  # sent again after a lost connection
        buttons = buttons_in(message.events)
        try:
            if buttons and not self.may_click(buttons):
                raise GameRefused("too_many_buttons")
            step = game.play(message, self.received_ns, self.lag_ns)
        except GameRefused as error:
            self.end_refused(game, error.code)
            return
        if step.needs_board is not None:
            if game.shape.rules is Rules.NO_GUESS:
                self._search_board(game)
                return
            step = game.lay(self.received_ns)
        self.answer(game, step, always=buttons > 0)

    def answer(self, game: PlayedGame, step: Advance, *, always: bool) -> None:
        if always or len(step.cells) or step.result is not None:
            faces = tuple(map(wire.Face, step.cells.tolist(), step.faces.tolist()))
            self.send_now(wire.Faces(game.seq, faces))
        if step.result is not None:
            game.finish(self.received_ns)
            self._over(game)

    # --- boards that need no guess ------------------------------------------------------------------------------------

    def _search_board(self, game: PlayedGame) -> None:
        if game.search is None:
            game.search = asyncio.create_task(self._find_board(game))
            self.send_now(wire.Working())

    async def _find_board(self, game: PlayedGame) -> None:
        shape = game.shape
        try:
            attempt = await _searches().find(
                game.secret, game.nonce or b"", (shape.rows, shape.columns, shape.mines), game.first_cell or 0
            )
        except NotFound:
            self._end_without_board(game)
        except Exception:
            logger.exception("The search for the board of %s failed.", game.id)
            self._end_without_board(game)
        else:
            if game.is_running:
                self._lay_found(game, attempt)

    def _lay_found(self, game: PlayedGame, attempt: int) -> None:
        step = game.lay(time.monotonic_ns(), attempt)
        if game.connection is not None:
            game.connection.answer(game, step, always=True)
        elif step.result is not None:  # decided by what was sent before the socket was lost
            game.finish(time.monotonic_ns())
            self.registry.store(game)

    def _end_without_board(self, game: PlayedGame) -> None:
        if game.is_running and game.connection is not None:
            game.connection.end_refused(game, "no_board")
        elif game.is_running:
            self.registry.give_up(game, "no_board")

    # --- the end ------------------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        if self.game is not None:
            self.end_refused(self.game, "given_up")

    def end_refused(self, game: PlayedGame, reason: str) -> None:
        game.abandon(reason)
        self._over(game)

    def _over(self, game: PlayedGame) -> None:
        """End ``game``; its player is told as soon as it is on disk."""
        self.game, self._told = None, asyncio.Event()
        self.registry.store(game, self.show_end)

    def show_end(self, game: PlayedGame) -> None:
        """Show the numbers and the secret, now that nothing can be played with them."""
        if self._told is not None:
            self._told.set()
        if self._drains:
            self._close_after(_LAST_WORD_SECONDS)
        if self.game not in (None, game):
            return  # the disk was so slow that the next game has begun
        self.game = None
        board = game.machine.board
        result = wire.Result.GIVEN_UP
        if game.state == Row.State.OVER:
            result = wire.Result.WON if game.machine.result is Result.WON else wire.Result.LOST
        self.send_now(
            wire.Over(
                result, game.time_ms, game.reason == "", game.reason, game.secret,
                game.nonce or bytes(16), game.attempt, b"" if board is None else board.packed(),
                game.machine.span_ms, game.elapsed_ms(time.monotonic_ns()),
                round(game.jitter_at_end_ms), game.machine.bv or 0, game.machine.counts.bvdone,
            )
        )  # fmt: skip


_loaded: set[str] = set()


@cache
def _new_games() -> Buckets:
    return Buckets(GAMES_A_SECOND)


_searches: Final = once_a_loop(Searches)


def _error(code: str) -> wire.Error:
    return wire.Error(False, code, ERRORS[code])
