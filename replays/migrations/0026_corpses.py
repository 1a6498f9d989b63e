from __future__ import annotations

from django.db import migrations, models

_ESTIME = (
    "Time that a corpse (a lost game) would have taken for the whole board at the same pace. It is the time itself in a won"
    " game, so only lost games have a leaderboard of it."
)


class Migration(migrations.Migration):
    dependencies = [("replays", "0025_words_of_statistics")]

    operations = [
        migrations.AddField("replay", "corpse", models.BooleanField(default=False, db_default=False)),
        migrations.AlterField("replay", "estime", models.FloatField(null=True, help_text=_ESTIME)),
    ]
