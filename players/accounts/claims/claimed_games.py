"""The interface through which claims change games: ``replays`` implements it, since ``players`` must not import it."""

from __future__ import annotations

from typing import Protocol

from players.db.pipeline import Deferred


class ClaimedGames(Protocol):
    """Changes to games under a name when its owner changes; call each method in the transaction that changes it."""

    def name_released(self, player_id: int, name: str) -> None:
        """Nobody owns ``name``, now of ``player_id``: games that waited for the owner count like all others."""
        ...

    def name_passed_on(self, player_id: int, name: str, *, loser_id: int | None, owner_id: int) -> None:
        """Staff gave ``name``, now of ``player_id``, to another account.

        The answers of the former owner do not hold, and their uploads wait for the new one.
        """
        ...

    def waiting_games(self, player_id: int, name: str) -> int: ...

    def send_not_owned(self, player_id: int) -> Deferred[int]:
        """Count the games under the player's names that are not counted as theirs; deferred."""
        ...


_registered: list[ClaimedGames] = []


def register(games: ClaimedGames) -> None:
    """Make :func:`claimed_games` return ``games``; ``replays`` calls it when Django starts."""
    _registered[:] = [games]


def claimed_games() -> ClaimedGames:
    return _registered[0]
