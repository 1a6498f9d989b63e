from __future__ import annotations

from django.db import migrations, models
from django.db.models.functions import Now

from players.models import LogPosition


class Migration(migrations.Migration):
    """The triggers that fill it are made after each migration (``players.db.change_triggers``)."""

    dependencies = [("players", "0021_plain_words_of_claims")]

    operations = [
        migrations.AddField("player", "updated_at", models.DateTimeField(db_default=Now(), editable=False)),
        migrations.AddField("recordevent", "updated_at", models.DateTimeField(db_default=Now(), editable=False)),
        migrations.CreateModel(
            name="Change",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "thing",
                    models.CharField(
                        choices=[("replay", "Replay"), ("player", "Player"), ("record", "Record"), ("upload", "Upload"), ("feed", "Feed")],
                        max_length=6,
                    ),
                ),
                ("thing_id", models.BigIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("created", "Created"), ("changed", "Changed"), ("hidden", "Hidden"), ("deleted", "Deleted")], max_length=7
                    ),
                ),
                ("updated_at", models.DateTimeField(db_default=Now())),
                ("log_position", models.BigIntegerField(db_default=LogPosition())),
            ],
            options={
                "indexes": [
                    models.Index(fields=["log_position", "id"], name="changes_in_order"),
                    models.Index(fields=["updated_at"], name="changes_by_age"),
                    models.Index(
                        fields=["thing", "thing_id"], name="what_was_deleted", condition=models.Q(kind="deleted")
                    ),
                ],
            },
        ),
    ]
