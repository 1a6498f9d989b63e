from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from django.db.models import F

from analysis.recording import Level
from players.models import BoardCount

End: TypeAlias = Literal["left", "lost", "won"]

_LEVELS: Final = [level.value for level in Level]


class EndedBoard(NamedTuple):
    user_id: int
    level: str
    rules: str
    end: End


class BoardCounts(NamedTuple):
    level: str
    rules: str
    left: int
    lost: int
    won: int

    @property
    def begun(self) -> int:
        return self.left + self.lost + self.won


def count_boards(ended: Iterable[EndedBoard], by: int = 1) -> None:
    """Count games that end in this transaction; ``by=-1`` takes a count back."""
    for user_id, level, rules, end in sorted(ended):  # in one order, so that no two transactions wait for each other
        key: dict[str, Any] = {"user_id": user_id, "level": level, "rules": rules}
        rows = BoardCount.objects.filter(**key)
        if not rows.update(**{end: F(end) + by}):
            BoardCount.objects.get_or_create(**key)
            rows.update(**{end: F(end) + by})


def board_counts(player_id: int) -> list[BoardCounts]:
    rows = BoardCount.objects.filter(user__player=player_id).values_list(*BoardCounts._fields)
    return sorted(
        (BoardCounts._make(row) for row in rows), key=lambda one: (_LEVELS.index(one.level), one.rules != "xp", one)
    )
