"""The games of this process, and the task that writes them once a second.

No click waits for it.  Only this process writes a game while it is its holder; a game that another process has taken
over is dropped, and its socket is closed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
import uuid
from typing import TYPE_CHECKING, Final

from django.db import DatabaseError

from replays.play.models import LiveGame as Row
from replays.play.sockets.connection import TAKEN_OVER
from replays.play.solo import services
from replays.play.solo.playing import database
from replays.play.solo.playing.game import PlayedGame

if TYPE_CHECKING:
    from replays.play.solo.consumer import SoloConsumer

WRITE_SECONDS: Final = 1.0
#: A game whose socket is gone stays for so long.
GRACE_SECONDS: Final = 60.0
#: Games without a socket that one visitor may have; of more the oldest is given up.
MOST_AWAY: Final = 3
#: A row that cannot be written for so long is given up: the player goes on without it.
HOLDER: Final = secrets.token_hex(16)

logger = logging.getLogger(__name__)


class Registry:
    """The games by id, in one event loop."""

    def __init__(self) -> None:
        self.games: dict[uuid.UUID, PlayedGame] = {}
        self._writing: asyncio.Task[None] | None = None
        self._ends: set[asyncio.Task[None]] = set()

    # --- sockets come and go ------------------------------------------------------------------------------------------

    def attach(self, game: PlayedGame, connection: SoloConsumer) -> None:
        """Let ``connection`` play ``game``; a socket that did so before is closed."""
        before, game.connection, game.away_since = game.connection, connection, None
        game.pings = connection.differences
        if before is not None and before is not connection:
            before.lose_game()
            before.fail(TAKEN_OVER, "taken_over", "The game goes on in another window.")
        self.games[game.id] = game
        self._keep_writing()

    def detach(self, game: PlayedGame) -> None:
        """The socket of ``game`` is gone; it may come back for ``GRACE_SECONDS``, while the clock runs."""
        game.connection, game.away_since = None, time.monotonic()
        if game.state == Row.State.WAITING:
            self.games.pop(game.id, None)  # nothing was opened, so nothing is lost
            return
        away = [one for one in self.games.values() if one.connection is None and one.visitor == game.visitor]
        for old in sorted(away, key=lambda one: one.away_since or 0.0)[:-MOST_AWAY]:
            self.give_up(old, "disconnected")
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._expire, game)

    def _expire(self, game: PlayedGame) -> None:
        away = game.away_since
        if game.is_running and away is not None and time.monotonic() - away >= GRACE_SECONDS - 0.5:
            self.give_up(game, "disconnected")

    def find(self, game_id: uuid.UUID) -> PlayedGame | None:
        """The running game of this process with this id."""
        return self.games.get(game_id)

    # --- the end ------------------------------------------------------------------------------------------------------

    def give_up(self, game: PlayedGame, reason: str) -> None:
        """End ``game`` without a decision."""
        game.abandon(reason)
        self.store(game)

    def store(self, game: PlayedGame) -> None:
        """Write a game that has ended, and let its player know what became of it; returns at once."""
        self.games.pop(game.id, None)
        if game.started_at is None:
            return  # nothing was opened: nothing is stored
        task = asyncio.create_task(self._store(game))
        self._ends.add(task)
        task.add_done_callback(self._ends.discard)

    async def _store(self, game: PlayedGame) -> None:
        from replays.play.solo.playing.ending import store_game  # it needs the registry's services only at the end

        try:
            await store_game(game)
        except Exception:
            logger.exception("The live game %s could not be stored.", game.id)

    async def settle(self) -> None:
        """Wait until all games that have ended are stored."""
        while self._ends:
            await asyncio.gather(*self._ends, return_exceptions=True)

    # --- once a second ------------------------------------------------------------------------------------------------

    def _keep_writing(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())

    async def _write_all(self) -> None:
        while self.games:
            await asyncio.sleep(WRITE_SECONDS)
            try:
                await self.write_once()
            except DatabaseError:
                logger.exception("Live games could not be written; they go on, and are written later.")

    async def write_once(self) -> None:
        """Write what happened since the last time."""
        playing = [game for game in self.games.values() if game.state == Row.State.PLAYING]
        if not playing:
            return
        new = [game for game in playing if not game.is_stored]
        held = [game.id for game in playing if game.is_stored]
        logged = {game: game.logged for game in playing}
        parts = [
            services.LogPart(game.id, log[0], game.seq, log[1].tobytes())
            for game in playing
            if (log := game.take_log()) is not None
        ]
        for game in new:
            game.is_stored = True
        try:
            lost = await database.write(services.games_write, HOLDER, [game.row(HOLDER) for game in new], held, parts)
        except Exception:
            for game in playing:
                game.logged = logged[game]
            for game in new:
                game.is_stored = False
            raise
        for game_id in lost:
            self._drop(game_id)

    def _drop(self, game_id: uuid.UUID) -> None:
        """Another process has the game."""
        game = self.games.pop(game_id, None)
        if game is not None and game.connection is not None:
            connection = game.connection
            connection.lose_game()
            connection.fail(TAKEN_OVER, "taken_over", "The game goes on in another window.")


_registries: dict[asyncio.AbstractEventLoop, Registry] = {}


def registry_of_loop() -> Registry:
    """The registry of the running event loop; a process of the site has one."""
    loop = asyncio.get_running_loop()
    found = _registries.get(loop)
    if found is None:
        for old in [one for one in _registries if one.is_closed()]:
            del _registries[old]
        found = _registries[loop] = Registry()
    return found
