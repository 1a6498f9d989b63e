from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("replays", "0030_updated_at")]

    operations = [
        AddIndexWhileServing(
            "replay",
            models.Index(fields=["updated_at", "id"], name="replay_updated", condition=Q(status="done")),
        ),
    ]
