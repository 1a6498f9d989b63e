"""Names of an older database get their numbers, and requests become claims."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

SCHEMA = [("players", "0014_permanent_numbers_and_claims")]
AFTER = [("players", "0015_first_players_of_names")]


@pytest.mark.long(beside="tests/config/test_migrations.py::test_no_migration_locks_a_large_table")
@pytest.mark.django_db(transaction=True)
def test_names_and_requests_of_an_older_database() -> None:
    call_command("migrate", *SCHEMA[0], verbosity=0)  # the command, whose signals take the triggers of newer tables away
    old: Any = MigrationExecutor(connection).loader.project_state(SCHEMA).apps
    player, user = old.get_model("players", "Player"), old.get_model("players", "User")
    identity = old.get_model("players", "Identity")
    ada = user.objects.create(username="ada")
    two, one = player.objects.create(name="Lovelace"), player.objects.create(name="Bob the bold")
    for name, owner, state in (
        ("Ada", two, "claimed"),
        ("Lovelace", two, "claimed"),
        ("Bob", one, "requested"),
        ("Bo", one, "unclaimed"),
    ):
        identity.objects.create(
            name=name, player=owner, state=state, claimant=None if state == "unclaimed" else ada
        )
    call_command("migrate", *AFTER[0], verbosity=0)
    new: Any = MigrationExecutor(connection).loader.project_state(AFTER).apps
    identity, claim = new.get_model("players", "Identity"), new.get_model("players", "Claim")
    first = dict(identity.objects.values_list("name", "first_player"))
    assert first == {"Ada": None, "Lovelace": two.pk, "Bob": one.pk, "Bo": None}
    assert identity.objects.get(name="Bob").state == "unclaimed"
    assert identity.objects.get(name="Bob").claimant is None
    asked = claim.objects.get()
    assert (asked.name, asked.user_id, asked.state) == ("Bob", ada.pk, "requested")
    assert asked.expires_at == asked.made_at
    call_command("migrate", verbosity=0)
