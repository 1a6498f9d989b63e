"""What a row of a list shows of its player: read without a model, of which a page would make fifty."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from players.models import Player
from players.questions import Later, Row, asked_of

_TABLE: Final = Player._meta.db_table


class Person(NamedTuple):
    """The same names as of ``Player``."""

    pk: int
    name: str
    country: str
    is_bot: bool

    @property
    def id(self) -> int:
        """The number of the player, as the API calls it."""
        return self.pk

    def __str__(self) -> str:
        return self.name


#: The columns of :class:`Person` from a row that belongs to a player, for ``values_list``.
OF_PLAYER: Final = tuple(f"player__{name}" for name in Person._fields)


def with_person(row: Row) -> list[Any]:
    """``row``, which ends with :data:`OF_PLAYER`, with a person in their place; None where it belongs to nobody."""
    *shown, pk, name, country, is_bot = row
    return [*shown, None if pk is None else Person(pk, name, country, is_bot)]


def ask_persons(ids: Collection[int]) -> Later[dict[int, Person]]:
    """Those of ``ids`` who are there, by id."""
    rows = asked_of(f"SELECT id, name, country, is_bot FROM {_TABLE} WHERE id IN ({{ids}})", list(ids))  # noqa: S608 - our own names
    return lambda: {pk: Person(pk, name, country, bool(is_bot)) for pk, name, country, is_bot in rows()}
