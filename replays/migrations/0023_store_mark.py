from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0022_indexes_of_turns")]

    operations = [
        migrations.CreateModel(
            name="StoreMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=64, unique=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
    ]
