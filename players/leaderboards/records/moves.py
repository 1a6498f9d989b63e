"""Moves: the changes of players' entries on the boards when games are added, in order.

A game that beats a player's best improves the player's entry on one board; if the best is a part of a sum, also that on
the combined board.  Adding many games at once makes the same moves as adding them one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from players.leaderboards.bests.combined import Part, StoredSum, Sum, sum_of
from players.leaderboards.bests.personal import Bests, Improvement, improve
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, Best, BoardKey, CombinedKey, Game, PersonalKey


class Entry(NamedTuple):
    """A player's value on a board, and the rank columns of its row: (rank key,), on combined boards also the keys of
    Expert and Intermediate, which order equal sums.  Smaller ``rank_keys`` are better.
    """

    rank_keys: tuple[float, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Move:
    """A player's entry on a board improves, or is the first (``old`` is None).

    ``replay_ids``: the game that did it; on combined boards the other two games of the sum as well.
    """

    player_id: int
    board: BoardKey
    old: Entry | None
    new: Entry
    replay_ids: tuple[int, ...]
    happened_at: datetime


_Parts: TypeAlias = Mapping[str, Best | Part | None]


def moves_of(
    games: Iterable[Game],
    before: Bests,
    changed: Collection[PersonalKey],
    stored_sums: Mapping[CombinedKey, StoredSum],
) -> Iterator[Move]:
    """The moves that ``games`` made, in their order; the move of a sum comes after that of its part.

    ``before``: the bests of their players before the games were added; ``changed``: the keys of those that changed;
    ``stored_sums``: the sums of which these are parts, as they are stored now.
    """
    bests = dict(before)
    sums: dict[CombinedKey, Sum | None] = {}
    for game in games:
        for improvement in improve(bests, [game]):
            yield _move(improvement)
            key = improvement.key
            sum_key = CombinedKey(key.player_id, key.statistic, key.style)
            stored = stored_sums.get(sum_key)
            if stored is None or key.level not in COMBINED_LEVELS:
                continue
            parts = _parts_after(key, stored, bests, changed)
            old = sums[sum_key] if sum_key in sums else _sum({**parts, key.level: improvement.old})
            new = sums[sum_key] = _sum(parts)
            # The sum may be equal: a part can improve by less than the rounding of the sum.
            if new is not None and (old is None or new.rank_key < old.rank_key):
                yield _move_of_sum(improvement, old, new, _other_games(key.level, parts))


def _move(improvement: Improvement) -> Move:
    key, old, new = improvement.key, improvement.old, improvement.new
    board = BoardKey(key.level, key.statistic, key.style)
    return Move(
        key.player_id, board, None if old is None else _entry(old), _entry(new), (new.replay_id,), new.achieved_at
    )


def _entry(best: Best) -> Entry:
    return Entry((best.rank_key,), best.value)


def _parts_after(key: PersonalKey, stored: StoredSum, bests: Bests, changed: Collection[PersonalKey]) -> _Parts:
    """The parts of the sum after the games up to now; None for a level on which the player has no game yet."""
    parts: dict[str, Best | Part | None] = {}
    for level, part in stored.parts.items():
        part_key = PersonalKey(key.player_id, key.statistic, level, key.style)
        parts[level] = bests.get(part_key) if part_key in changed else part
    return parts


def _move_of_sum(improvement: Improvement, old: Sum | None, new: Sum, others: Sequence[int]) -> Move:
    key = improvement.key
    return Move(
        key.player_id, BoardKey(COMBINED, key.statistic, key.style), None if old is None else _entry_of_sum(old),
        _entry_of_sum(new), (improvement.new.replay_id, *others), new.achieved_at,
    )  # fmt: skip


def _other_games(level: str, parts: _Parts) -> list[int]:
    others = [parts[other] for other in COMBINED_LEVELS if other != level]
    return [part.replay_id for part in others if part is not None]


def _sum(parts: _Parts) -> Sum | None:
    found = {level: part for level, part in parts.items() if part is not None}
    return sum_of(**found) if len(found) == len(parts) else None


def _entry_of_sum(found: Sum) -> Entry:
    return Entry((found.rank_key, found.expert_key, found.intermediate_key), found.value)
