"""A plain index of ``game_hash``, which is unique no more: equal games of different files are linked.

The constraint goes in the next migration.
"""

from __future__ import annotations

from django.db import migrations, models

from players.db.indexes import AddIndexWhileServing


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("replays", "0016_best_times_and_names")]

    operations = [AddIndexWhileServing("replay", models.Index(fields=["game_hash"], name="replay_by_game_hash"))]
