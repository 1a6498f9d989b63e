from __future__ import annotations

from collections.abc import Collection, Iterable

from players.db.change_log import log_level_changes
from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import add_games, remove_games
from replays.models import Replay
from replays.trust.judging.rules import counts_as_corpse, counts_on_boards


def update_ranked(rows: Collection[Replay]) -> None:
    """Store whether each of ``rows`` counts on boards now, and add or remove its game.

    ``rows``: locked, with their players and the new values; ``ranked`` and ``corpse`` are what is stored.
    """
    entering = [row for row in rows if not row.ranked and counts_on_boards(row)]
    leaving = [row for row in rows if row.ranked and not counts_on_boards(row)]
    _set_ranked(leaving, False)
    remove_games([game_of(row) for row in leaving])  # reads what is ranked: games that enter must not be yet
    _set_ranked(entering, True)
    add_games([game_of(row) for row in entering])
    _update_corpses([row for row in rows if not row.corpse and counts_as_corpse(row)], True)
    _update_corpses([row for row in rows if row.corpse and not counts_as_corpse(row)], False)


def log_corpses(rows: Iterable[Replay]) -> None:
    """Log that lost games came to boards of lost games, left them or changed there.

    Those boards have no table but the replays themselves: they read a player's games again after an entry in this log.
    """
    log_level_changes({(row.player_id, row.level) for row in rows if row.player_id is not None})


def _set_ranked(rows: Collection[Replay], ranked: bool) -> None:
    if rows:
        Replay.objects.filter(pk__in=[row.pk for row in rows]).update(ranked=ranked)
    for row in rows:
        row.ranked = ranked


def _update_corpses(rows: Collection[Replay], corpse: bool) -> None:
    if rows:
        Replay.objects.filter(pk__in=[row.pk for row in rows]).update(corpse=corpse)
    for row in rows:
        row.corpse = corpse
    log_corpses(rows)
