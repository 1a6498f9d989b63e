"""The second socket of a single game, over which messages with buttons come once more.

A segment that is lost on the way holds up all that follows on its connection, and the ranked time would be too long by as
much.  It is hardly ever lost on both connections, so of the two arrivals of a message the earlier one counts.
"""

from __future__ import annotations

import uuid

from replays.play import wire
from replays.play.sockets.connection import BAD_MESSAGE, Connection, refuse
from replays.play.solo.playing.registry import registry_of_loop


class CopyConsumer(Connection):
    """Takes copies for the games of its visitor that this process holds; all others are passed over."""

    purpose = "solo"

    async def received(self, message: wire.ClientMessage) -> None:
        if not isinstance(message, wire.Copy):
            refuse(BAD_MESSAGE, "not_now", "This socket takes copies.")
        game = registry_of_loop().find(uuid.UUID(bytes=message.game))
        if game is not None and game.visitor == self.ticket.visitor:
            game.note_copy(message, self.received_ns, self.lag_ns)
