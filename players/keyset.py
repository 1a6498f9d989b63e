"""Keyset paging: a page is found by the position of its first row, never by counting the rows before it.

A cursor is a sort position, signed, so that nothing but what this module made ever reaches the database.  The position
is compared as one row value, ``(a, b, c) > (x, y, z)``, which a composite index serves.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from django.core import signing
from django.db.models import Expression, F, QuerySet
from django.db.models.fields.tuple_lookups import TupleGreaterThan, TupleLessThan
from django.db.models.lookups import GreaterThan, LessThan

from players.questions import Question, Row, together

T = TypeVar("T")

_SALT: Final = "players.keyset"
#: The longest real cursor holds one name of 255 characters, each of which JSON may write with twelve, and a number.
MAX_CURSOR_CHARS: Final = 5_000
#: Statements that one list keeps: visitors choose the size of a page.
_QUESTIONS: Final = 1_000
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
    position = _decode(cursor, order) if cursor else None
    values = () if position is None else position.values
    backward = position is not None and position.backward
    return _turned(list(_window(queryset, order, values, backward, size)), order, position, size)


class PagedQuestion(Generic[T]):
    """:func:`page_of` for lists whose statements are written once each (``players.questions``).

    ``build`` makes a ``values_list`` of keywords; ``make`` makes of one of its rows what has the columns of ``order``.
    """

    def __init__(
        self, build: Callable[..., QuerySet[Any, Any]], make: Callable[[Row], T], order: Sequence[str]
    ) -> None:
        self._build, self._make, self._order = build, make, order
        self._names = [f"position_{index}" for index in range(len(order))]
        self._question = lru_cache(maxsize=_QUESTIONS)(self._written)

    def page(self, cursor: str | None, size: int, **values: Any) -> Page[T]:
        """``size`` rows from ``cursor`` on of the list that ``values`` tell; raises :class:`BadCursor`."""
        position = _decode(cursor, self._order) if cursor else None
        if position is None:
            rows = self._question(None, size).ask(**values)
        else:
            given = dict(zip(self._names, position.values, strict=True))
            rows = self._question(position.backward, size).ask(**values, **given)
        return _turned([self._make(row) for row in rows()], self._order, position, size)

    def around(self, position: Sequence[Any], steps: int, size: int, **values: Any) -> tuple[Page[T], T | None]:
        """The page whose row number ``steps`` (from 0) stands at ``position``, and the row before the page, if any.

        Both halves are asked for at once.  The order ascends, and ends with a whole number.  Rows that move or go
        meanwhile may be missing, but none is there twice.
        """
        *front, number = position
        here = dict(zip(self._names, (*front, number - 1), strict=True))  # so that the row itself comes after it
        there = dict(zip(self._names, position, strict=True))
        with together():
            earlier = self._question(True, steps).ask(**values, **there)
            later = self._question(False, size - steps).ask(**values, **here)
            before, after = ([self._make(row) for row in rows()] for rows in (earlier, later))
        earlier_numbers = {_value(row, self._order[-1]) for row in before}
        fresh = [row for row in after if _value(row, self._order[-1]) not in earlier_numbers]
        rows = [*reversed(before[:steps]), *fresh[: size - steps]]
        more_before, more_after = len(before) > steps, len(after) > size - steps
        first = _values(rows[0], self._order) if rows else tuple(position)  # all from there on has gone
        page = Page(
            rows,
            _encode(_FORWARD, _values(rows[-1], self._order), self._order) if more_after and rows else None,
            _encode(_BACKWARD, first, self._order) if more_before else None,
        )
        return page, before[steps] if more_before else None

    def _written(self, backward: bool | None, size: int) -> Question:
        """From the start (``backward`` is None), from a position on, or back from it."""

        def build(**values: Any) -> QuerySet[Any, Any]:
            position = () if backward is None else tuple(values.pop(name) for name in self._names)
            return _window(self._build(**values), self._order, position, bool(backward), size)

        return Question(build)


def _window(
    queryset: QuerySet[Any, T], order: Sequence[str], values: tuple[Any, ...], backward: bool, size: int
) -> QuerySet[Any, T]:
    """The rows of a page from the position ``values`` on (if any) in the direction of reading, and one more."""
    names, descending = _columns(order)
    if values:
        queryset = queryset.filter(_beyond(names, values, smaller=descending is not backward))
    queryset = queryset.order_by(*(("-" if descending is not backward else "") + name for name in names))
    return queryset[: size + 1]  # one more than shown tells whether the list goes on


def _turned(found: list[T], order: Sequence[str], position: _Position | None, size: int) -> Page[T]:
    """What :func:`_window` found as a page, in the order of the list."""
    rows, more = found[:size], len(found) > size
    if position is not None and position.backward:
        rows.reverse()
    return _page(rows, order, position, more=more)


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
    asked = _decode(cursor, order) if cursor else None
    if asked is None:
        start, stop = 0, min(size, count)
    elif asked.backward:
        stop = find(asked.values, False)
        start = max(0, stop - size)
    else:
        start = find(asked.values, True)
        stop = min(start + size, count)
    ahead = _encode(_FORWARD, position(stop - 1), order) if stop > start and stop < count else None
    back = _encode(_BACKWARD, position(start), order) if stop > start > 0 else None
    if start == stop and asked is not None and count:  # every row beyond the position is gone
        lost = _encode(_FORWARD if asked.backward else _BACKWARD, asked.values, order)
        return Slice(start, stop, lost if asked.backward else None, None if asked.backward else lost)
    return Slice(start, stop, ahead, back)


def cursor_after(values: Sequence[Any], order: Sequence[str]) -> str:
    """A cursor to the page that begins after the position ``values``, one value a column; no row need stand there."""
    return _encode(_FORWARD, tuple(values), order)


def _page(rows: list[T], order: Sequence[str], position: _Position | None, *, more: bool) -> Page[T]:
    """``rows`` with their cursors; ``more``: the list goes on in the direction that was asked for."""
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
