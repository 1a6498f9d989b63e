"""What new numbers of ranked replays change on the boards.

The statements of one call do not become more with the replays or players in it.  The record history is a log and is
kept, as in a rebuild of the boards; only what a replay leaves for good takes its events along.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from analysis.statistics import BY_NAME
from players.boards import Best, Game, PersonalKey
from players.games import games_of
from players.services import lock_players
from players.services.combined import combined_keys, combined_rank_keys, combined_refresh
from players.services.levels import note_levels
from players.services.marks import moves_of_bests, moves_of_sums, note_changes
from players.services.personal import Bests, delete_bests, improve, next_bests, read_bests, upsert_bests
from players.services.seconds import seconds_add, seconds_of, seconds_remove

#: Places (a player's level) for which the database itself is asked; for more of them the games are read.
_FEW_PLACES: Final = 4


def boards_follow(before: Mapping[int, Game], after: Mapping[int, Game]) -> None:
    """Replays that were and stay ranked have other numbers: bring their players' boards to these.

    Both mappings have the same ids; a replay keeps its player, level and style.  Call it in the transaction that wrote
    the numbers.
    """
    changed = {pk: game for pk, game in after.items() if game != before[pk]}
    if not changed:
        return
    lock_players({game.player_id for game in changed.values()})
    _bests_follow(changed)
    moved = [pk for pk, game in changed.items() if _second_of(game) != _second_of(before[pk])]
    if moved:
        seconds_remove([before[pk] for pk in moved])
        seconds_add([changed[pk] for pk in moved])
    note_levels(changed.values())


def _second_of(game: Game) -> tuple[object, ...]:
    return game.achieved_at, *seconds_of(game)


def _bests_follow(changed: Mapping[int, Game]) -> None:
    games = list(changed.values())
    stored = read_bests(
        {game.player_id for game in games},
        {game.level for game in games},
        {style for game in games for style in game.styles},
    )
    bests = {key: best for key, best in stored.items() if best.replay_id not in changed}
    improve(bests, games)
    # The holder was the best of all.  If its place is now worse filled, any other replay may be the best.
    fallen = {key for key, best in stored.items() if best.replay_id in changed and _is_worse(bests.get(key), best)}
    for key in fallen:
        bests.pop(key, None)
    bests.update(_search(fallen))
    gone = fallen - bests.keys()
    written = {key: best for key, best in bests.items() if stored.get(key) != best}
    if written or gone:
        _write({key: best for key, best in stored.items() if key in written or key in gone}, written)


def _write(before: Bests, after: Bests) -> None:
    """Put ``after`` in the places of ``before``; what is not in it goes.  Sums and marks of the boards follow."""
    gone = before.keys() - after.keys()
    sums = combined_keys(before.keys() | after.keys())
    sums_before = combined_rank_keys(sums)  # read first: a sum goes with its parts
    upsert_bests(after)
    delete_bests(gone)
    sums_after = combined_refresh(sums, deleted=bool(gone))
    keys_before, keys_after = ({key: best.rank_key for key, best in bests.items()} for bests in (before, after))
    note_changes([*moves_of_bests(keys_before, keys_after), *moves_of_sums(sums_before, sums_after)])


def _is_worse(new: Best | None, old: Best) -> bool:
    return new is None or new > old


def _search(keys: Collection[PersonalKey]) -> Bests:
    """The best in each place of ``keys`` among all ranked replays."""
    known = {key for key in keys if key.statistic in BY_NAME}  # a statistic may have left the registry
    places = {(key.player_id, key.level) for key in known}
    if len(places) <= _FEW_PLACES:
        return next_bests(known, gone=())
    bests: Bests = {}
    improve(bests, games_of({player_id for player_id, _ in places}, {level for _, level in places}))
    return {key: best for key, best in bests.items() if key in known}
