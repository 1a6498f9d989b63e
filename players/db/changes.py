"""The feed of changes: which public rows came, changed or went, in an order in which nothing is ever missing.

A page has the entries of transactions that are over, and of which every earlier one is over too (``log_position``): what
commits later is at a later place.  So an entry comes once, as soon as all transactions that began before it have ended.

A place in the feed is given to readers as a text: the feed it belongs to, the position and the id of the last entry.  The
feed is named, since positions mean nothing in another server's database, nor after a restore from a backup
(:func:`begin_anew`).  Entries are stored for :data:`RETENTION` by the clock of the database; up to which position they were
deleted is stored with the deletion (the low-water mark), so a reader who lost some is told so, and no clock decides that.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import F
from django.db.models.fields.tuple_lookups import TupleGreaterThan
from django.db.models.functions import Now

from players.db.keyset import BadCursor
from players.models import MAX_ID, Change

#: Entries are stored a day longer, so that what a reader is promised is there.
RETENTION: Final = timedelta(days=30)
_MARGIN: Final = timedelta(days=1)
_PLACE: Final = re.compile(r"([0-9]{1,20})\.([0-9]{1,19})\.([0-9]{1,19})", re.ASCII)
_XIDS: Final = 2**32
#: What everybody may hear of.
PUBLIC: Final = (Change.Thing.REPLAY, Change.Thing.PLAYER, Change.Thing.RECORD)
#: Entries that one statement of the deletion takes; each is a transaction of its own.
_DELETED_AT_ONCE: Final = 5_000


class PlaceLost(ValueError):
    """A place whose later entries are no longer all stored, or that belongs to another feed."""


@dataclass(frozen=True, slots=True)
class Place:
    """Everything up to the entry ``number`` of the transaction at ``position`` has been read."""

    feed: int
    position: int
    number: int

    def __str__(self) -> str:
        return f"{self.feed}.{self.position}.{self.number}"


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """Some consecutive entries, and the place after them; ``more``: further entries are there already."""

    rows: list[Change]
    place: Place
    more: bool


@dataclass(frozen=True, slots=True)
class _Moment:
    """The feed, its low-water mark, the oldest transaction that runs on the server, and the number of the next one."""

    feed: int
    low_water: int
    oldest: int
    following: int

    @property
    def place(self) -> Place:
        return Place(self.feed, self.oldest, 0)


def _moment() -> _Moment:
    told = dict(Change.objects.filter(thing=Change.Thing.FEED).order_by("id").values_list("kind", "thing_id"))
    feed, low_water = told.get(Change.Kind.DELETED, 0), told.get(Change.Kind.CHANGED, 0)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT system_identifier, pg_snapshot_xmin(pg_current_snapshot())::text::bigint,"
            " pg_snapshot_xmax(pg_current_snapshot())::text::bigint FROM pg_control_system()"
        )
        server, oldest, following = cursor.fetchone()
    # In a copy of the database on another server, numbers begin anew, and the mark means nothing.
    return _Moment(server + feed, low_water if low_water < following else 0, oldest, following)


def place_from(text: str) -> Place:
    """The place that ``text`` is; raises ``BadCursor``, or :class:`PlaceLost` if it is too old or of another feed."""
    found = _PLACE.fullmatch(text)
    numbers = [int(one) for one in found.groups()] if found else []
    if not numbers or max(numbers[1:]) > MAX_ID:
        raise BadCursor("The cursor does not belong to this list.")
    place, now = Place(*numbers), _moment()
    ahead = place.position > now.following  # not reached yet, as after a restore
    if place.position <= now.low_water or ahead or place.feed != now.feed:
        raise PlaceLost("Entries after this place are no longer stored.")
    return place


def place_now() -> Place:
    """The place after everything that earlier statements saw for certain; some of it may come again.

    In a transaction that reads one snapshot (a dump), the place of that snapshot.
    """
    return _moment().place


def begin_anew() -> None:
    """Void all places: the rows are no longer those that readers have followed."""
    Change.objects.filter(thing=Change.Thing.FEED).delete()
    Change.objects.create(thing=Change.Thing.FEED, thing_id=secrets.randbits(32), kind=Change.Kind.DELETED)


def changes_after(place: Place, size: int, *, private: bool = False) -> ChangesPage:
    """The ``size`` entries after ``place``, oldest first; with ``private`` also those about the uploads of accounts."""
    now = _moment()
    beyond = TupleGreaterThan((F("log_position"), F("id")), (place.position, place.number))
    things = (*PUBLIC, Change.Thing.UPLOAD) if private else PUBLIC
    settled = replace(now.place, position=max(place.position, _settled_position(now.following)))
    rows = Change.objects.filter(beyond, thing__in=things, log_position__lt=settled.position)
    found = list(rows.order_by("log_position", "id")[: size + 1])
    if len(found) > size:
        last = found[size - 1]
        return ChangesPage(found[:size], replace(settled, position=last.log_position, number=last.pk), more=True)
    return ChangesPage(found, settled, more=False)


def _settled_position(following: int) -> int:
    """The position below which every transaction of this database is over.

    The snapshot alone would not do: a long transaction of another database on the same server would hold the feed up.
    ``following``, the number of the next transaction, was read before: what began before it is seen running here, or has
    ended and is visible to the statements that follow.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT backend_xid::text::bigint FROM pg_stat_activity"
            " WHERE datname = current_database() AND backend_xid IS NOT NULL"
        )
        running = [number for (number,) in cursor.fetchall()]
    # They are told without their upper half: how far back each is, or else it began since.
    back = [(following - number) % _XIDS for number in running]
    return following - max((one for one in back if one < _XIDS // 2), default=0)


def was_deleted(thing: str, thing_id: int) -> bool:
    """Return whether there was such a public row once; deletions are stored for good."""
    return Change.objects.filter(thing=thing, thing_id=thing_id, kind=Change.Kind.DELETED).exists()


def delete_old_changes() -> int:
    """Delete entries that no reader can ask for, but for deletions, which tell that an address is gone for good."""
    stored = Change.objects.filter(updated_at__lt=Now() - RETENTION - _MARGIN)
    old = stored.exclude(kind=Change.Kind.DELETED).exclude(thing=Change.Thing.FEED)
    deleted = 0
    while rows := list(old.values_list("pk", "log_position")[:_DELETED_AT_ONCE]):
        with transaction.atomic():
            _raise_low_water(max(position for _pk, position in rows))
            deleted += Change.objects.filter(pk__in=[pk for pk, _position in rows]).delete()[0]
    return deleted


def _raise_low_water(position: int) -> None:
    """Store that entries up to ``position`` may be deleted."""
    marks = Change.objects.filter(thing=Change.Thing.FEED, kind=Change.Kind.CHANGED)
    if not marks.filter(thing_id__gte=position).exists():
        marks.delete()
        Change.objects.create(thing=Change.Thing.FEED, thing_id=position, kind=Change.Kind.CHANGED)
