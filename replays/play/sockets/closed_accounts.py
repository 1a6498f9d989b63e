"""Accounts behind open sockets: when one is banned, deactivated or deleted, its sockets are closed within seconds.

One query asks for all accounts of a process.  While the database cannot be asked, everybody plays on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Protocol

from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from players.db.chunks import chunked
from players.models import User
from replays.play.sockets.event_loops import once_a_loop

CHECK_SECONDS: Final = 2.0
_IDS_OF_QUERY: Final = 1_000
_ASKS: Final = ThreadPoolExecutor(1, "play-accounts")

logger = logging.getLogger(__name__)


class Socket(Protocol):
    def account_closed(self) -> None: ...


async def is_open(user_id: int) -> bool:
    return user_id in await _open([user_id])


class Watch:
    def __init__(self) -> None:
        self._sockets: dict[int, set[Socket]] = {}
        self._task: asyncio.Task[None] | None = None

    def add(self, user_id: int, socket: Socket) -> None:
        self._sockets.setdefault(user_id, set()).add(socket)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())

    def remove(self, user_id: int, socket: Socket) -> None:
        sockets = self._sockets.get(user_id, set())
        sockets.discard(socket)
        if not sockets:
            self._sockets.pop(user_id, None)

    async def _look(self) -> None:
        while self._sockets:
            await asyncio.sleep(CHECK_SECONDS)
            asked = list(self._sockets)
            try:
                closed = set(asked) - await _open(asked)
            except Exception:
                logger.exception("Whether accounts are closed could not be asked.")
                continue
            for user_id in closed:
                logger.info("Account %d is closed, and its sockets with it.", user_id)
                for socket in list(self._sockets.get(user_id, ())):
                    socket.account_closed()


async def _open(user_ids: Collection[int]) -> set[int]:
    return await asyncio.get_running_loop().run_in_executor(_ASKS, _ask, list(user_ids))


def _ask(user_ids: list[int]) -> set[int]:
    """Those of ``user_ids`` that are open; all of them, while the database is away."""
    close_old_connections()
    now = timezone.now()
    try:
        found: set[int] = set()
        for some in chunked(user_ids, _IDS_OF_QUERY):
            may_play = User.objects.filter(pk__in=some, is_active=True).exclude(banned_until__gt=now)
            found.update(may_play.values_list("pk", flat=True))
    except DatabaseError as error:
        logger.warning("Whether accounts are closed cannot be asked: %s", error)
        return set(user_ids)
    finally:
        close_old_connections()
    return found


watch_of_loop: Final = once_a_loop(Watch)
