"""Sketches of opening clicks.  The columns are nullable, so no row is written again.

The task ``replays.compare_similar`` fills in the sketches of older games, a few seconds of work a minute.
"""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0018_links_of_games")]

    operations = [
        migrations.AddField("playtrace", "sketch", models.BinaryField(max_length=128, null=True)),
        *(
            migrations.AddField("playtrace", f"sketch_{number}", models.BigIntegerField(null=True))
            for number in range(1, 7)
        ),
        migrations.AddField("playtrace", "compared_at", models.DateTimeField(null=True)),
    ]
