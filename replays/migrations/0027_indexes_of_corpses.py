from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing


def _index(value: str) -> AddIndexWhileServing:
    return AddIndexWhileServing(
        "replay",
        models.Index(
            fields=["level", "player", value, "achieved_at", "id"],
            include=["style"],
            name=f"replay_corpses_by_{value.removeprefix('-')}",
            condition=Q(corpse=True),
        ),
    )


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("replays", "0026_corpses")]

    operations = [_index("-stnb"), _index("estime")]
