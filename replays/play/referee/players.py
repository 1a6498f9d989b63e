from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from replays.play.wire import PlayerRow
from replays.play.wire.rows import AnswerResult

#: Answers that are remembered for moves which are sent again.
_MOST_ANSWERS: Final = 256
#: Pages of one player whose moves are counted apart.
_MOST_SESSIONS: Final = 8
#: The answer to a move that was decided before the last ones.
_NONE: Final = 0, (AnswerResult.ALREADY_OPEN, 0)
_GUEST: Final = "guest-"


@dataclass(slots=True)
class Session:
    """A page that counts its own moves 1, 2, 3 …: the last that was decided, and what became of the last ones.

    ``answers``: the own number of a move and its answer, in the place that its number has modulo ``_MOST_ANSWERS``.
    """

    own: int = 0
    answers: dict[int, tuple[int, tuple[AnswerResult, int]]] = field(default_factory=dict)

    def known(self, own: int) -> tuple[AnswerResult, int] | None:
        """Return None if the move is new."""
        if own > self.own:
            return None
        number, answer = self.answers.get(own % _MOST_ANSWERS, _NONE)
        return answer if number == own else _NONE[1]

    def remember(self, own: int, answer: tuple[AnswerResult, int]) -> None:
        self.own = own
        self.answers[own % _MOST_ANSWERS] = own, answer


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
        return user_of(self.key)

    def takes(self, at_ms: int, moves_a_second: int) -> bool:
        """Take one move from the bucket, which holds those of two seconds; False if it is empty."""
        interval = 1000 // moves_a_second or 1
        if self.full_at - at_ms > 2000 - interval:
            return False
        self.full_at = max(self.full_at, at_ms) + interval
        return True

    def session(self, name: str) -> Session:
        found = self.sessions.get(name)
        if found is None:
            found = self.sessions[name] = Session()
            if len(self.sessions) > _MOST_SESSIONS:
                self.sessions.popitem(last=False)
        return found


def user_of(key: str) -> int | None:
    return None if key.startswith(_GUEST) else int(key.rpartition("-")[2])
