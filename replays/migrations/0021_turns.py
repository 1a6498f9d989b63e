from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0020_indexes_of_sketches")]

    operations = [migrations.AddField("replay", "turn", models.BigIntegerField(db_default=0, default=0))]
