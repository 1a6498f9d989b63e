"""What a row of a list shows of its player: read without a model, of which a page would make fifty."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from players.db.pipeline import Deferred, Row, send
from players.models import Player


class PlayerRef(NamedTuple):
    """The columns of ``Player`` that lists show, under the same names."""

    pk: int
    name: str
    country: str
    is_bot: bool

    @property
    def id(self) -> int:
        """The id of the player, as the API calls it."""
        return self.pk

    def __str__(self) -> str:
        return self.name


#: The columns of :class:`PlayerRef` of a row that belongs to a player, for ``values_list``.
PLAYER_COLUMNS: Final = tuple(f"player__{name}" for name in PlayerRef._fields)


def with_player_ref(row: Row) -> list[Any]:
    """``row``, which ends with :data:`PLAYER_COLUMNS`, with one ref in their place; None if it belongs to nobody."""
    *columns, pk, name, country, is_bot = row
    return [*columns, None if pk is None else PlayerRef(pk, name, country, is_bot)]


def player_refs(ids: Collection[int]) -> dict[int, PlayerRef]:
    """Those of ``ids`` that exist, by id."""
    return send_player_refs(ids)()


def send_player_refs(ids: Collection[int]) -> Deferred[dict[int, PlayerRef]]:
    """:func:`player_refs`, deferred."""
    rows = send(Player.objects.filter(pk__in=ids).order_by().values_list(*PlayerRef._fields))
    return lambda: {row[0]: PlayerRef(*row) for row in rows()}
