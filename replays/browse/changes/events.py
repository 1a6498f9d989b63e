"""The events of the site as they happen: one task a process reads the feed of changes and hands them to all listeners.

A listener takes no thread and asks the database nothing, but where it was away: what it missed is read for it, page by
page, by the one thread that also reads for all.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from django.core.serializers.json import DjangoJSONEncoder

from players.db.changes import Place, changes_after, place_now
from players.db.own_connection import disconnected
from players.leaderboards.records.selectors import RecordIdentity, RecordRow, records_of_ids
from players.leaderboards.records.serializers import RecordSerializer, TakenBackSerializer
from players.models import Change, RecordEvent
from replays.models import Replay
from replays.upload.intake.serializers import StatusSerializer

T = TypeVar("T")

KINDS: Final = ("record", "best", "upload")
#: Listeners of a process, and of one address.
MOST_LISTENERS: Final = 500
MOST_OF_ADDRESS: Final = 20
LOOK_SECONDS: Final = 1.0
#: A proxy takes a silent connection for a dead one after a minute.
ALIVE_SECONDS: Final = 20.0
#: A stream ends then, so that accounts that were closed and tokens that ended hear no more; the program connects again.
LONGEST_SECONDS: Final = 3_600.0
_PAGE: Final = 200
#: Pages that are read for a listener who was away; who missed more reads the feed.
_MISSED_PAGES: Final = 50
#: Looks whose events wait for a listener who reads slowly; with more the stream ends, and goes on where it was.
_WAITING: Final = 60
#: Listeners that are given events at a time, and seconds until the next ones are: half a second for the most.
_AT_ONCE: Final = 20
_PAUSE_SECONDS: Final = 0.02
#: The kinds of events that an entry of the feed may be.
_EVENTS_OF: Final[dict[tuple[str, str], set[str]]] = {
    (Change.Thing.RECORD, Change.Kind.CREATED): {"record", "best"},
    (Change.Thing.RECORD, Change.Kind.DELETED): {"record", "best"},
    (Change.Thing.UPLOAD, Change.Kind.CREATED): {"upload"},
    (Change.Thing.UPLOAD, Change.Kind.CHANGED): {"upload"},
}
_READS: Final = ThreadPoolExecutor(1, "events")

logger = logging.getLogger(__name__)


class Event(NamedTuple):
    """``order``: its place in the feed.  ``account``: who alone may hear of it; None: everybody."""

    order: tuple[int, int]
    kind: str
    account: int | None
    text: bytes


@dataclass(eq=False, slots=True)
class Listener:
    """A program that listens.  ``account``: whose own uploads it hears of; ``place``: where it was, if it was away."""

    kinds: frozenset[str]
    address: str
    account: int | None = None
    place: Place | None = None
    #: The events of a look in one piece: put and taken one by one for each of 500 listeners, they took longer than sending.
    waiting: asyncio.Queue[list[Event]] = field(default_factory=lambda: asyncio.Queue(_WAITING))
    lost: bool = False

    def hears(self, event: Event) -> bool:
        return event.kind in self.kinds and event.account in (None, self.account)

    def take(self, events: Iterable[Event]) -> None:
        """Have ``events`` wait; none after some for which there was no room."""
        if heard := [event for event in events if self.hears(event)]:
            self.lost = self.lost or self.waiting.full()
            if not self.lost:
                self.waiting.put_nowait(heard)


class Hub:
    """The listeners of this process, and the task that reads for them while there are any."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        #: Up to here the listeners were given all events.
        self._place: Place | None = None
        self._task: asyncio.Task[None] | None = None
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def has_room(self, address: str) -> bool:
        """Return whether one more listener of ``address`` may come; asked by threads of pages too."""
        listeners = list(self.listeners)
        return len(listeners) < MOST_LISTENERS and sum(one.address == address for one in listeners) < MOST_OF_ADDRESS

    async def stream(self, listener: Listener) -> AsyncGenerator[bytes]:
        """Yield the text of the stream, from where the listener was on, until it ends."""
        self.listeners.add(listener)
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                now = await _in_thread(place_now)
                self._read_on(now)
                place, more = listener.place or now, listener.place is not None
                yield b"retry: 3000\n" + _reached(place)
                for _page in range(_MISSED_PAGES):
                    if not more:
                        break
                    events, place, more = await self._read_missed(place, listener)
                    for event in filter(listener.hears, events):
                        yield event.text
                    # The page may have nothing to hear: without its place, the program would begin there for ever.
                    yield _reached(place)
                if more:
                    return  # the program connects again, and goes on from there
                async for text in self._live(listener, _order(place)):
                    yield text
        except TimeoutError:
            return
        finally:
            self.listeners.discard(listener)

    async def _read_missed(self, place: Place, listener: Listener) -> tuple[list[Event], Place, bool]:
        """Read a page for a listener who was away, one at a time; addresses take turns, however many listeners they have.

        Then nothing that was missed is read for as long again: the thread is free for what happens now.
        """
        async with self._turn(listener.address), self._turn(""):
            begun = time.monotonic()
            page = await _in_thread(_read, place, listener)
            await asyncio.sleep(time.monotonic() - begun)
        return page

    def _turn(self, address: str) -> asyncio.Lock:
        """The lock of ``address``, or of all (""); it is forgotten with the last who waits for it."""
        return self._turns.setdefault(address, asyncio.Lock())

    async def _live(self, listener: Listener, seen: tuple[int, int]) -> AsyncGenerator[bytes]:
        while not (listener.lost and listener.waiting.empty()):
            try:
                # Not ``wait_for``, which on Python 3.11 loses a cancellation where an event has just come.
                async with asyncio.timeout(ALIVE_SECONDS):
                    pieces = [await listener.waiting.get()]
            except TimeoutError:
                place = self._place
                if place and _order(place) > seen and listener.waiting.empty():
                    # Else a program that seldom hears something would read all this when it connects again.
                    seen = _order(place)
                    yield _reached(place)
                else:
                    yield b": still here\n\n"
                continue
            # All that waits is sent at once: 500 listeners times each event would keep the pages waiting.
            pieces += [listener.waiting.get_nowait() for _ in range(listener.waiting.qsize())]
            if new := [event for events in pieces for event in events if event.order > seen]:
                seen = new[-1].order
                yield b"".join(event.text for event in new)

    def _read_on(self, place: Place) -> None:
        """Have the task run: from ``place`` on if it begins, and if it runs it has not read beyond."""
        if self._task is None or self._task.done() or self._task.get_loop() is not asyncio.get_running_loop():
            self._task = asyncio.create_task(self._look(place))

    async def _look(self, place: Place) -> None:
        while self.listeners:
            try:
                events, place, more = await _in_thread(_read, place)
            except Exception:
                logger.exception("The feed of changes could not be read for events.")
                more = False
            else:
                if events:
                    await self._hand_out(events)
                self._place = place
            await asyncio.sleep(0 if more else LOOK_SECONDS)

    async def _hand_out(self, events: list[Event]) -> None:
        """Give ``events`` to some listeners at a time, so that pages have the processor in between."""
        listeners = list(self.listeners)
        for start in range(0, len(listeners), _AT_ONCE):
            for listener in listeners[start : start + _AT_ONCE]:
                listener.take(events)
            await asyncio.sleep(_PAUSE_SECONDS)


HUB: Final = Hub()


def _read(place: Place, listener: Listener | None = None) -> tuple[list[Event], Place, bool]:
    """Return the events of a page of the feed, the place after it, and whether more are there.

    For a ``listener``, no work is done on what it does not hear.
    """
    kinds = frozenset(KINDS) if listener is None else listener.kinds
    page = changes_after(place, _PAGE, private="upload" in kinds)
    changes = _without_replaced(
        change for change in page.rows if kinds & _EVENTS_OF.get((change.thing, change.kind), set())
    )
    rows = records_of_ids(_ids(changes, Change.Thing.RECORD), None, _PAGE).rows
    records = {record.id: record for record in rows if _kind(record) in kinds}
    replays = Replay.objects.all() if listener is None else Replay.objects.filter(uploader=listener.account)
    uploads = replays.in_bulk(_ids(changes, Change.Thing.UPLOAD))
    events: list[Event] = []
    for change in changes:
        at = Place(page.place.feed, change.log_position, change.pk)
        if change.thing == Change.Thing.RECORD and change.kind == Change.Kind.DELETED:
            taken = RecordIdentity.of_text(change.identity)
            if _kind(taken) in kinds:
                events.append(_event(at, _kind(taken), None, TakenBackSerializer(taken).data, "withdrawn"))
        elif change.thing == Change.Thing.RECORD and (record := records.get(change.thing_id)):
            name = "restored" if change.identity else _kind(record)
            events.append(_event(at, _kind(record), None, RecordSerializer(record).data, name))
        elif change.thing == Change.Thing.UPLOAD and (replay := uploads.get(change.thing_id)) and replay.uploader_id:
            events.append(_event(at, "upload", replay.uploader_id, StatusSerializer(replay).data))
    return events, page.place, page.more


def _without_replaced(changes: Iterable[Change]) -> list[Change]:
    """Leave out records that one transaction took back and stored again: games are added anew when something of them changes."""
    found = list(changes)
    taken, back = (
        {(one.log_position, one.identity) for one in found if one.identity and one.kind == kind}
        for kind in (Change.Kind.DELETED, Change.Kind.CREATED)
    )
    return [one for one in found if (one.log_position, one.identity) not in taken & back]


def _order(place: Place) -> tuple[int, int]:
    return place.position, place.number


def _reached(place: Place) -> bytes:
    """An event without data: programs hear nothing, but begin there when they connect again."""
    return f"id: {place}\n\n".encode()


def _kind(record: RecordRow | RecordIdentity) -> str:
    return "record" if record.kind == RecordEvent.Kind.SITE else "best"


def _ids(changes: Iterable[Change], thing: str) -> list[int]:
    return [change.thing_id for change in changes if change.thing == thing]


def _event(at: Place, kind: str, account: int | None, data: object, name: str = "") -> Event:
    """``name``: of the event, if it is not that of its kind."""
    text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
    return Event(_order(at), kind, account, f"id: {at}\nevent: {name or kind}\ndata: {text}\n\n".encode())


async def _in_thread(function: Callable[..., T], *args: object) -> T:
    return await asyncio.get_running_loop().run_in_executor(_READS, partial(disconnected, function, *args))
