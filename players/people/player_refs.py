"""The player of a row of a list, as a tuple: a page of fifty rows need not make fifty model instances."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from analysis.names import shown_name
from players.db.select import Row
from players.models import Player


class PlayerRef(NamedTuple):
    pk: int
    name: str
    country: str
    is_bot: bool

    @property
    def id(self) -> int:
        return self.pk

    @property
    def shown_name(self) -> str:
        return shown_name(self.name)

    def __str__(self) -> str:
        return self.shown_name


#: Arguments of ``values_list`` that read a :class:`PlayerRef` through a foreign key ``player``.
PLAYER_COLUMNS: Final = tuple(f"player__{name}" for name in PlayerRef._fields)


def with_player_ref(row: Row) -> Row:
    """``row``, which ends with :data:`PLAYER_COLUMNS`, with a ``PlayerRef`` (None if NULL) in place of these."""
    *columns, pk, name, country, is_bot = row
    return (*columns, None if pk is None else PlayerRef(pk, name, country, is_bot))


def player_refs(ids: Collection[int]) -> dict[int, PlayerRef]:
    rows = Player.objects.filter(pk__in=ids).order_by().values_list(*PlayerRef._fields)
    return {row[0]: PlayerRef(*row) for row in rows}
