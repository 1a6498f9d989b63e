"""One-time tickets: a page or the API says who plays what, and the first message of a socket carries it.

No cookie is looked at when a socket opens, so that another site can open none in the name of its visitor, and no
session is read.  A ticket that was used is remembered in the cache, which all web processes share, and in this process.
While the cache server is down, one ticket could so open one socket in each process, of its own visitor.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from django.core import signing
from django.core.cache import cache

from replays.play.sockets.visitors import Visitor

Purpose: TypeAlias = Literal["solo", "room"]
PURPOSES: Final[tuple[Purpose, ...]] = ("solo", "room")
#: Gets the fields of the request and the visitor, returns the target of the ticket; raises ``Refused``,
#: ``not_playable`` where the values do not fit each other or nothing like that is played.
TargetOf: TypeAlias = Callable[[Mapping[str, Any], Visitor], dict[str, Any]]
#: By purpose; ``replays.play.apps`` fills it when Django is ready.
TARGETS: Final[dict[str, TargetOf]] = {}

#: A ticket is valid for so long.
TICKET_SECONDS: Final = 60
#: The longest that the wire carries.
MAX_TICKET_CHARS: Final = 1_000
_SALT: Final = "replays.play.ticket"
_KEY: Final = "play-ticket-"


class TicketError(Exception):
    """``code``: ``ticket_bad``, ``ticket_expired`` or ``ticket_used``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Ticket:
    """``target`` has the values that the purpose's own code put in."""

    visitor: Visitor
    target: dict[str, Any]


def issue(visitor: Visitor, purpose: Purpose, target: Mapping[str, Any]) -> str:
    """Sign a ticket.  ``target`` has plain values of JSON and is short; it can be read by the visitor."""
    values = [secrets.token_hex(8), purpose, visitor.user_id, visitor.guest, visitor.name, dict(target)]
    ticket = signing.dumps(values, salt=_SALT, compress=True)
    if len(ticket) > MAX_TICKET_CHARS:
        raise ValueError(f"a ticket of {len(ticket)} characters is too long: {target}")
    return ticket


def redeem(ticket: str, purpose: Purpose) -> Ticket:
    """Redeem ``ticket``, once; raises :class:`TicketError`.  Asks the cache server: call it in no event loop."""
    try:
        values = signing.loads(ticket, salt=_SALT, max_age=TICKET_SECONDS)
    except signing.SignatureExpired as error:
        raise TicketError("ticket_expired") from error
    except signing.BadSignature as error:
        raise TicketError("ticket_bad") from error
    number, meant, user_id, guest, name, target = values
    if meant != purpose:
        raise TicketError("ticket_bad")
    # Twice the time, for clocks of machines that differ.
    if not _used.add(number) or not cache.add(_KEY + number, 1, 2 * TICKET_SECONDS):
        raise TicketError("ticket_used")
    return Ticket(Visitor(user_id, guest, name), target)


class _UsedTickets:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}  # the oldest first
        self._lock = threading.Lock()

    def add(self, number: str) -> bool:
        """Return whether ``number`` was new."""
        now = self._clock()
        with self._lock:
            for old, until in list(self._until.items()):
                if until > now:
                    break
                del self._until[old]
            if number in self._until:
                return False
            self._until[number] = now + 2 * TICKET_SECONDS
            return True


_used = _UsedTickets()
