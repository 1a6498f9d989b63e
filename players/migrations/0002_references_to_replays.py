

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_initial'),
        ('replays', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='claim',
            name='replay',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='replays.replay'),
        ),
        migrations.AddField(
            model_name='claim',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='claims_made', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='decision',
            index=models.Index(condition=models.Q(('about_number__isnull', False)), fields=['about_number', '-id'], name='decisions_about'),
        ),
        migrations.AddIndex(
            model_name='decision',
            index=models.Index(fields=['kind', 'number'], name='decisions_on'),
        ),
        migrations.AddField(
            model_name='identity',
            name='claimant',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='claims', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='levelchange',
            index=models.Index(fields=['level', 'log_position'], include=('player_number',), name='changes_of_level'),
        ),
        migrations.AddIndex(
            model_name='levelchange',
            index=models.Index(fields=['noted_at'], name='level_changes_by_age'),
        ),
        migrations.AddField(
            model_name='personalbest',
            name='replay',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='personal_bests', to='replays.replay'),
        ),
        migrations.AddField(
            model_name='combinedbest',
            name='beginner',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.personalbest'),
        ),
        migrations.AddField(
            model_name='combinedbest',
            name='expert',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.personalbest'),
        ),
        migrations.AddField(
            model_name='combinedbest',
            name='intermediate',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.personalbest'),
        ),
        migrations.AddField(
            model_name='player',
            name='merged_into',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_players', to='players.player'),
        ),
        migrations.AddField(
            model_name='player',
            name='user',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='player', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='personalbest',
            name='player',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='personal_bests', to='players.player'),
        ),
        migrations.AddField(
            model_name='namepart',
            name='player',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='name_parts', to='players.player'),
        ),
        migrations.AddField(
            model_name='identity',
            name='first_player',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='first_name', to='players.player'),
        ),
        migrations.AddField(
            model_name='identity',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='identities', to='players.player'),
        ),
        migrations.AddField(
            model_name='combinedbest',
            name='player',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='combined_bests', to='players.player'),
        ),
        migrations.AddIndex(
            model_name='rankchange',
            index=models.Index(fields=['statistic', 'level', 'style'], include=('old_key', 'new_key'), name='changes_of_board'),
        ),
        migrations.AddIndex(
            model_name='rankcheckpoint',
            index=models.Index(fields=['statistic', 'level', 'style', 'rank_key'], include=('ahead',), name='marks_of_board'),
        ),
        migrations.AddField(
            model_name='recordevent',
            name='player',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='record_events', to='players.player'),
        ),
        migrations.AddField(
            model_name='recordevent',
            name='replay',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='record_events', to='replays.replay'),
        ),
        migrations.AddField(
            model_name='recordevent',
            name='second_replay',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='replays.replay'),
        ),
        migrations.AddField(
            model_name='recordevent',
            name='third_replay',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='replays.replay'),
        ),
        migrations.AddField(
            model_name='secondcount',
            name='first_replay',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='replays.replay'),
        ),
        migrations.AddField(
            model_name='secondcount',
            name='player',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='second_counts', to='players.player'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(fields=['looks_written'], name='user_by_looks_written'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(fields=['looks_folded'], name='user_by_looks_folded'),
        ),
        migrations.AddConstraint(
            model_name='boardcount',
            constraint=models.UniqueConstraint(fields=('user', 'level', 'rules'), name='one_board_count'),
        ),
        migrations.AddIndex(
            model_name='claim',
            index=models.Index(condition=models.Q(('state', 'requested')), fields=['id'], name='claims_for_staff'),
        ),
        migrations.AddConstraint(
            model_name='claim',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['open', 'requested'])), fields=('name', 'user'), name='one_waiting_claim'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['name', 'id'], name='player_by_name'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('merged_into__isnull', False)), fields=['merged_into'], name='merged_players'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into', None), ('user', None), _connector='OR'), name='merged_player_without_account'),
        ),
        migrations.AddIndex(
            model_name='personalbest',
            index=models.Index(fields=['statistic', 'level', 'style', 'rank_key', 'achieved_at', 'id'], name='board_order'),
        ),
        migrations.AddConstraint(
            model_name='personalbest',
            constraint=models.UniqueConstraint(fields=('player', 'statistic', 'level', 'style'), name='one_personal_best'),
        ),
        migrations.AddIndex(
            model_name='namepart',
            index=models.Index(fields=['place', 'text', 'player'], name='name_part_order'),
        ),
        migrations.AddConstraint(
            model_name='namepart',
            constraint=models.UniqueConstraint(fields=('player', 'text'), name='one_name_part'),
        ),
        migrations.AddIndex(
            model_name='identity',
            index=models.Index(fields=['state', 'id'], name='identity_by_state'),
        ),
        migrations.AddIndex(
            model_name='identity',
            index=models.Index(fields=['skeleton'], name='identity_by_skeleton'),
        ),
        migrations.AddIndex(
            model_name='combinedbest',
            index=models.Index(fields=['statistic', 'style', 'rank_key', 'expert_key', 'intermediate_key', 'achieved_at', 'id'], name='combined_order'),
        ),
        migrations.AddConstraint(
            model_name='combinedbest',
            constraint=models.UniqueConstraint(fields=('player', 'statistic', 'style'), name='one_combined_best'),
        ),
        migrations.AddIndex(
            model_name='recordevent',
            index=models.Index(condition=models.Q(('kind', 'site')), fields=['style', '-id'], name='site_records_newest'),
        ),
        migrations.AddIndex(
            model_name='recordevent',
            index=models.Index(fields=['kind', 'statistic', 'level', 'style', '-id'], name='events_of_board'),
        ),
        migrations.AddIndex(
            model_name='recordevent',
            index=models.Index(fields=['player', '-id'], name='events_of_player'),
        ),
        migrations.AddIndex(
            model_name='recordevent',
            index=models.Index(condition=models.Q(('level', 'combined')), fields=['second_replay'], name='sums_of_second_replay'),
        ),
        migrations.AddIndex(
            model_name='recordevent',
            index=models.Index(condition=models.Q(('level', 'combined')), fields=['third_replay'], name='sums_of_third_replay'),
        ),
        migrations.AddIndex(
            model_name='recordevent',
            index=models.Index(condition=models.Q(('kind', 'personal')), fields=['player', 'statistic', 'level', 'style', 'id'], name='events_of_player_board'),
        ),
        migrations.AddIndex(
            model_name='recordevent',
            index=models.Index(condition=models.Q(('kind', 'personal'), ('statistic', 'time')), fields=['level', 'style', 'happened_at'], name='events_of_times_by_date'),
        ),
        migrations.AddIndex(
            model_name='secondcount',
            index=models.Index(fields=['level', 'style', 'second'], include=('player', 'games'), name='second_board'),
        ),
        migrations.AddConstraint(
            model_name='secondcount',
            constraint=models.UniqueConstraint(fields=('player', 'level', 'style', 'second'), name='one_second_count'),
        ),
    ]
