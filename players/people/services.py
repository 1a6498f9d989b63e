"""Writing players and names.

A name is stored as in the file, with its case and accents, in one spelling (``players.db.text.storable_name``).  An
unclaimed name has a player of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import transaction

from analysis.names import skeleton
from players.db import bulk
from players.db.change_log import log_player_changes
from players.db.select import Row
from players.models import MAX_NAME_CHARS, Identity, NamePart, Player, User
from players.people.countries import country_names
from players.people.name_parts import name_parts


def players_for_names(names: Collection[str]) -> dict[str, Player]:
    """Return the players of ``names`` in their stored spelling, created where they are new; empty names are left out.

    Call it inside the transaction that stores the replays: the identities are locked until its end, so that no claim
    changes their player in between.  ``ValueError`` for a name longer than the column, which format readers must not
    return.
    """
    sorted_names = sorted({name for name in names if name})
    if not sorted_names:
        return {}
    if any(len(name) > MAX_NAME_CHARS for name in sorted_names):
        raise ValueError(f"a name in a replay has more than {MAX_NAME_CHARS} characters")
    with transaction.atomic(savepoint=False):
        found = _lock(sorted_names)
        missing = [name for name in sorted_names if name not in found]
        if missing:
            created = _create(missing)
            found = _lock(sorted_names)
            _add_parts({found[name].pk: [name] for name in missing if found[name].pk in created})
    return found


def player_of_user(user: User) -> Player:
    """The player of the account ``user``, created if it has none: of its own name, and of no name in replays.

    The name may be that of other players: nobody's games are found by it.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        player, created = Player.objects.get_or_create(user=user, defaults={"name": user.username})
        if created:
            index_names([player.pk])
            if locked.country:
                set_country(player, locked.country)
    return player


def players_of_users(users: Collection[User]) -> dict[int, Player]:
    """The players of these accounts by the account's id; those that are missing are created, as in ``player_of_user``."""
    found = {player.user_id: player for player in Player.objects.filter(user__in={user.pk for user in users})}
    return {user.pk: found.get(user.pk) or player_of_user(user) for user in {user.pk: user for user in users}.values()}


def _lock(names: list[str]) -> dict[str, Player]:
    identities = Identity.objects.select_for_update(of=("self",), no_key=True).select_related("player")
    return {identity.name: identity.player for identity in identities.filter(name__in=names).order_by("id")}


def _create(names: list[str]) -> set[int]:
    """Create ``names`` with players; returns the players' ids.

    If another transaction has just created a name, our player of it is deleted.
    """
    players = Player.objects.bulk_create(Player(name=name) for name in names)
    Identity.objects.bulk_create(
        (
            Identity(
                name=player.name,
                player=player,
                first_player=player,
                skeleton=skeleton(player.name)[:MAX_NAME_CHARS],
            )
            for player in players
        ),
        ignore_conflicts=True,
    )
    created = {player.pk for player in players}
    Player.objects.filter(id__in=created, identities=None).delete()
    return created


def index_names(player_ids: Collection[int]) -> None:
    """Write the name parts of players whose shown name or names in replays have changed; merged players have none."""
    with transaction.atomic():
        shown = Player.objects.select_for_update(no_key=True).filter(pk__in=player_ids).order_by("pk")
        rows = list(shown.values_list("pk", "name", "merged_into"))
        names = {pk: [name] for pk, name, merged_into in rows if merged_into is None}
        for pk, name in Identity.objects.filter(player__in=names).values_list("player_id", "name"):
            names[pk].append(name)
        NamePart.objects.filter(player__in=[pk for pk, *_others in rows]).delete()
        _add_parts(names)


def _add_parts(names: Mapping[int, Collection[str]]) -> None:
    """Insert the name parts of players who have none; ``names``: all names of each player, by id."""
    rows: list[Row] = [
        (player_id, text, place) for player_id, own in names.items() for text, place in name_parts(own).items()
    ]
    bulk.insert(NamePart, ("player_id", "text", "place"), rows)


def set_country(player: Player, country: str, *, from_files: bool = False) -> Player:
    """Store the country of ``player`` (two letters or "") and log the change; ``ValueError`` if it is unknown.

    ``from_files``: nobody chose it, so it changes with the files.
    """
    if country and country not in country_names():
        raise ValueError(f"unknown country {country!r}")
    with transaction.atomic():
        row = Player.objects.filter(pk=player.pk)
        changed = row.exclude(country=country).update(country=country)
        row.exclude(country_from_files=from_files).update(country_from_files=from_files)
        if changed:
            log_player_changes([player.pk])
    player.country, player.country_from_files = country, from_files
    return player


def set_file_countries(countries: Mapping[int, str]) -> None:
    """Store countries that files state, by the player's id, and log the changes; a statement for each country."""
    for country in sorted(set(countries.values())):
        ids = [pk for pk, found in countries.items() if found == country]
        Player.objects.filter(pk__in=ids).update(country=country, country_from_files=bool(country))
    log_player_changes(countries)
