from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("players", "0016_viewer_settings")]

    operations = [
        migrations.AddField("user", "board_columns", models.CharField(blank=True, db_default="", default="", max_length=100)),
        migrations.AddIndex(
            "recordevent",
            models.Index(
                fields=["player", "statistic", "level", "style", "id"], name="events_of_player_board",
                condition=Q(kind="personal"),
            ),
        ),
        migrations.AddIndex(
            "recordevent",
            models.Index(
                fields=["level", "style", "happened_at"], name="events_of_times_by_date",
                condition=Q(kind="personal", statistic="time"),
            ),
        ),
    ]  # fmt: skip
