"""Everything that writes accounts, players, names and boards."""

from players.services.accounts import (
    account_create,
    account_language,
    account_preferences,
    player_country,
)
from players.services.bests import bests_add, bests_complete, bests_rebuild, bests_remove, lock_players
from players.services.identities import (
    ClaimRefused,
    identity_approve,
    identity_claim,
    identity_release,
    player_for_identifier,
    players_for_identifiers,
)
from players.services.levels import forget_level_changes
from players.services.marks import boards_to_measure, measure_boards

__all__ = [
    "ClaimRefused",
    "account_create",
    "account_language",
    "account_preferences",
    "bests_add",
    "bests_complete",
    "bests_rebuild",
    "bests_remove",
    "boards_to_measure",
    "forget_level_changes",
    "identity_approve",
    "identity_claim",
    "identity_release",
    "lock_players",
    "measure_boards",
    "player_country",
    "player_for_identifier",
    "players_for_identifiers",
]
