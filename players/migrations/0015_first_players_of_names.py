"""Names get the number that is theirs for ever, and requested claims become rows of their own."""

from __future__ import annotations

import secrets
from typing import Any

from django.db import migrations
from django.db.models import Min
from django.utils import timezone

_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def set_first_players(apps: Any, schema_editor: Any) -> None:
    """Of a player with several names, the one that is the shown name has the number, else the oldest name."""
    Identity = apps.get_model("players", "Identity")
    Player = apps.get_model("players", "Player")
    oldest = dict(Identity.objects.values_list("player").annotate(Min("id")))
    for player_id, name in Player.objects.order_by("pk").values_list("pk", "name").iterator(chunk_size=2_000):
        if player_id in oldest:
            shown = Identity.objects.filter(player=player_id, name=name).values_list("pk", flat=True).first()
            Identity.objects.filter(pk=shown or oldest[player_id]).update(first_player=player_id)


def make_claims(apps: Any, schema_editor: Any) -> None:
    """A request that waits for staff becomes a claim; its code is made up and has expired."""
    Identity = apps.get_model("players", "Identity")
    Claim = apps.get_model("players", "Claim")
    now = timezone.now()
    for identity in Identity.objects.filter(state="requested"):
        if identity.claimant_id is not None:
            code = "SB" + "".join(secrets.choice(_SIGNS) for _ in range(6))
            Claim.objects.create(
                user_id=identity.claimant_id, name=identity.name, state="requested", code=code, made_at=now,
                expires_at=now,
            )  # fmt: skip
    Identity.objects.filter(state="requested").update(state="unclaimed", claimant=None)


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0014_permanent_numbers_and_claims"),
    ]

    operations = [
        migrations.RunPython(set_first_players, migrations.RunPython.noop),
        migrations.RunPython(make_claims, migrations.RunPython.noop),
    ]
