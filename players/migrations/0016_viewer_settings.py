"""Accounts keep the settings of the viewer."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0015_first_players_of_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="viewer_settings",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
    ]
