from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("players", "0028_country_of_files"), ("replays", "0041_dates_without_a_zone")]

    operations = [
        migrations.AddField("replay", "encoding_chosen", models.BooleanField(default=False, db_default=False)),
        migrations.AddField(
            "replay", "file_country", models.CharField(blank=True, default="", db_default="", max_length=2)
        ),
        migrations.AddField(
            "replay", "name_encoding", models.CharField(blank=True, default="", db_default="", max_length=16)
        ),
        AddIndexWhileServing(
            "replay",
            models.Index(
                fields=["player", "file_country"],
                include=["judgement"],
                name="replay_countries",
                condition=Q(status="done", file_country__gt=""),
            ),
        ),
    ]
