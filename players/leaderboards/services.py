"""Every write of boards: personal bests and what follows from them are brought in step with the ranked games.

Whatever changes a player's boards first locks the player, in the order of ids, so two of these never work on one
player at a time.  Replays that are locked before may still make two wait for each other: see ``players.db.retry``.
SQLite has no row locks; there a transaction that is going to write holds the whole database from its beginning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from django.db import transaction

from analysis.statistics import BY_NAME
from players.db.change_log import log_level_changes, log_player_changes
from players.db.retry import retry_on_conflict
from players.leaderboards.bests.combined import (
    combined_keys,
    combined_rank_keys,
    combined_refresh,
    combined_totals,
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
from players.leaderboards.ranked_games import ranked_games
from players.leaderboards.ranks.checkpoints import changes_of_bests, changes_of_sums, log_rank_changes
from players.leaderboards.records.moves import moves_of
from players.leaderboards.records.services import records_add, records_remove
from players.leaderboards.sub_n.services import (
    SecondKey,
    Tallies,
    delete_seconds,
    seconds_add,
    seconds_of,
    seconds_remove,
    tally,
    upsert_seconds,
)
from players.models import PersonalBest, Player, SecondCount

#: Places (a player's level) for which the database itself is searched; for more of them the games are read.
_FEW_PLACES: Final = 4
PLAYERS_A_BATCH: Final = 200  # of a rebuild: one transaction each, and the bests of these many in memory


def add_games(games: Collection[Game]) -> None:
    """Let ``games`` (saved with ``ranked=True``, once each) count on the boards.

    Thirteen statements on PostgreSQL, however many games and players.  Within one call games count in the order in
    which they were achieved, so that an import of old games leaves the history that they had: the same records with the
    same ranks as if they had come one by one.
    """
    if not games:
        return
    with transaction.atomic(savepoint=False):
        _enter(games)
        seconds_add(games)
        _log(games)


def add_late_values(games: Collection[Game]) -> None:
    """Let values that arrived later count, as if their games came in now with these alone.

    ``games``: of those that count already, holding none but the values that they did not have before.
    """
    if not games:
        return
    with transaction.atomic(savepoint=False):
        _enter(games)
        _log(games)


def remove_games(games: Collection[Game]) -> None:
    """Take ``games`` off the boards; the next best ones return.

    Call it with the values that the games had while they were ranked: before their rows are deleted or get another
    player, or after ``ranked=False`` was saved.  A second call changes nothing.
    """
    if not games:
        return
    excluded_ids = {game.replay_id for game in games}
    with transaction.atomic(savepoint=False):
        lock_players({game.player_id for game in games})
        held = _held_by(excluded_ids)
        found = next_bests(held.keys(), excluded_ids)
        if held:
            _replace(held, found)
        records_remove(games)
        seconds_remove(games)
        _log(games)


def update_games(before: Mapping[int, Game], after: Mapping[int, Game]) -> None:
    """Games that were and stay ranked have other values: bring their players' boards to these.

    Both mappings have the same ids; a game keeps its player, level and style.  Call it in the transaction that wrote the
    values.  The statements of one call do not become more with the games or players in it.  The record history is a log
    and is not changed.
    """
    changed = {pk: game for pk, game in after.items() if game != before[pk]}
    if not changed:
        return
    lock_players({game.player_id for game in changed.values()})
    _update_bests(changed)
    moved = [pk for pk, game in changed.items() if _second_of(game) != _second_of(before[pk])]
    if moved:
        seconds_remove([before[pk] for pk in moved])
        seconds_add([changed[pk] for pk in moved])
    _log(changed.values())


def rebuild_boards(player_ids: Collection[int] | None = None) -> int:
    """Make the boards of these players (None: all) again from their ranked games; returns how many players.

    Rows are overwritten in place, so ids, and with them the order of full ties, stay.  The record history
    is a log and is not changed.
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
    """Lock these players until the transaction ends, always in the same order; returns those that exist."""
    rows = Player.objects.select_for_update(no_key=True).filter(id__in=player_ids).order_by("id")
    return list(rows.values_list("id", flat=True))


def _enter(games: Collection[Game]) -> None:
    """Put the results of ``games`` on the boards and into the history."""
    games = sorted(games, key=lambda game: (game.achieved_at, game.replay_id))
    lock_players({game.player_id for game in games})
    before = _read_around(games)
    bests = dict(before)
    improve(bests, games)
    changed = {key: best for key, best in bests.items() if before.get(key) != best}
    if not changed:
        return
    sums = combined_keys(changed)
    sums_before = combined_rank_keys(sums)
    written = upsert_bests(changed)
    totals = combined_totals(sums, deleted=False)
    sums_after = {key: total.rank_key for key, total in totals.items()}
    _log_ranks({key: before[key] for key in changed if key in before}, changed, sums_before, sums_after)
    # Last, since ranks are counted among all rows as they stand now.
    records_add(moves_of(games, before, changed, totals), written, totals)


def _read_around(games: Sequence[Game]) -> Bests:
    """The bests that ``games`` could beat."""
    return read_bests(
        {game.player_id for game in games},
        {game.level for game in games},
        {style for game in games for style in game.styles},
    )


def _held_by(replay_ids: Collection[int]) -> Bests:
    return as_bests(PersonalBest.objects.filter(replay_id__in=replay_ids))


def _replace(held: Bests, found: Bests) -> None:
    """Put ``found`` in the places of ``held``; what is not found again goes."""
    sums = combined_keys(held.keys() | found.keys())
    sums_before = combined_rank_keys(sums)  # read first: a sum goes with its parts
    upsert_bests(found)
    delete_bests(held.keys() - found.keys())
    _log_ranks(held, found, sums_before, combined_refresh(sums, deleted=True))


def _log_ranks(
    before: Bests, after: Bests, sums_before: dict[CombinedKey, float], sums_after: dict[CombinedKey, float]
) -> None:
    """Log what moved on the boards, so that their ranks stay cheap."""
    keys_before, keys_after = ({key: best.rank_key for key, best in bests.items()} for bests in (before, after))
    log_rank_changes([*changes_of_bests(keys_before, keys_after), *changes_of_sums(sums_before, sums_after)])


def _log(games: Iterable[Game]) -> None:
    """Log that ``games`` came, went, or have other numbers."""
    log_level_changes({(game.player_id, game.level) for game in games})


# --- other values -----------------------------------------------------------------------------------------------------


def _second_of(game: Game) -> tuple[object, ...]:
    return game.achieved_at, *seconds_of(game)


def _update_bests(changed: Mapping[int, Game]) -> None:
    games = list(changed.values())
    stored = _read_around(games)
    bests = {key: best for key, best in stored.items() if best.replay_id not in changed}
    improve(bests, games)
    # The holder was the best of all.  If its place is now worse filled, any other game may be the best.
    fallen = {key for key, best in stored.items() if best.replay_id in changed and _is_worse(bests.get(key), best)}
    for key in fallen:
        bests.pop(key, None)
    bests.update(_search(fallen))
    gone = fallen - bests.keys()
    written = {key: best for key, best in bests.items() if stored.get(key) != best}
    if written or gone:
        _replace({key: best for key, best in stored.items() if key in written or key in gone}, written)


def _is_worse(new: Best | None, old: Best) -> bool:
    return new is None or new > old


def _search(keys: Collection[PersonalKey]) -> Bests:
    """The best in each place of ``keys`` among all ranked games."""
    known = {key for key in keys if key.statistic in BY_NAME}  # a statistic may have left the registry
    places = {(key.player_id, key.level) for key in known}
    if len(places) <= _FEW_PLACES:
        return next_bests(known, excluded_ids=())
    bests: Bests = {}
    player_ids, levels = {player_id for player_id, _ in places}, {level for _, level in places}
    improve(bests, ranked_games().of_players(player_ids, levels))
    return {key: best for key, best in bests.items() if key in known}


# --- from scratch -----------------------------------------------------------------------------------------------------


@retry_on_conflict
def _rebuild_batch(player_ids: Sequence[int]) -> None:
    with transaction.atomic(savepoint=False):
        _rebuild(lock_players(player_ids))
        log_player_changes(player_ids)  # also of a player who has gone


def _rebuild(player_ids: Sequence[int]) -> None:
    """Bring the tables of these few players, which are locked, to what their replays say."""
    bests: Bests = {}
    tallies: Tallies = {}
    for game in ranked_games().of_players(player_ids):
        improve(bests, [game])
        tally([game], into=tallies)
    _replace_bests(player_ids, bests)
    _replace_seconds(player_ids, tallies)


def _replace_bests(player_ids: Sequence[int], bests: Bests) -> None:
    # Levels and styles that are ranked no longer must go too, so the old rows are read without a filter on them.
    _replace(as_bests(PersonalBest.objects.filter(player_id__in=player_ids)), bests)


def _replace_seconds(player_ids: Sequence[int], tallies: Tallies) -> None:
    rows = SecondCount.objects.filter(player_id__in=player_ids)
    stored = {SecondKey(*row) for row in rows.values_list(*SecondKey._fields)}
    delete_seconds(stored - tallies.keys())
    upsert_seconds(tallies)
