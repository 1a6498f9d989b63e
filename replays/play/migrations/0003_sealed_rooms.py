"""New rooms are sealed, with flags and chords.  Only defaults of the code change: no statement is run."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0002_rooms")]

    operations = [
        migrations.AlterField("room", "sealed", models.BooleanField(default=True, verbose_name="sealed")),
        migrations.AlterField("room", "flags", models.BooleanField(default=True, verbose_name="flags")),
        migrations.AlterField("room", "chords", models.BooleanField(default=True, verbose_name="chords")),
    ]
