"""Outcomes of decided games: a web process asks the database for all of its games at once, while their players wait."""

from __future__ import annotations

import asyncio
import logging
import uuid
from typing import Final

from players.web.links import replay_address
from replays.play import wire
from replays.play.sockets.event_loops import once_a_loop
from replays.play.solo import selectors
from replays.play.solo.playing import database
from replays.play.solo.playing.database import AWAY

_ASK_SECONDS: Final = 0.25
_AWAY_SECONDS: Final = 2.0
_PATIENCE_SECONDS: Final = 30.0

logger = logging.getLogger(__name__)


class Outcomes:
    """The games of one event loop whose outcome is awaited."""

    def __init__(self) -> None:
        self._waiting: dict[uuid.UUID, asyncio.Future[selectors.GameOutcome]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def wait_for(self, game_id: uuid.UUID) -> wire.Stored:
        """Return the outcome, without the best time before; what is known of it after ``_PATIENCE_SECONDS``.

        Raises ``DatabaseError`` if the database is away then.
        """
        answer = self._waiting[game_id] = asyncio.get_running_loop().create_future()
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        try:
            outcome = await asyncio.wait_for(answer, _PATIENCE_SECONDS)
        except TimeoutError:
            outcome = await database.run(selectors.game_outcome, game_id)
        finally:
            del self._waiting[game_id]
        url = replay_address(outcome.replay_id) if outcome.replay_id else ""
        return wire.Stored(game_id.bytes, outcome.replay_id, url, outcome.rank, outcome.best, 0)

    async def _ask(self) -> None:
        while self._waiting:
            await asyncio.sleep(_ASK_SECONDS)
            try:
                settled = await database.run(selectors.settled_outcomes, list(self._waiting))
            except AWAY as error:
                logger.warning("What became of live games cannot be read now: %s", error)
                await asyncio.sleep(_AWAY_SECONDS)
                continue
            for game_id, outcome in settled.items():
                answer = self._waiting.get(game_id)
                if answer is not None and not answer.done():
                    answer.set_result(outcome)


outcomes_of_loop: Final = once_a_loop(Outcomes)
