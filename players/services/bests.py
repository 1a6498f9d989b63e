"""Personal bests and everything that follows from them, kept in step with the ranked replays.

Whatever changes a player's boards first locks the player, in the order of ids, so two of these never work on one
player at a time.  Replays that are locked before may still make two wait for each other: see ``players.patience``.
SQLite has no row locks; there a transaction that is going to write holds the whole database from its beginning.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from django.db import transaction

from players.boards import Game, game_of
from players.games import games_of
from players.models import PersonalBest, Player, SecondCount
from players.patience import patient
from players.services.combined import (
    CombinedKey,
    combined_keys,
    combined_rank_keys,
    combined_refresh,
    combined_totals,
)
from players.services.levels import note_levels, note_players
from players.services.marks import moves_of_bests, moves_of_sums, note_changes
from players.services.moves import moves_of
from players.services.personal import (
    Bests,
    as_bests,
    delete_bests,
    improve,
    next_bests,
    read_bests,
    upsert_bests,
)
from players.services.records import records_add, records_remove
from players.services.seconds import (
    SecondKey,
    Tallies,
    delete_seconds,
    seconds_add,
    seconds_remove,
    tally,
    upsert_seconds,
)

PLAYERS_A_BATCH: Final = 200  # of a rebuild: one transaction each, and the bests of these many in memory


def bests_add(replays: Sequence[Any]) -> None:
    """Let ``replays`` (saved with ``ranked=True``, once each) count on the boards.

    Thirteen statements on PostgreSQL, however many replays and players.  Within one call replays count in the order in
    which they were achieved, so that an import of old games leaves the history that they had: the same records with the
    same ranks as if they had come one by one.
    """
    games = [game_of(replay) for replay in replays]
    if not games:
        return
    with transaction.atomic(savepoint=False):
        _enter(games)
        seconds_add(games)
        note_levels(games)


def bests_complete(games: Collection[Game]) -> None:
    """Let values that arrived later count, as if their replays came in now with these alone.

    ``games``: of replays that count already, holding none but the values that they did not have before.
    """
    if not games:
        return
    with transaction.atomic(savepoint=False):
        _enter(games)
        note_levels(games)


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
    _note({key: before[key] for key in changed if key in before}, changed, sums_before, sums_after)
    # Last, since ranks are counted among all rows as they stand now.
    records_add(moves_of(games, before, changed, totals), written, totals)


def bests_remove(replays: Sequence[Any]) -> None:
    """Take ``replays`` off the boards; the next best ones return.

    Call it with the fields that the replays had while they were ranked: before their rows are deleted or get another
    player, or after ``ranked=False`` was saved.  A second call changes nothing.
    """
    games = [game_of(replay) for replay in replays]
    if not games:
        return
    gone = {game.replay_id for game in games}
    with transaction.atomic(savepoint=False):
        lock_players({game.player_id for game in games})
        held = _held_by(gone)
        found = next_bests(held.keys(), gone)
        if held:
            _replace(held, found)
        records_remove(games)
        seconds_remove(games)
        note_levels(games)


def bests_rebuild(player_ids: Collection[int] | None = None) -> int:
    """Make the boards of these players (None: all) again from their ranked replays; returns how many players.

    Rows are overwritten in place, so ids, and with them the order of full ties, stay.  The record history
    is a log and is kept.
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
    _note(held, found, sums_before, combined_refresh(sums, deleted=True))


def _note(
    before: Bests, after: Bests, sums_before: dict[CombinedKey, float], sums_after: dict[CombinedKey, float]
) -> None:
    """Write down what moved on the boards, so that their ranks stay cheap."""
    keys_before, keys_after = ({key: best.rank_key for key, best in bests.items()} for bests in (before, after))
    note_changes([*moves_of_bests(keys_before, keys_after), *moves_of_sums(sums_before, sums_after)])


# --- from scratch -----------------------------------------------------------------------------------------------------


@patient
def _rebuild_batch(player_ids: Sequence[int]) -> None:
    with transaction.atomic(savepoint=False):
        _rebuild(lock_players(player_ids))
        note_players(player_ids)  # also of a player who has gone


def _rebuild(player_ids: Sequence[int]) -> None:
    """Bring the tables of these few players, which are locked, to what their replays say."""
    bests: Bests = {}
    tallies: Tallies = {}
    for game in games_of(player_ids):
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
