"""Models and a field get the names that the code uses now; tables and columns stay as they are."""

from django.db import migrations, models

import players.models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0006_players_off_boards'),
    ]

    operations = [
        migrations.AlterModelTable(name='boardmark', table='players_boardmark'),
        migrations.RenameModel(old_name='BoardMark', new_name='RankCheckpoint'),
        migrations.AlterModelTable(name='boardchange', table='players_boardchange'),
        migrations.RenameModel(old_name='BoardChange', new_name='RankChange'),
        migrations.AlterField(
            model_name='levelchange',
            name='moment',
            field=models.BigIntegerField(db_column='moment', db_default=players.models.LogPosition()),
        ),
        migrations.RenameField(model_name='levelchange', old_name='moment', new_name='log_position'),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex(model_name='levelchange', name='changes_of_level'),
                migrations.AddIndex(
                    model_name='levelchange',
                    index=models.Index(
                        fields=['level', 'log_position'], include=('player_number',), name='changes_of_level'
                    ),
                ),
            ],
        ),
    ]
