from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0019_no_boards_of_iome")]

    operations = [
        migrations.AddField(
            "user",
            "country",
            models.CharField(blank=True, db_default="", default="", max_length=2, verbose_name="country"),
        ),
    ]
