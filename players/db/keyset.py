"""Keyset paging: a page is found by the sort key of the row before it, never by counting rows (no ``OFFSET``).

A cursor holds a sort key, that is a row's values of the columns of ``ORDER BY``, and is signed: only cursors that this
module made reach the database.  The sort key is compared as one row value, ``(a, b, c) > (x, y, z)``, which a composite
index serves.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

from django.core import signing
from django.db.models import Expression, F, Model, QuerySet
from django.db.models.fields.tuple_lookups import TupleGreaterThan, TupleLessThan

from players.db.select import Row

T = TypeVar("T")
#: The values of a row in the columns of ``ORDER BY``, one for each column.
SortKey: TypeAlias = tuple[Any, ...]

_SALT: Final = "players.keyset"
#: The longest real cursor holds a name of 255 characters, for each of which JSON may need twelve, and an id.
MAX_CURSOR_CHARS: Final = 5_000
_FORWARD: Final = "n"
_BACKWARD: Final = "p"


class BadCursor(ValueError):
    """A cursor that was not made for this list; the client's mistake (400)."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some consecutive rows of a list; a cursor is None where the list ends."""

    rows: list[T]
    next_cursor: str | None
    previous_cursor: str | None


@dataclass(frozen=True, slots=True)
class _Cursor:
    """A cursor as read: the page begins after ``sort_key``, or ends before it (``backward``)."""

    sort_key: SortKey
    backward: bool


def page_of(queryset: QuerySet[Model, T], order: Sequence[str], cursor: str | None, size: int) -> Page[T]:
    """The page of ``queryset`` at ``cursor`` (None or "": the first page), ``size`` rows at most.

    ``order``: column names, all ascending or all with "-".  The last one is unique, and none of them is ever NULL.
    ``a__b`` is a column of a related row (which the queryset should select).  Raises :class:`BadCursor`.
    """
    return _page_from(
        lambda sort_key, backward: list(_window(queryset, order, sort_key, backward, size)), order, cursor, size
    )


def page_of_parts(parts: Sequence[QuerySet[Model, T]], order: Sequence[str], cursor: str | None, size: int) -> Page[T]:
    """:func:`page_of` for a list that is ``parts`` one after another, each of which an index serves alone.

    The first column of ``order`` is the index of the row's part, the others are the order inside each part.  Statements:
    one for each part that the page touches.
    """
    _part, *inside = order

    def window(sort_key: SortKey, backward: bool) -> list[T]:
        first = sort_key[0] if sort_key else 0
        rows: list[T] = []
        for number in range(first, -1, -1) if backward else range(first, len(parts)):
            after = sort_key[1:] if number == first else ()
            rows += _window(parts[number], inside, after, backward, size - len(rows))
            if len(rows) > size:
                break
        return rows

    return _page_from(window, order, cursor, size)


def page_of_tuples(
    queryset: QuerySet[Model, Row], order: Sequence[str], cursor: str | None, size: int, make: Callable[[Row], T]
) -> Page[T]:
    """:func:`page_of` for a ``values_list``; ``make`` turns a tuple into an object with the columns of ``order``."""
    return _page_from(
        lambda sort_key, backward: [make(row) for row in _window(queryset, order, sort_key, backward, size)],
        order,
        cursor,
        size,
    )


def page_around(
    queryset: QuerySet[Model, Row],
    order: Sequence[str],
    sort_key: SortKey,
    index: int,
    size: int,
    make: Callable[[Row], T],
) -> tuple[Page[T], T | None]:
    """The page on which the row with ``sort_key`` has ``index`` (from 0), and the row before that page, if any.

    The rows before it and those from it on are two statements.  ``order`` ascends, and ends with an integer.  Rows that are
    changed or deleted between both may be missing, but none is returned twice.
    """
    *front, number = sort_key
    before = [make(row) for row in _window(queryset, order, sort_key, True, index)]
    # Begins with the row itself.
    after = [make(row) for row in _window(queryset, order, (*front, number - 1), False, size - index)]
    numbers_before = {_value(row, order[-1]) for row in before}
    fresh = [row for row in after if _value(row, order[-1]) not in numbers_before]
    rows = [*reversed(before[:index]), *fresh[: size - index]]
    more_before, more_after = len(before) > index, len(after) > size - index
    first = _values(rows[0], order) if rows else sort_key  # all rows from there on were deleted
    page = Page(
        rows,
        _encode(_FORWARD, _values(rows[-1], order), order) if more_after and rows else None,
        _encode(_BACKWARD, first, order) if more_before else None,
    )
    return page, before[index] if more_before else None


def _page_from(
    window: Callable[[SortKey, bool], list[T]], order: Sequence[str], cursor: str | None, size: int
) -> Page[T]:
    """The page at ``cursor``; ``window(sort_key, backward)`` returns its rows as :func:`_window` does."""
    decoded = _decode(cursor, order) if cursor else None
    sort_key = () if decoded is None else decoded.sort_key
    backward = decoded is not None and decoded.backward
    found = window(sort_key, backward)
    rows, more = found[:size], len(found) > size
    if backward:
        rows.reverse()
    return _page(rows, order, decoded, more=more)


def _window(
    queryset: QuerySet[Model, T], order: Sequence[str], sort_key: SortKey, backward: bool, size: int
) -> QuerySet[Model, T]:
    """The ``size`` rows beyond ``sort_key`` (the first rows if it is empty) in the direction of paging, and one more."""
    names, descending = _columns(order)
    if sort_key:
        queryset = queryset.filter(_beyond(names, sort_key, smaller=descending is not backward))
    queryset = queryset.order_by(*(("-" if descending is not backward else "") + name for name in names))
    return queryset[: size + 1]  # the one more shows whether there is another page


@dataclass(frozen=True, slots=True)
class Slice:
    """A page of a sorted sequence: the rows from ``start`` to before ``stop``, and its cursors."""

    start: int
    stop: int
    next_cursor: str | None
    previous_cursor: str | None


def slice_of(
    order: Sequence[str],
    cursor: str | None,
    size: int,
    count: int,
    find: Callable[[SortKey, bool], int],
    sort_key: Callable[[int], SortKey],
) -> Slice:
    """The page at ``cursor`` of ``count`` sorted rows in memory, as :func:`page_of` finds it in a table.

    ``sort_key(index)``: the sort key of a row, one value for each column of ``order`` (all ascending).
    ``find(sort_key, past)``: the first index whose sort key is at least (``past``: greater than) the given one.  Raises
    :class:`BadCursor`.
    """
    decoded = _decode(cursor, order) if cursor else None
    if decoded is None:
        start, stop = 0, min(size, count)
    elif decoded.backward:
        stop = find(decoded.sort_key, False)
        start = max(0, stop - size)
    else:
        start = find(decoded.sort_key, True)
        stop = min(start + size, count)
    forward = _encode(_FORWARD, sort_key(stop - 1), order) if stop > start and stop < count else None
    back = _encode(_BACKWARD, sort_key(start), order) if stop > start > 0 else None
    if start == stop and decoded is not None and count:  # all rows beyond the sort key were deleted
        lost = _encode(_FORWARD if decoded.backward else _BACKWARD, decoded.sort_key, order)
        return Slice(start, stop, lost if decoded.backward else None, None if decoded.backward else lost)
    return Slice(start, stop, forward, back)


def cursor_after(sort_key: SortKey, order: Sequence[str]) -> str:
    """A cursor to the page that begins after ``sort_key``, one value for each column; no row need have it."""
    return _encode(_FORWARD, sort_key, order)


def _page(rows: list[T], order: Sequence[str], cursor: _Cursor | None, *, more: bool) -> Page[T]:
    """``rows`` with their cursors; ``more``: the list goes on in the direction of paging."""
    if not rows:
        # All rows beyond the cursor were deleted; the visitor can still page back.
        back = None if cursor is None else _encode(_FORWARD if cursor.backward else _BACKWARD, cursor.sort_key, order)
        forward_lost = cursor is not None and not cursor.backward
        return Page(rows, None if forward_lost else back, back if forward_lost else None)
    names, _ = _columns(order)
    backward = cursor is not None and cursor.backward
    has_next = more or backward
    has_previous = more if backward else cursor is not None
    return Page(
        rows,
        _encode(_FORWARD, _values(rows[-1], names), order) if has_next else None,
        _encode(_BACKWARD, _values(rows[0], names), order) if has_previous else None,
    )


def _columns(order: Sequence[str]) -> tuple[list[str], bool]:
    """The names without "-", and whether the order descends; an index cannot serve a mixture of directions."""
    descending = order[0].startswith("-")
    if any(name.startswith("-") is not descending for name in order):
        raise ValueError(f"the columns of a keyset must be all ascending or all descending: {order!r}")
    return [name.removeprefix("-") for name in order], descending


def _beyond(names: Sequence[str], sort_key: SortKey, *, smaller: bool) -> Expression:
    columns = tuple(F(name) for name in names)
    lookup = TupleLessThan if smaller else TupleGreaterThan
    condition: Expression = lookup(columns, sort_key)
    return condition


def _values(row: object, names: Sequence[str]) -> SortKey:
    """The columns ``names`` of ``row``, which is a model, a named tuple, or a dict of ``values()``."""
    return tuple(_value(row, name) for name in names)


def _value(row: object, name: str) -> object:
    if isinstance(row, dict):
        value = row[name]
    else:
        value = row
        for part in name.split("__"):
            value = getattr(value, part)
    if value is None:
        raise ValueError(f"{name} is NULL in {row!r}, which keyset paging cannot compare")
    return value


# --- cursors as text: JSON holds floats and integers exactly; datetimes are ISO text, UUIDs their hexadecimal text ----


def _encode(direction: str, sort_key: SortKey, order: Sequence[str]) -> str:
    return _signer(order).sign_object([direction, *map(_plain, sort_key)])


def _plain(value: object) -> object:
    if isinstance(value, datetime.datetime):
        return {"t": value.isoformat()}
    return str(value) if isinstance(value, uuid.UUID) else value


def _decode(cursor: str, order: Sequence[str]) -> _Cursor:
    if len(cursor) > MAX_CURSOR_CHARS:
        raise BadCursor("The cursor is too long.")
    try:
        direction, *plain = _signer(order).unsign_object(cursor)
    except (signing.BadSignature, ValueError) as error:
        raise BadCursor("The cursor does not belong to this list.") from error
    sort_key = tuple(
        datetime.datetime.fromisoformat(value["t"]) if isinstance(value, dict) else value for value in plain
    )
    return _Cursor(sort_key, backward=direction == _BACKWARD)


def _signer(order: Sequence[str]) -> signing.Signer:
    """The order is part of the signature: a cursor of another list does not verify."""
    return signing.Signer(salt=f"{_SALT}:{','.join(order)}")
