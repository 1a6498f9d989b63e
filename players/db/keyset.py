"""Keyset paging: a page is found by the position of its first row, never by counting the rows before it.

A cursor is a sort position, signed, so that nothing but what this module made ever reaches the database.  The position
is compared as one row value, ``(a, b, c) > (x, y, z)``, which a composite index serves.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from django.core import signing
from django.db.models import Expression, F, QuerySet
from django.db.models.fields.tuple_lookups import TupleGreaterThan, TupleLessThan
from django.db.models.lookups import GreaterThan, LessThan

from players.db.pipeline import Row, pipeline, send

T = TypeVar("T")

_SALT: Final = "players.keyset"
#: The longest real cursor holds one name of 255 characters, each of which JSON may write with twelve, and a number.
MAX_CURSOR_CHARS: Final = 5_000
_FORWARD: Final = "n"
_BACKWARD: Final = "p"


class _After(TupleGreaterThan):
    """``(a, b) > (x, y)`` as it stands; Django writes it as a chain of ORs on SQLite, which no index can enter."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return GreaterThan.as_sql(self, compiler, connection)


class _Before(TupleLessThan):
    """``(a, b) < (x, y)`` as it stands."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        return LessThan.as_sql(self, compiler, connection)


class BadCursor(ValueError):
    """A cursor that this list did not hand out; the visitor's mistake (400), never ours."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows of a list in its order; a cursor is None where the list ends."""

    rows: list[T]
    next_cursor: str | None
    previous_cursor: str | None


@dataclass(frozen=True, slots=True)
class _Position:
    values: tuple[Any, ...]
    backward: bool


def page_of(queryset: QuerySet[Any, T], order: Sequence[str], cursor: str | None, size: int) -> Page[T]:
    """``size`` rows of ``queryset`` from ``cursor`` on (None or "": from the start).

    ``order``: column names, all ascending or all with "-".  The last one is unique, and none of them is ever NULL.
    ``a__b`` reaches a related row (which the queryset should select).  Raises :class:`BadCursor`.
    """
    return _page_from(queryset, order, cursor, size, list)


def page_of_tuples(
    queryset: QuerySet[Any, Row], order: Sequence[str], cursor: str | None, size: int, make: Callable[[Row], T]
) -> Page[T]:
    """:func:`page_of` a ``values_list``; ``make`` turns its tuples into what has the columns of ``order``."""
    return _page_from(queryset, order, cursor, size, lambda rows: [make(row) for row in rows])


def page_around(
    queryset: QuerySet[Any, Row],
    order: Sequence[str],
    position: Sequence[Any],
    index: int,
    size: int,
    make: Callable[[Row], T],
) -> tuple[Page[T], T | None]:
    """The page whose row number ``index`` (from 0) stands at ``position``, and the row before the page, if any.

    Both halves are sent at once.  ``order`` ascends, and ends with an integer.  Rows that move or go meanwhile may be
    missing, but none is there twice.
    """
    *front, number = position
    with pipeline():
        sent_before = send(_window(queryset, order, tuple(position), True, index))
        sent_after = send(_window(queryset, order, (*front, number - 1), False, size - index))  # the row itself first
        before, after = ([make(row) for row in rows()] for rows in (sent_before, sent_after))
    numbers_before = {_value(row, order[-1]) for row in before}
    fresh = [row for row in after if _value(row, order[-1]) not in numbers_before]
    rows = [*reversed(before[:index]), *fresh[: size - index]]
    more_before, more_after = len(before) > index, len(after) > size - index
    first = _values(rows[0], order) if rows else tuple(position)  # everything from there on has gone
    page = Page(
        rows,
        _encode(_FORWARD, _values(rows[-1], order), order) if more_after and rows else None,
        _encode(_BACKWARD, first, order) if more_before else None,
    )
    return page, before[index] if more_before else None


def _page_from(
    queryset: QuerySet[Any, Any],
    order: Sequence[str],
    cursor: str | None,
    size: int,
    make_all: Callable[[QuerySet[Any, Any]], list[T]],
) -> Page[T]:
    position = _decode(cursor, order) if cursor else None
    values = () if position is None else position.values
    backward = position is not None and position.backward
    found = make_all(_window(queryset, order, values, backward, size))
    rows, more = found[:size], len(found) > size
    if backward:
        rows.reverse()
    return _page(rows, order, position, more=more)


def _window(
    queryset: QuerySet[Any, T], order: Sequence[str], values: tuple[Any, ...], backward: bool, size: int
) -> QuerySet[Any, T]:
    """The rows of a page from the position ``values`` on (if any) in the direction of reading, and one more."""
    names, descending = _columns(order)
    if values:
        queryset = queryset.filter(_beyond(names, values, smaller=descending is not backward))
    queryset = queryset.order_by(*(("-" if descending is not backward else "") + name for name in names))
    return queryset[: size + 1]  # one more than shown tells whether the list goes on


@dataclass(frozen=True, slots=True)
class Slice:
    """Which rows of a sorted sequence a page shows, and its cursors."""

    start: int
    stop: int
    next_cursor: str | None
    previous_cursor: str | None


def slice_of(
    order: Sequence[str],
    cursor: str | None,
    size: int,
    count: int,
    find: Callable[[tuple[Any, ...], bool], int],
    position: Callable[[int], tuple[Any, ...]],
) -> Slice:
    """The page of ``count`` sorted rows in memory to which ``cursor`` leads, as :func:`page_of` does for a table.

    ``position(index)``: what the row sorts by, one value a column of ``order`` (all ascending); ``find(position, past)``:
    the first index that is at least, or beyond, a position.  Raises :class:`BadCursor`.
    """
    wanted = _decode(cursor, order) if cursor else None
    if wanted is None:
        start, stop = 0, min(size, count)
    elif wanted.backward:
        stop = find(wanted.values, False)
        start = max(0, stop - size)
    else:
        start = find(wanted.values, True)
        stop = min(start + size, count)
    ahead = _encode(_FORWARD, position(stop - 1), order) if stop > start and stop < count else None
    back = _encode(_BACKWARD, position(start), order) if stop > start > 0 else None
    if start == stop and wanted is not None and count:  # every row beyond the position is gone
        lost = _encode(_FORWARD if wanted.backward else _BACKWARD, wanted.values, order)
        return Slice(start, stop, lost if wanted.backward else None, None if wanted.backward else lost)
    return Slice(start, stop, ahead, back)


def cursor_after(values: Sequence[Any], order: Sequence[str]) -> str:
    """A cursor to the page that begins after the position ``values``, one value a column; no row need stand there."""
    return _encode(_FORWARD, tuple(values), order)


def _page(rows: list[T], order: Sequence[str], position: _Position | None, *, more: bool) -> Page[T]:
    """``rows`` with their cursors; ``more``: the list goes on in the direction of reading."""
    if not rows:
        # Every row beyond the position is gone; the way back still leads somewhere.
        back = (
            None if position is None else _encode(_FORWARD if position.backward else _BACKWARD, position.values, order)
        )
        forward_lost = position is not None and not position.backward
        return Page(rows, None if forward_lost else back, back if forward_lost else None)
    names, _ = _columns(order)
    backward = position is not None and position.backward
    has_next = more or backward
    has_previous = more if backward else position is not None
    return Page(
        rows,
        _encode(_FORWARD, _values(rows[-1], names), order) if has_next else None,
        _encode(_BACKWARD, _values(rows[0], names), order) if has_previous else None,
    )


def _columns(order: Sequence[str]) -> tuple[list[str], bool]:
    """The names without their sign, and whether the order descends; one index cannot serve a mixture."""
    descending = order[0].startswith("-")
    if any(name.startswith("-") is not descending for name in order):
        raise ValueError(f"the columns of a keyset go one way: {order!r}")
    return [name.removeprefix("-") for name in order], descending


def _beyond(names: Sequence[str], values: tuple[Any, ...], *, smaller: bool) -> Expression:
    columns = tuple(F(name) for name in names)
    lookup = _Before if smaller else _After
    condition: Expression = lookup(columns, values)
    return condition


def _values(row: Any, names: Sequence[str]) -> tuple[Any, ...]:
    """The position of ``row``, which is a model, a named tuple, or a dict of ``values()``."""
    return tuple(_value(row, name) for name in names)


def _value(row: Any, name: str) -> Any:
    if isinstance(row, dict):
        value = row[name]
    else:
        value = row
        for part in name.split("__"):
            value = getattr(value, part)
    if value is None:
        raise ValueError(f"{name} is NULL in {row!r}: no keyset can pass it")
    return value


# --- cursors as text: JSON keeps every float and integer exactly; a datetime travels as its ISO text --------------------


def _encode(direction: str, values: tuple[Any, ...], order: Sequence[str]) -> str:
    plain = [{"t": value.isoformat()} if isinstance(value, datetime.datetime) else value for value in values]
    return _signer(order).sign_object([direction, *plain])


def _decode(cursor: str, order: Sequence[str]) -> _Position:
    if len(cursor) > MAX_CURSOR_CHARS:
        raise BadCursor("The cursor is too long.")
    try:
        direction, *plain = _signer(order).unsign_object(cursor)
    except (signing.BadSignature, ValueError) as error:
        raise BadCursor("The cursor does not belong to this list.") from error
    values = tuple(datetime.datetime.fromisoformat(value["t"]) if isinstance(value, dict) else value for value in plain)
    return _Position(values, backward=direction == _BACKWARD)


def _signer(order: Sequence[str]) -> signing.Signer:
    """The order is part of the signature: a cursor of another list does not verify."""
    return signing.Signer(salt=f"{_SALT}:{','.join(order)}")
