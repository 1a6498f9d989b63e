from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('play', '0005_finished_boards'),
    ]

    operations = [
        migrations.AlterField(
            model_name='livegame',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting for the first click'), ('playing', 'being played'), ('over', 'over'), ('abandoned', 'given up')], default='waiting', max_length=9),
        ),
        migrations.AlterField(
            model_name='room',
            name='area_mines',
            field=models.PositiveIntegerField(default=48, verbose_name='mines per area'),
        ),
        migrations.AlterField(
            model_name='room',
            name='guests',
            field=models.BooleanField(default=True, verbose_name='guests can play'),
        ),
        migrations.AlterField(
            model_name='room',
            name='next_board',
            field=models.CharField(choices=[('at-once', 'at once'), ('by-owner', 'when the owner starts it')], default='at-once', max_length=8, verbose_name='next board'),
        ),
    ]
