"""Writing boards: personal bests, combined bests, second counts and the record history follow the ranked games.

Every change of a player's boards first locks the player, several of them in the order of ids, so that no two changes of
one player run at the same time.  Deadlocks with locks of replays are still possible: see ``players.db.retry``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from django.db import transaction

from analysis.statistics import BY_NAME
from players.db.change_log import log_level_changes, log_player_changes
from players.db.retry import retry_on_conflict
from players.leaderboards import ranked_games
from players.leaderboards.bests.combined import (
    combined_keys,
    combined_rank_keys,
    refresh_sums,
)
from players.leaderboards.bests.personal import (
    Bests,
    as_bests,
    delete_bests,
    improve,
    next_bests,
    read_bests,
    upsert_bests,
)
from players.leaderboards.boards import Best, CombinedKey, Game, PersonalKey
from players.leaderboards.ranks.checkpoints import changes_of_bests, changes_of_sums, log_rank_changes
from players.leaderboards.records.moves import moves_of
from players.leaderboards.records.services import records_add, records_redate, records_remove
from players.leaderboards.sub_n.services import (
    SecondCounts,
    SecondKey,
    count_games,
    delete_seconds,
    seconds_add,
    seconds_of,
    seconds_remove,
    upsert_seconds,
)
from players.models import PersonalBest, Player, SecondCount

#: Up to so many (player, level) are searched by a query for each; for more of them all games are read.
_FEW_PLAYER_LEVELS: Final = 4
PLAYERS_A_BATCH: Final = 200  # of a rebuild: a transaction for each batch, whose bests are held in memory


def add_games(games: Collection[Game]) -> None:
    """Add ``games``, which were saved with ``ranked=True``, to the boards; call it once for each game.

    Thirteen statements, however many games and players.  The games of one call are added in the order of
    their dates, so that an import of old games writes the same records with the same ranks as adding them one by one.
    Provisional games get their places but no records: removed and added again when they are final, they get them then.
    """
    if not games:
        return
    with transaction.atomic(savepoint=False):
        _add_results(games)
        seconds_add(games)
        _log_level_changes(games)


def add_late_values(games: Collection[Game]) -> None:
    """Add values that were computed after their games had been added to the boards.

    ``games``: games that are on the boards already, with the new values only (None for all others).
    """
    if not games:
        return
    with transaction.atomic(savepoint=False):
        _add_results(games)
        _log_level_changes(games)


def remove_games(games: Collection[Game]) -> None:
    """Remove ``games`` from the boards; the next best games of their players replace them.

    Call it with the values that the games had while they were ranked: before their rows are deleted or get another
    player, or after ``ranked=False`` was saved.  Idempotent.
    """
    if not games:
        return
    excluded_ids = {game.replay_id for game in games}
    with transaction.atomic(savepoint=False):
        lock_players({game.player_id for game in games})
        held = _bests_of_replays(excluded_ids)
        found = next_bests(held.keys(), excluded_ids)
        if held:
            _replace(held, found)
        records_remove(games)
        seconds_remove(games)
        _log_level_changes(games)


def update_games(before: Mapping[int, Game], after: Mapping[int, Game]) -> None:
    """Update the boards after values of ranked games changed from ``before`` to ``after`` (by replay id).

    Both mappings have the same ids; the games are still ranked, with the same player, level and style.  Call it in the
    transaction that wrote the values.  The number of statements does not grow with the games.  The record history is a
    log, of which only the dates are changed.
    """
    changed = {pk: game for pk, game in after.items() if game != before[pk]}
    if not changed:
        return
    lock_players({game.player_id for game in changed.values()})
    _update_bests(changed)
    redated = {pk: game.achieved_at for pk, game in changed.items() if game.achieved_at != before[pk].achieved_at}
    if redated:
        records_redate(redated)
    moved = [pk for pk, game in changed.items() if _counted_as(game) != _counted_as(before[pk])]
    if moved:
        seconds_remove([before[pk] for pk in moved])
        seconds_add([changed[pk] for pk in moved])
    _log_level_changes(changed.values())


def rebuild_boards(player_ids: Collection[int] | None = None) -> int:
    """Compute the boards of these players (None: all) again from their ranked games; returns how many players.

    Rows are updated in place, so their ids do not change.  The record history is a log and is not changed.
    """
    ids = (
        sorted(player_ids)
        if player_ids is not None
        else list(Player.objects.order_by("id").values_list("id", flat=True))
    )
    for start in range(0, len(ids), PLAYERS_A_BATCH):
        _rebuild_batch(ids[start : start + PLAYERS_A_BATCH])
    return len(ids)


def lock_players(player_ids: Collection[int]) -> list[int]:
    """Lock these players until the transaction ends, in the order of ids; returns the ids that exist."""
    rows = Player.objects.select_for_update(no_key=True).filter(id__in=player_ids).order_by("id")
    return list(rows.values_list("id", flat=True))


def _add_results(games: Collection[Game]) -> None:
    games = sorted(games, key=lambda game: (game.achieved_at, game.player_id, game.replay_id))
    lock_players({game.player_id for game in games})
    before = _read_bests_of_players(games)
    bests = dict(before)
    improve(bests, games)
    changed = {key: best for key, best in bests.items() if before.get(key) != best}
    if not changed:
        return
    sums = combined_keys(changed)
    sums_before = combined_rank_keys(sums)
    written = upsert_bests(changed)
    stored_sums = refresh_sums(sums, deleted=False)
    sums_after = {key: stored.rank_key for key, stored in stored_sums.items()}
    _log_ranks({key: before[key] for key in changed if key in before}, changed, sums_before, sums_after)
    # Last, since the ranks of records are counted among the rows as they are stored now.
    unrecorded = {game.replay_id for game in games if game.provisional}
    records_add(moves_of(games, before, changed, stored_sums), written, stored_sums, unrecorded)


def _read_bests_of_players(games: Sequence[Game]) -> Bests:
    return read_bests(
        {game.player_id for game in games},
        {game.level for game in games},
        {style for game in games for style in game.styles},
    )


def _bests_of_replays(replay_ids: Collection[int]) -> Bests:
    return as_bests(PersonalBest.objects.filter(replay_id__in=replay_ids))


def _replace(held: Bests, found: Bests) -> None:
    """Write ``found`` in place of the stored bests ``held``; keys of ``held`` that are not found are deleted."""
    sums = combined_keys(held.keys() | found.keys())
    sums_before = combined_rank_keys(sums)  # read first: deleting a best also deletes its sums
    upsert_bests(found)
    delete_bests(held.keys() - found.keys())
    sums_after = {key: stored.rank_key for key, stored in refresh_sums(sums, deleted=True).items()}
    _log_ranks(held, found, sums_before, sums_after)


def _log_ranks(
    before: Bests, after: Bests, sums_before: dict[CombinedKey, float], sums_after: dict[CombinedKey, float]
) -> None:
    keys_before, keys_after = ({key: best.rank_key for key, best in bests.items()} for bests in (before, after))
    log_rank_changes([*changes_of_bests(keys_before, keys_after), *changes_of_sums(sums_before, sums_after)])


def _log_level_changes(games: Iterable[Game]) -> None:
    """Log that ``games`` were added, removed or changed, for filtered boards."""
    log_level_changes({(game.player_id, game.level) for game in games})


# --- changed values ---------------------------------------------------------------------------------------------------


def _counted_as(game: Game) -> tuple[object, ...]:
    """Return the values of ``game`` that the second counts depend on."""
    return game.achieved_at, *seconds_of(game)


def _update_bests(changed: Mapping[int, Game]) -> None:
    games = list(changed.values())
    stored = _read_bests_of_players(games)
    bests = {key: best for key, best in stored.items() if best.replay_id not in changed}
    improve(bests, games)
    # A changed game that held a best may be worse now; then any other game of the player may be the best.
    worse = {key for key, best in stored.items() if best.replay_id in changed and _is_worse(bests.get(key), best)}
    for key in worse:
        bests.pop(key, None)
    bests.update(_find_bests(worse))
    gone = worse - bests.keys()
    written = {key: best for key, best in bests.items() if stored.get(key) != best}
    if written or gone:
        _replace({key: best for key, best in stored.items() if key in written or key in gone}, written)


def _is_worse(new: Best | None, old: Best) -> bool:
    return new is None or new > old


def _find_bests(keys: Collection[PersonalKey]) -> Bests:
    known = {key for key in keys if key.statistic in BY_NAME}  # a statistic may have left the registry
    player_levels = {(key.player_id, key.level) for key in known}
    if len(player_levels) <= _FEW_PLAYER_LEVELS:
        return next_bests(known, excluded_ids=())
    bests: Bests = {}
    player_ids, levels = {player_id for player_id, _ in player_levels}, {level for _, level in player_levels}
    improve(bests, ranked_games.of_players(player_ids, levels))
    return {key: best for key, best in bests.items() if key in known}


# --- rebuilding -------------------------------------------------------------------------------------------------------


@retry_on_conflict
def _rebuild_batch(player_ids: Sequence[int]) -> None:
    with transaction.atomic(savepoint=False):
        _rebuild(lock_players(player_ids))
        log_player_changes(player_ids)  # also of a player who was deleted


def _rebuild(player_ids: Sequence[int]) -> None:
    """Rewrite the rows of these players, who are locked, from their ranked games."""
    bests: Bests = {}
    counts: SecondCounts = {}
    for game in ranked_games.of_players(player_ids):
        improve(bests, [game])
        count_games([game], into=counts)
    _replace_bests(player_ids, bests)
    _replace_seconds(player_ids, counts)


def _replace_bests(player_ids: Sequence[int], bests: Bests) -> None:
    # Rows of levels and styles that are no longer ranked must be deleted too, so the read does not filter by them.
    _replace(as_bests(PersonalBest.objects.filter(player_id__in=player_ids)), bests)


def _replace_seconds(player_ids: Sequence[int], counts: SecondCounts) -> None:
    rows = SecondCount.objects.filter(player_id__in=player_ids)
    stored = {SecondKey(*row) for row in rows.values_list(*SecondKey._fields)}
    delete_seconds(stored - counts.keys())
    upsert_seconds(counts)
