"""The games of this process, and the task that stores them: once when they have begun, once when they have ended.

No click waits for it.  A game that has ended is on disk at once (``unsaved.py``), and there until the database has it; while
the database is away, games wait in ``_unsaved`` for the writing task.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections import deque
from collections.abc import Callable, Coroutine
from itertools import compress, islice
from typing import Any, Final

from replays.play.models import LiveGame as Row
from replays.play.sockets.event_loops import once_a_loop
from replays.play.solo import services
from replays.play.solo.playing import database, ending
from replays.play.solo.playing.database import AWAY
from replays.play.solo.playing.played_game import PlayedGame, PlayerSocket
from replays.play.solo.playing.unsaved import HOLDER, EndedGame, unsaved_games

WRITE_SECONDS: Final = 1.0
#: A game whose socket is gone stays for so long.
GRACE_SECONDS: Final = 60.0
#: Games without a socket that one visitor may have; of more the oldest is given up.
MOST_AWAY: Final = 3
#: Games that may wait in memory for the database, of about ten kilobytes each.
MOST_UNSAVED: Final = 20_000
#: Of them, so many are on the way to the database.
_AT_ONCE: Final = 4
#: Games that end within this time are named to the workers together: sending a message takes longer than storing a game.
ASK_SECONDS: Final = 0.2

logger = logging.getLogger(__name__)


class Registry:
    def __init__(self) -> None:
        self.games: dict[uuid.UUID, PlayedGame] = {}
        self._unsaved: deque[EndedGame] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._ends: set[asyncio.Task[None]] = set()
        self._decided: list[uuid.UUID] = []

    # --- sockets come and go ------------------------------------------------------------------------------------------

    def attach(self, game: PlayedGame, connection: PlayerSocket) -> None:
        """Let ``connection`` play ``game``, and close the socket that did so before."""
        before, game.connection, game.away_since = game.connection, connection, None
        game.pings = connection.differences
        if before is not None and before is not connection:
            before.taken_over()
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
        return self.games.get(game_id)

    # --- the end ------------------------------------------------------------------------------------------------------

    def give_up(self, game: PlayedGame, reason: str) -> None:
        game.abandon(reason)
        self.store(game)

    def store(self, game: PlayedGame, show_end: Callable[[PlayedGame], None] = lambda _game: None) -> None:
        """Write a game that has ended, and let its player know what became of it; returns at once.

        ``show_end`` is called when the game is on disk.
        """
        self.games.pop(game.id, None)
        if game.started_at is None:
            show_end(game)
            return  # nothing was opened: nothing is stored
        self._spawn(self._store(game, show_end))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._ends.add(task)
        task.add_done_callback(self._ends.discard)

    async def _store(self, game: PlayedGame, show_end: Callable[[PlayedGame], None]) -> None:
        try:
            try:
                ended = await database.keep(ending.write_to_disk, game, HOLDER)
            finally:
                show_end(game)
            if not self._unsaved and await self._save(ended):
                return
            if len(self._unsaved) >= MOST_UNSAVED:
                logger.error("The live game %s is not stored now: too many wait for the database.", game.id)
                return  # it may be on disk, and then the next process stores it
            self._unsaved.append(ended)
            self._keep_writing()
        except Exception:
            logger.exception("The live game %s could not be stored.", game.id)

    async def _save(self, ended: EndedGame) -> bool:
        """Return whether ``ended`` need not be tried again: the database has it, or will never take it."""
        try:
            stored = await ending.save(ended)
        except AWAY as error:
            logger.warning("The live game %s waits for the database: %s", ended.row.pk, error)
            return False
        except Exception:
            logger.exception("The live game %s cannot be stored, and is dropped.", ended.row.pk)
            stored = None
        unsaved_games().remove()
        if stored is not None:
            self._want_replay(ended.row.pk)
            self._spawn(ending.tell(ended, stored))
        return True

    def _want_replay(self, game_id: uuid.UUID) -> None:
        if not self._decided:
            self._spawn(self._ask_for_replays())
        self._decided.append(game_id)

    async def _ask_for_replays(self) -> None:
        await asyncio.sleep(ASK_SECONDS)
        games, self._decided = self._decided, []
        await asyncio.to_thread(services.queue_hand_in, games)

    async def settle(self) -> None:
        while self._ends:
            await asyncio.gather(*self._ends, return_exceptions=True)

    # --- once a second ------------------------------------------------------------------------------------------------

    def _keep_writing(self) -> None:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())

    async def _write_all(self) -> None:
        """Write while there are games; whatever fails is tried again after a second."""
        more = False
        while self.games or self._unsaved:
            await asyncio.sleep(0 if more else WRITE_SECONDS)
            more = False
            try:
                await self.write_once()
                more = await self._save_unsaved()
            except AWAY as error:
                logger.warning("Live games are not written now, but later: %s", error)
            except Exception:
                logger.exception("Live games could not be written; they go on, and are written later.")

    async def _save_unsaved(self) -> bool:
        """Hand in what has waited for the database, the oldest first; returns whether more of them can follow at once.

        After a second it is the turn of games that have begun.
        """
        ends = time.monotonic() + WRITE_SECONDS
        while self._unsaved and time.monotonic() < ends:
            some = list(islice(self._unsaved, _AT_ONCE))
            saved = await asyncio.gather(*map(self._save, some))
            for game in compress(some, saved):
                self._unsaved.remove(game)
            if not all(saved):
                return False
        return bool(self._unsaved)

    async def write_once(self) -> None:
        """Store the games that have begun since the last time."""
        new = [
            one
            for one in self.games.values()
            # While a board that needs no guess is looked for, nobody plays.
            if one.state == Row.State.PLAYING and not one.is_stored and one.machine.board is not None
        ]
        if not new:
            return
        await database.keep(unsaved_games().open)
        await database.run(services.games_begin, [game.row(HOLDER) for game in new])
        for game in new:
            game.is_stored = True


registry_of_loop: Final = once_a_loop(Registry)
