from __future__ import annotations

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("players", "0022_changes"), ("replays", "0029_plain_words_of_ownership")]

    operations = [
        migrations.AddField("replay", "updated_at", models.DateTimeField(db_default=Now(), editable=False)),
    ]
