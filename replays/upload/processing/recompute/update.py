"""Writing new values of rows, with the judgements by rules, ranked games and boards that depend on them.

Rows are tuples, not model instances, since there are many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.statistics import STORED
from players.db import bulk
from players.db.change_log import log_level_changes
from players.db.select import Row
from players.leaderboards.boards import Game
from players.leaderboards.ranked_games import GAME_COLUMNS, game_of_row
from players.leaderboards.services import add_late_values, update_games
from replays.models import Replay
from replays.upload.processing.recompute.rejudge import NEEDED, ids_to_rejudge, judge_again, remove_from_boards

#: The first columns of a row; callers append others.
READ: Final = tuple(dict.fromkeys((*NEEDED, *GAME_COLUMNS, *(row.name for row in STORED))))


@dataclass(frozen=True, slots=True)
class Change:
    old: Row
    new: Row


def update_rows(
    rows: Iterable[Row],
    changes: Sequence[Change],
    written: Sequence[str],
    at: Mapping[str, int],
    *,
    log_new_values: bool = False,
) -> None:
    """Write the columns ``written`` of ``changes``, and update judgements and boards.

    Call it inside a transaction that has locked the rows.

    Parameters
    ----------
    rows : all rows of the chunk; the judgement of a row may change with the settings, although no value does
    changes : the rows to write
    written : the columns to write
    at : the index of each column in a row, among them those of :data:`READ`
    log_new_values : whether a value that was NULL is added to the record history as an upload would be
    """
    now = {row[at["id"]]: row for row in rows} | {change.new[at["id"]]: change.new for change in changes}
    rejudged = set(ids_to_rejudge(now.values(), at))
    remove_from_boards(rejudged)  # before they are written: the boards have the old values
    indexes = [at[name] for name in ("id", *written)]
    bulk.update(Replay, written, [tuple(change.new[index] for index in indexes) for change in changes])
    corpses = [change.new for change in changes if change.old[at["corpse"]] and change.old[at["id"]] not in rejudged]
    log_level_changes({(row[at["player_id"]], row[at["level"]]) for row in corpses})
    ranked = [change for change in changes if change.old[at["ranked"]] and change.old[at["id"]] not in rejudged]
    before, after = (_games((getattr(change, which) for change in ranked), at) for which in ("old", "new"))
    late = {
        pk: game for pk, old in before.items() if log_new_values and (game := _new_values(old, after[pk])) is not None
    }
    update_games(
        {pk: game for pk, game in before.items() if pk not in late},
        {pk: game for pk, game in after.items() if pk not in late},
    )
    add_late_values(list(late.values()))
    judge_again(rejudged)


def _new_values(old: Game, new: Game) -> Game | None:
    """The game with only its new values, if all changed values were NULL before; else None."""
    pairs = list(zip(old.values, new.values, strict=True))
    if (
        old == new
        or old._replace(values=new.values) != new
        or any(was is not None and was != now for was, now in pairs)
    ):
        return None
    return new._replace(values=tuple(now if was is None else None for was, now in pairs))


def _games(rows: Iterable[Row], at: Mapping[str, int]) -> dict[int, Game]:
    indexes = [at[name] for name in GAME_COLUMNS]
    return {row[at["id"]]: game_of_row(tuple(row[index] for index in indexes)) for row in rows}
