from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("replays", "0015_account_deletion_and_recompute_notes")]

    operations = [
        migrations.AddIndex(
            "replay", models.Index(fields=["uploader", "identifier"], name="replay_names_of_uploader")
        ),
        migrations.AddIndex(
            "replay",
            models.Index(
                fields=["level", "player", "time", "achieved_at", "id"], include=["style"], name="replay_best_times",
                condition=Q(ranked=True),
            ),
        ),
    ]
