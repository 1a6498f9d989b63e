from __future__ import annotations

from collections.abc import Collection

from players.leaderboards.services import add_games, remove_games
from replays.models import Replay
from replays.models.ranked_games import game_of
from replays.trust.judging.rules import counts_on_boards


def update_ranked(rows: Collection[Replay]) -> None:
    """Store whether each of ``rows`` counts on boards now, and add or remove its game.

    ``rows``: locked, with their players and the new values; ``ranked`` is what is stored.
    """
    entering = [row for row in rows if not row.ranked and counts_on_boards(row)]
    leaving = [row for row in rows if row.ranked and not counts_on_boards(row)]
    _set_ranked(leaving, False)
    remove_games([game_of(row) for row in leaving])  # reads what is ranked: games that enter must not be yet
    _set_ranked(entering, True)
    add_games([game_of(row) for row in entering])


def _set_ranked(rows: Collection[Replay], ranked: bool) -> None:
    if rows:
        Replay.objects.filter(pk__in=[row.pk for row in rows]).update(ranked=ranked)
    for row in rows:
        row.ranked = ranked
