from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0039_worse_guesses'),
    ]

    operations = [
        migrations.AddField(
            model_name='replay',
            name='pace',
            field=models.FloatField(help_text="The share of the time that wasn't lost in slow stretches: gaps between opening clicks that last more than a second and more than four times the median gap.", null=True),
        ),
    ]
