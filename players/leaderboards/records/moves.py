"""What moves on the boards when games come in, one move after the other.

A game that beats a player's best moves that player on one board; if the best is part of a sum, it moves the player on
the combined board as well.  A call that brings many games makes the same moves as many calls with one game each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from players.leaderboards.bests.combined import Part, Sum, Total, sum_of
from players.leaderboards.bests.personal import Bests, Improvement, improve
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, Best, BoardKey, CombinedKey, Game, PersonalKey


class Standing(NamedTuple):
    """What a player has on a board.  ``order`` sorts its places, smaller is better: the rank key, and on combined boards
    the keys of Expert and Intermediate, which part equal sums.
    """

    order: tuple[float, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Move:
    """A player gets a better place on a board, or the first (``old`` is None)."""

    player_id: int
    board: BoardKey
    old: Standing | None
    new: Standing
    replay_id: int
    happened_at: datetime


_Parts: TypeAlias = Mapping[str, Best | Part | None]


def moves_of(
    games: Iterable[Game], before: Bests, changed: Collection[PersonalKey], totals: Mapping[CombinedKey, Total]
) -> Iterator[Move]:
    """The moves that ``games`` made, in their order; that of a sum follows that of its part.

    ``before``: the bests that they could beat; ``changed``: the places of those that changed; ``totals``: the sums in
    which these have a part, as they stand now.
    """
    bests = dict(before)
    sums: dict[CombinedKey, Sum | None] = {}
    for game in games:
        for improvement in improve(bests, [game]):
            yield _move(improvement)
            key = improvement.key
            place = CombinedKey(key.player_id, key.statistic, key.style)
            total = totals.get(place)
            if total is None or key.level not in COMBINED_LEVELS:
                continue
            parts = _parts_now(key, total, bests, changed)
            old = sums[place] if place in sums else _sum({**parts, key.level: improvement.old})
            new = sums[place] = _sum(parts)
            # A part may be better by less than the rounding of the sum.
            if new is not None and (old is None or new.rank_key < old.rank_key):
                yield _move_of_sum(improvement, old, new)


def _move(improvement: Improvement) -> Move:
    key, old, new = improvement.key, improvement.old, improvement.new
    board = BoardKey(key.level, key.statistic, key.style)
    return Move(
        key.player_id, board, None if old is None else _standing(old), _standing(new), new.replay_id, new.achieved_at
    )


def _standing(best: Best) -> Standing:
    return Standing((best.rank_key,), best.value)


def _parts_now(key: PersonalKey, total: Total, bests: Bests, changed: Collection[PersonalKey]) -> _Parts:
    """The parts of the sum in this moment; None where there is none yet."""
    parts: dict[str, Best | Part | None] = {}
    for level, part in total.parts.items():
        place = PersonalKey(key.player_id, key.statistic, level, key.style)
        parts[level] = bests.get(place) if place in changed else part
    return parts


def _move_of_sum(improvement: Improvement, old: Sum | None, new: Sum) -> Move:
    key = improvement.key
    return Move(
        key.player_id, BoardKey(COMBINED, key.statistic, key.style), None if old is None else _standing_of_sum(old),
        _standing_of_sum(new), improvement.new.replay_id, new.achieved_at,
    )  # fmt: skip


def _sum(parts: _Parts) -> Sum | None:
    found = {level: part for level, part in parts.items() if part is not None}
    return sum_of(**found) if len(found) == len(parts) else None


def _standing_of_sum(found: Sum) -> Standing:
    return Standing((found.rank_key, found.expert_key, found.intermediate_key), found.value)
