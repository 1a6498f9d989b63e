"""The players of a room in the memory of the referee."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from replays.play.wire import PlayerRow
from replays.play.wire.rows import AnswerResult

#: Answers that are remembered for moves which are sent again.
_ANSWERS_KEPT: Final = 256
#: Pages of one player that are told apart.
_SESSIONS_KEPT: Final = 8
_GUEST: Final = "guest-"


@dataclass(slots=True)
class Session:
    """A page that counts its own moves 1, 2, 3 …: the last that was decided, and what became of the last ones."""

    own: int = 0
    answers: OrderedDict[int, tuple[AnswerResult, int]] = field(default_factory=OrderedDict)

    def known(self, own: int) -> tuple[AnswerResult, int] | None:
        """The answer to a move that was decided before; None if it is new."""
        if own > self.own:
            return None
        return self.answers.get(own, (AnswerResult.ALREADY_OPEN, 0))

    def remember(self, own: int, result: AnswerResult, stamp: int) -> None:
        """Remember the answer to the move ``own``."""
        self.own = own
        self.answers[own] = result, stamp
        if len(self.answers) > _ANSWERS_KEPT:
            self.answers.popitem(last=False)


@dataclass(slots=True)
class Player:
    """A row of ``RoomPlayer``; score and blasts are those of the game.

    ``full_at``: when the bucket of moves is full again, ms of the stream's clock.
    ``sessions``: the pages in which it has played last, the newest at the end.
    ``here``: its open connections.  ``shown``: what the others know of it.
    """

    key: str
    name: str
    number: int
    hue: int | None = None
    shade: int | None = None
    muted: bool = False
    kicked: bool = False
    full_at: int = 0
    here: int = 0
    shown: PlayerRow | None = None
    sessions: OrderedDict[str, Session] = field(default_factory=OrderedDict)

    @property
    def user_id(self) -> int | None:
        """The account, None for guests."""
        return user_of(self.key)

    def takes(self, at_ms: int, moves_a_second: int) -> bool:
        """Take one move from the bucket, which holds those of two seconds; False if it is empty."""
        interval = 1000 // moves_a_second or 1
        if self.full_at - at_ms > 2000 - interval:
            return False
        self.full_at = max(self.full_at, at_ms) + interval
        return True

    def session(self, name: str) -> Session:
        """The session ``name``, begun now if it is new."""
        found = self.sessions.get(name)
        if found is None:
            found = self.sessions[name] = Session()
            if len(self.sessions) > _SESSIONS_KEPT:
                self.sessions.popitem(last=False)
        return found


def user_of(key: str) -> int | None:
    """The account behind a key of ``Visitor``; None for guests."""
    return None if key.startswith(_GUEST) else int(key.rpartition("-")[2])
