"""Writing players and names.

A name is stored exactly as in the file, with its case, spaces and Unicode form.  An unclaimed name has a player of its
own.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from players.db.change_log import log_player_changes
from players.models import MAX_NAME_CHARS, Identity, Player
from players.people.countries import country_names


def players_for_names(names: Collection[str]) -> dict[str, Player]:
    """The players of ``names``, created where they are new; empty names are left out.

    Call it inside the transaction that stores the replays: the identities are locked until its end, so that no claim
    changes their player in between.  ``ValueError`` for a name longer than the column, which format readers must not
    return.
    """
    wanted = sorted({name for name in names if name})
    if not wanted:
        return {}
    if any(len(name) > MAX_NAME_CHARS for name in wanted):
        raise ValueError(f"a name in a replay has more than {MAX_NAME_CHARS} characters")
    with transaction.atomic(savepoint=False):
        found = _lock(wanted)
        missing = [name for name in wanted if name not in found]
        if missing:
            _create(missing)
            found = _lock(wanted)
    return found


def _lock(names: list[str]) -> dict[str, Player]:
    identities = Identity.objects.select_for_update(of=("self",), no_key=True).select_related("player")
    return {identity.name: identity.player for identity in identities.filter(name__in=names).order_by("id")}


def _create(names: list[str]) -> None:
    """Create ``names`` with players.  If another transaction has just created a name, our player of it is deleted."""
    players = Player.objects.bulk_create(Player(name=name) for name in names)
    Identity.objects.bulk_create(
        (Identity(name=player.name, player=player) for player in players), ignore_conflicts=True
    )
    Player.objects.filter(id__in=[player.pk for player in players], identities=None).delete()


def set_country(player: Player, country: str) -> Player:
    """Store the country of ``player`` (two letters or "") and log the change; ``ValueError`` if it is unknown."""
    if country and country not in country_names():
        raise ValueError(f"unknown country {country!r}")
    with transaction.atomic():
        changed = Player.objects.filter(pk=player.pk).exclude(country=country).update(country=country)
        if changed:
            log_player_changes([player.pk])
    player.country = country
    return player
