from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("replays", "0021_turns")]

    operations = [
        AddIndexWhileServing(
            "replay", models.Index(fields=["turn", "id"], name="replay_next", condition=Q(status="queued"))
        ),
        AddIndexWhileServing(
            "replay",
            models.Index(fields=["uploader", "turn"], name="replay_turns_of_uploader", condition=Q(status="queued")),
        ),
    ]
