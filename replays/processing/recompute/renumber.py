"""Rows get other numbers, and what follows from them follows: judgement by rules, what counts, and the boards.

A row is read as a tuple, so that no object is made of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from analysis.statistics import STORED
from players.db import bulk
from players.leaderboards.boards import Game
from players.leaderboards.services import add_late_values, update_games
from replays.models import Replay
from replays.processing.recompute.rejudge import NEEDED, judge_again, others, take_off
from replays.ranked_games import GAME_COLUMNS, game_of_row

Row: TypeAlias = tuple[Any, ...]

#: Columns of a row, beside those that the caller adds behind them.
READ: Final = tuple(dict.fromkeys((*NEEDED, *GAME_COLUMNS, *(row.name for row in STORED))))


@dataclass(frozen=True, slots=True)
class Change:
    """A row before and after."""

    old: Row
    new: Row


def renumber(
    rows: Iterable[Row],
    changes: Sequence[Change],
    written: Sequence[str],
    at: Mapping[str, int],
    *,
    later: bool = False,
) -> None:
    """Write the columns ``written`` of the rows that change.

    Call it inside a transaction that holds the rows.

    Parameters
    ----------
    rows : all rows that were visited: a rule may judge one anew, or a minimum let it count, whose numbers stay
    changes : rows that are written
    written : their columns
    at : where each column stands in a row; those of :data:`READ` among them
    later : a value where there was none belongs to the way of every replay: it makes history as an upload does
    """
    now = {row[at["id"]]: row for row in rows} | {change.new[at["id"]]: change.new for change in changes}
    rejudged = set(others(now.values(), at))
    take_off(rejudged)  # before its numbers change: the boards know it by the old ones
    places = [at[name] for name in ("id", *written)]
    bulk.update(Replay, written, [tuple(change.new[place] for place in places) for change in changes])
    ranked = [change for change in changes if change.old[at["ranked"]] and change.old[at["id"]] not in rejudged]
    before, after = (_games((getattr(change, which) for change in ranked), at) for which in ("old", "new"))
    arrived = {pk: game for pk, old in before.items() if later and (game := _arrived(old, after[pk])) is not None}
    update_games(
        {pk: game for pk, game in before.items() if pk not in arrived},
        {pk: game for pk, game in after.items() if pk not in arrived},
    )
    add_late_values(list(arrived.values()))
    judge_again(rejudged)


def _arrived(old: Game, new: Game) -> Game | None:
    """The game with none but its new values, if every change is a value where there was none."""
    pairs = list(zip(old.values, new.values, strict=True))
    if (
        old == new
        or old._replace(values=new.values) != new
        or any(was is not None and was != now for was, now in pairs)
    ):
        return None
    return new._replace(values=tuple(now if was is None else None for was, now in pairs))


def _games(rows: Iterable[Row], at: Mapping[str, int]) -> dict[int, Game]:
    places = [at[name] for name in GAME_COLUMNS]
    return {row[at["id"]]: game_of_row(tuple(row[place] for place in places)) for row in rows}
