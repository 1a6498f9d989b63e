"""What a row of a list shows of its player: read without a model, of which a page would make fifty."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from players.models import Player
from players.questions import Later, asked

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


def ask_persons(ids: Collection[int]) -> Later[dict[int, Person]]:
    """Those of ``ids`` who are there, by id."""
    if not ids:
        return dict
    columns = ", ".join(("id", *Person._fields[1:]))
    places = ", ".join(["%s"] * len(ids))
    rows = asked(f"SELECT {columns} FROM {_TABLE} WHERE id IN ({places})", list(ids))  # noqa: S608 - our own names
    return lambda: {pk: Person(pk, name, country, bool(is_bot)) for pk, name, country, is_bot in rows()}
