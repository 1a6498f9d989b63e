from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0017_board_columns_and_trends")]

    operations = [
        migrations.CreateModel(
            "BoardCount",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("level", models.CharField(max_length=16)),
                ("rules", models.CharField(max_length=8)),
                ("left", models.PositiveIntegerField(default=0)),
                ("lost", models.PositiveIntegerField(default=0)),
                ("won", models.PositiveIntegerField(default=0)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="board_counts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=["user", "level", "rules"], name="one_board_count")]
            },
        ),
    ]  # fmt: skip
