
import django.db.models.deletion
import django.db.models.functions.datetime
import players.decision_log
import replays.models.analysed
import replays.models.moderation
import replays.models.opinions
import replays.models.places
import replays.models.replay
import replays.models.uploads
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HomeVisit',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='home_visit', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('seen_at', models.DateTimeField()),
                ('seen_event', models.BigIntegerField()),
                ('since_at', models.DateTimeField(null=True)),
                ('since_event', models.BigIntegerField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Replay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64)),
                ('size_bytes', models.PositiveIntegerField()),
                ('original_name', models.CharField(blank=True, max_length=255)),
                ('uploaded_at', models.DateTimeField()),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('keep_file', models.BooleanField(db_default=False, default=False)),
                ('file_deleted_at', models.DateTimeField(null=True)),
                ('status', models.CharField(choices=replays.models.replay.Replay.Status.options, default='queued', max_length=8)),
                ('claimed_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('turn', models.BigIntegerField(db_default=0, default=0)),
                ('analysed_at', models.DateTimeField(null=True)),
                ('reject_code', models.CharField(blank=True, default='', max_length=32)),
                ('reject_params', models.JSONField(blank=True, default=dict)),
                ('statistics_version', models.PositiveSmallIntegerField(null=True)),
                ('luck_version', models.PositiveSmallIntegerField(null=True)),
                ('luck_claimed_at', models.DateTimeField(null=True)),
                ('luck_attempts', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('luck_code', models.CharField(blank=True, db_default='', default='', max_length=32)),
                ('game', models.BigIntegerField(null=True)),
                ('game_hash', models.CharField(max_length=64, null=True)),
                ('format', models.CharField(blank=True, default='', max_length=8)),
                ('format_variant', models.CharField(blank=True, default='', max_length=32)),
                ('software', models.CharField(blank=True, default='', max_length=255)),
                ('identifier', models.CharField(blank=True, default='', max_length=255)),
                ('name_encoding', models.CharField(blank=True, db_default='', default='', max_length=16)),
                ('encoding_chosen', models.BooleanField(db_default=False, default=False)),
                ('file_country', models.CharField(blank=True, db_default='', default='', max_length=2)),
                ('level', models.CharField(blank=True, default='', max_length=16)),
                ('rows', models.PositiveSmallIntegerField(null=True)),
                ('columns', models.PositiveSmallIntegerField(null=True)),
                ('mines', models.PositiveIntegerField(null=True)),
                ('board', models.BinaryField(null=True)),
                ('mode', models.CharField(blank=True, default='', max_length=16)),
                ('style', models.CharField(blank=True, default='', max_length=3)),
                ('result', models.CharField(blank=True, choices=replays.models.replay.Replay.Result.options, default='', max_length=10)),
                ('win', models.BooleanField(null=True)),
                ('time_precision_ms', models.PositiveSmallIntegerField(null=True)),
                ('played_at', models.DateTimeField(null=True)),
                ('played_at_has_zone', models.BooleanField(db_default=True, default=True)),
                ('date_trusted', models.BooleanField(db_default=False, default=False)),
                ('achieved_at', models.DateTimeField(null=True)),
                ('evidence', models.CharField(blank=True, choices=replays.models.replay.Replay.Evidence.options, db_default='', default='', max_length=6)),
                ('findings', models.JSONField(blank=True, default=list)),
                ('ownership', models.CharField(blank=True, choices=replays.models.replay.Replay.Ownership.options, db_default='', default='', max_length=9)),
                ('judgement', models.CharField(choices=replays.models.replay.Replay.Judgement.options, default='accepted', max_length=12)),
                ('judgement_reason', models.CharField(blank=True, default='', max_length=255)),
                ('judgement_code', models.CharField(blank=True, default='', max_length=32)),
                ('judgement_params', models.JSONField(blank=True, default=dict)),
                ('judged_at', models.DateTimeField(blank=True, null=True)),
                ('ranked', models.BooleanField(default=False)),
                ('corpse', models.BooleanField(db_default=False, default=False)),
                ('provisional_until', models.DateTimeField(null=True)),
                ('time_ms', models.IntegerField(null=True)),
                ('time', models.FloatField(null=True)),
                ('path', models.FloatField(null=True)),
                ('lcl', models.IntegerField(null=True)),
                ('rcl', models.IntegerField(null=True)),
                ('dcl', models.IntegerField(null=True)),
                ('lce', models.IntegerField(null=True)),
                ('rce', models.IntegerField(null=True)),
                ('dce', models.IntegerField(null=True)),
                ('rce_strict', models.IntegerField(null=True)),
                ('flags', models.IntegerField(null=True)),
                ('bvdone', models.IntegerField(null=True)),
                ('opdone', models.IntegerField(null=True)),
                ('isdone', models.IntegerField(null=True)),
                ('cl', models.IntegerField(null=True)),
                ('ce', models.IntegerField(null=True)),
                ('ce_strict', models.IntegerField(null=True)),
                ('completion', models.FloatField(null=True)),
                ('estime', models.FloatField(null=True)),
                ('bvs', models.FloatField(null=True)),
                ('rqp', models.FloatField(null=True)),
                ('qg', models.FloatField(null=True)),
                ('ios', models.FloatField(null=True)),
                ('rv', models.FloatField(null=True)),
                ('stnb', models.FloatField(null=True)),
                ('stnb2023', models.FloatField(null=True)),
                ('cls', models.FloatField(null=True)),
                ('ces', models.FloatField(null=True)),
                ('corr', models.FloatField(null=True)),
                ('thrp', models.FloatField(null=True)),
                ('ioe', models.FloatField(null=True)),
                ('cpo', models.FloatField(null=True)),
                ('coo', models.FloatField(null=True)),
                ('mov', models.FloatField(null=True)),
                ('iome', models.FloatField(null=True)),
                ('sao', models.FloatField(null=True)),
                ('gzinis', models.FloatField(null=True)),
                ('gznt', models.FloatField(null=True)),
                ('gzne', models.FloatField(null=True)),
                ('hzinis', models.FloatField(null=True)),
                ('hznt', models.FloatField(null=True)),
                ('hzne', models.FloatField(null=True)),
                ('luck', models.FloatField(null=True)),
                ('pluck', models.FloatField(null=True)),
                ('guesses', models.IntegerField(null=True)),
                ('needless_guesses', models.IntegerField(null=True)),
                ('accuracy', models.FloatField(null=True)),
                ('needless_risk', models.FloatField(null=True)),
                ('pace', models.FloatField(null=True)),
                ('worst_risk', models.FloatField(null=True)),
                ('no_guess', models.IntegerField(null=True)),
                ('difficulty', models.IntegerField(null=True)),
                ('bv', models.IntegerField(null=True)),
                ('op', models.IntegerField(null=True)),
                ('isl', models.IntegerField(null=True)),
                ('cell0', models.IntegerField(null=True)),
                ('cell1', models.IntegerField(null=True)),
                ('cell2', models.IntegerField(null=True)),
                ('cell3', models.IntegerField(null=True)),
                ('cell4', models.IntegerField(null=True)),
                ('cell5', models.IntegerField(null=True)),
                ('cell6', models.IntegerField(null=True)),
                ('cell7', models.IntegerField(null=True)),
                ('cell8', models.IntegerField(null=True)),
                ('gzini', models.IntegerField(null=True)),
                ('hzini', models.IntegerField(null=True)),
                ('gzini_ref', models.IntegerField(null=True)),
                ('hzini_ref', models.IntegerField(null=True)),
                ('judged_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replays', to='players.player')),
                ('uploader', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='replays', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='StoreMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='AccountDeletion',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='deletion', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('uploads', models.CharField(choices=replays.models.uploads.AccountDeletion.Uploads.options, max_length=6)),
                ('asked_at', models.DateTimeField()),
                ('worked_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Ban',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rule', models.CharField(choices=players.decision_log.Rule.options, max_length=8)),
                ('reason', models.CharField(blank=True, default='', max_length=255)),
                ('made_at', models.DateTimeField()),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='bans', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='BanAppeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=1000)),
                ('made_at', models.DateTimeField()),
                ('state', models.CharField(choices=replays.models.moderation.BanAppeal.State.options, default='open', max_length=7)),
                ('answer', models.CharField(blank=True, default='', max_length=255)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('ban', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='appeals', to='replays.ban')),
            ],
        ),
        migrations.CreateModel(
            name='Comment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=2000)),
                ('created_at', models.DateTimeField()),
                ('hidden_at', models.DateTimeField(blank=True, null=True)),
                ('hidden_reason', models.CharField(blank=True, default='', max_length=255)),
                ('hidden_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='comments', to=settings.AUTH_USER_MODEL)),
                ('replay', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='replays.replay')),
            ],
        ),
        migrations.CreateModel(
            name='DeletedGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('replay_number', models.BigIntegerField()),
                ('original_name', models.CharField(blank=True, max_length=255)),
                ('deleted_at', models.DateTimeField()),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deleted_games', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='PlayTrace',
            fields=[
                ('replay', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='trace', serialize=False, to='replays.replay')),
                ('clicks', models.BinaryField(max_length=16, null=True)),
                ('clicks_start', models.BinaryField(max_length=16, null=True)),
                ('board', models.BinaryField(max_length=16, null=True)),
                ('clicks_on_board', models.BinaryField(max_length=16, null=True)),
                ('offsets', models.BinaryField(max_length=8, null=True)),
                ('rhythm', models.BinaryField(max_length=8, null=True)),
                ('opening_clicks', models.PositiveIntegerField(null=True)),
                ('seal_hash', models.BinaryField(max_length=16, null=True)),
                ('line_hz', models.FloatField(null=True)),
                ('line_strength', models.FloatField(null=True)),
                ('equal_steps', models.FloatField(null=True)),
                ('hold_ms', models.FloatField(null=True)),
                ('speed_95_px_per_ms', models.FloatField(null=True)),
                ('button_place', models.FloatField(null=True)),
                ('sketch', models.BinaryField(max_length=128, null=True)),
                ('sketch_1', models.BigIntegerField(null=True)),
                ('sketch_2', models.BigIntegerField(null=True)),
                ('sketch_3', models.BigIntegerField(null=True)),
                ('sketch_4', models.BigIntegerField(null=True)),
                ('sketch_5', models.BigIntegerField(null=True)),
                ('sketch_6', models.BigIntegerField(null=True)),
                ('compared_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='NeedlessGuess',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.PositiveIntegerField()),
                ('time_ms', models.IntegerField()),
                ('risk', models.FloatField()),
                ('rule', models.CharField(blank=True, max_length=16)),
                ('is_needless', models.BooleanField(db_default=True, default=True)),
                ('replay', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='needless', to='replays.replay')),
            ],
        ),
        migrations.CreateModel(
            name='Like',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='likes', to=settings.AUTH_USER_MODEL)),
                ('replay', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='likes', to='replays.replay')),
            ],
        ),
        migrations.CreateModel(
            name='Appeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=1000)),
                ('created_at', models.DateTimeField()),
                ('state', models.CharField(choices=replays.models.opinions.Appeal.State.options, default='open', max_length=7)),
                ('answer', models.CharField(blank=True, default='', max_length=255)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='appeals', to=settings.AUTH_USER_MODEL)),
                ('replay', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='appeals', to='replays.replay')),
            ],
        ),
        migrations.CreateModel(
            name='RecomputeNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('changed_at', models.DateTimeField()),
                ('changes', models.JSONField()),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='recompute_notes', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='ReportedThing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=players.decision_log.Kind.options, max_length=8)),
                ('number', models.BigIntegerField()),
                ('clicks', models.BinaryField(max_length=16, null=True)),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('about', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reported_things', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rule', models.CharField(choices=players.decision_log.Rule.options, max_length=8)),
                ('text', models.CharField(blank=True, default='', max_length=255)),
                ('made_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to=settings.AUTH_USER_MODEL)),
                ('thing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='replays.reportedthing')),
            ],
        ),
        migrations.CreateModel(
            name='StatisticQuantiles',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.CharField(max_length=16)),
                ('statistic', models.CharField(max_length=16)),
                ('games', models.PositiveIntegerField()),
                ('players', models.PositiveIntegerField(db_default=0, default=0)),
                ('values', models.BinaryField()),
                ('made_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('level', 'statistic'), name='one_table_of_quantiles')],
            },
        ),
        migrations.CreateModel(
            name='TrainingCard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.PositiveIntegerField()),
                ('box', models.PositiveSmallIntegerField()),
                ('due_on', models.DateField(null=True)),
                ('replay', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='training_cards', to='replays.replay')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='training_cards', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='TrainingDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('tried', models.PositiveIntegerField(default=0)),
                ('right', models.PositiveIntegerField(default=0)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='training_days', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='UploadBatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField()),
                ('files', models.PositiveIntegerField(default=0)),
                ('known', models.PositiveIntegerField(default=0)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='upload_batches', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='BatchFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=255)),
                ('outcome', models.CharField(choices=replays.models.uploads.BatchFile.Outcome.options, max_length=9)),
                ('message', models.TextField(blank=True)),
                ('replay', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='replays.replay')),
                ('batch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='replays.uploadbatch')),
            ],
        ),
        migrations.CreateModel(
            name='AcceptedVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('format', models.CharField(max_length=8)),
                ('format_variant', models.CharField(blank=True, default='', max_length=32)),
                ('software', models.CharField(max_length=255)),
                ('accepted_at', models.DateTimeField()),
                ('accepted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('format', 'format_variant', 'software'), name='accepted_version_once')],
            },
        ),
        migrations.AddIndex(
            model_name='ban',
            index=models.Index(fields=['user', '-id'], name='bans_of_user'),
        ),
        migrations.AddIndex(
            model_name='ban',
            index=models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['-id'], name='bans_in_force'),
        ),
        migrations.AddConstraint(
            model_name='ban',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('user',), name='one_ban_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='ban',
            constraint=models.CheckConstraint(condition=models.Q(('until', None), ('until__gt', models.F('made_at')), _connector='OR'), name='ban_ends_after_it_began'),
        ),
        migrations.AddIndex(
            model_name='banappeal',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['id'], name='ban_appeals_open'),
        ),
        migrations.AddConstraint(
            model_name='banappeal',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('ban',), name='one_open_appeal_a_ban'),
        ),
        migrations.AddIndex(
            model_name='deletedgame',
            index=models.Index(fields=['user', '-deleted_at'], name='deleted_games_of_user'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('clicks__isnull', False)), fields=['clicks'], name='trace_by_clicks'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('clicks_start__isnull', False)), fields=['clicks_start'], name='trace_by_clicks_start'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('board__isnull', False)), fields=['board'], name='trace_by_board'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('clicks_on_board__isnull', False)), fields=['clicks_on_board'], name='trace_by_clicks_on_board'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('seal_hash__isnull', False)), fields=['seal_hash'], name='trace_by_seal_hash'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('sketch_1__isnull', False)), fields=['sketch_1'], name='trace_by_sketch_1'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('sketch_2__isnull', False)), fields=['sketch_2'], name='trace_by_sketch_2'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('sketch_3__isnull', False)), fields=['sketch_3'], name='trace_by_sketch_3'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('sketch_4__isnull', False)), fields=['sketch_4'], name='trace_by_sketch_4'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('sketch_5__isnull', False)), fields=['sketch_5'], name='trace_by_sketch_5'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('sketch_6__isnull', False)), fields=['sketch_6'], name='trace_by_sketch_6'),
        ),
        migrations.AddIndex(
            model_name='playtrace',
            index=models.Index(condition=models.Q(('compared_at__isnull', True)), fields=['replay'], name='trace_to_compare'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status__in', ['queued', 'running'])), fields=['status', 'claimed_at'], name='replay_waiting'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'queued')), fields=['turn', 'id'], name='replay_next'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'queued')), fields=['uploader', 'turn'], name='replay_turns_of_uploader'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('file_deleted_at', None), ('keep_file', False), ('status', 'rejected')), fields=['analysed_at'], name='replay_rejected_file'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(fields=['uploader', '-id'], name='replay_of_uploader'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(fields=['uploader', 'identifier'], name='replay_names_of_uploader'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(fields=['player', '-id'], name='replay_of_player'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('file_country__gt', ''), ('status', 'done')), fields=['player', 'file_country'], include=('judgement', 'evidence'), name='replay_countries'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(fields=['game_hash'], name='replay_by_game_hash'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done')), fields=['-id'], name='replay_newest'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done')), fields=['updated_at', 'id'], name='replay_updated'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done')), fields=['level', '-id'], name='replay_newest_level'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('achieved_at__isnull', False), ('status', 'done')), fields=['achieved_at', 'id'], name='replay_by_date'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('ranked', True)), fields=['player', 'level', 'time_ms'], name='replay_ranked'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('ranked', True)), fields=['level', 'achieved_at'], name='replay_ranked_by_date'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('ranked', True)), fields=['level', 'player', 'time', 'achieved_at', 'id'], include=('style',), name='replay_best_times'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done')), fields=['statistics_version', 'id'], name='replay_by_version'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), models.Q(('luck_version', None), ('luck_version__lt', 3), _connector='OR')), fields=['id'], name='replay_luck_wanted'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), models.Q(('judgement', 'accepted'), _negated=True)), fields=['-id'], name='replay_judged'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), models.Q(('judgement', 'accepted'), _negated=True)), fields=['judgement', '-id'], name='replay_judged_state'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), models.Q(('judgement', 'accepted'), _negated=True)), fields=['judgement_code', '-id'], name='replay_judged_code'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('ownership__in', ['waiting', 'disowned', 'reported'])), fields=['player', 'ownership', '-id'], name='replay_not_owned'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('ownership', 'reported')), fields=['-id'], name='replay_reported'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('judged_by__isnull', False)), fields=['judged_by'], name='replay_judged_by'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('provisional_until__isnull', False)), fields=['provisional_until'], name='replay_provisional'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done')), fields=['evidence', '-id'], name='replay_newest_evidence'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), models.Q(('ownership__in', ['waiting', 'disowned', 'reported']), _negated=True)), fields=['player', 'played_at', 'uploaded_at'], include=('level', 'win', 'id', 'played_at_has_zone'), name='replay_days_with_zone'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status__in', ['queued', 'running', 'rejected'])), fields=['uploader', 'status', '-id'], name='replay_own_not_done'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), models.Q(('judgement', 'accepted'), _negated=True)), fields=['uploader', '-id'], name='replay_own_judged'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('judged_at__isnull', False)), fields=['uploader', '-judged_at'], name='replay_own_decided'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('judged_at__isnull', False)), fields=['player', '-judged_at'], name='replay_player_decided'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('corpse', True)), fields=['level', 'player', '-stnb', 'achieved_at', 'id'], include=('style',), name='replay_corpses_by_stnb'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('corpse', True)), fields=['level', 'player', 'estime', 'achieved_at', 'id'], include=('style',), name='replay_corpses_by_estime'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('completion__gte', 0.25), ('status', 'done'), ('result', 'lost')), fields=['level', 'stnb', 'id', 'completion'], name='replay_lost_by_stnb'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('completion__gte', 0.25), ('status', 'done'), ('result', 'lost')), fields=['level', 'estime', 'id', 'completion'], name='replay_lost_by_estime'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('completion__gte', 0.25), ('status', 'done'), ('result', 'lost')), fields=['level', 'completion', 'id'], name='replay_lost_by_completion'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('cl__isnull', False)), fields=['level', 'cl', 'id'], name='replay_by_cl'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('ce__isnull', False)), fields=['level', 'ce', 'id'], name='replay_by_ce'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('mov__isnull', False)), fields=['level', 'mov', 'id'], name='replay_by_mov'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('iome__isnull', False)), fields=['level', 'iome', 'id'], name='replay_by_iome'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('bv__isnull', False)), fields=['level', 'bv', 'id'], name='replay_by_bv'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('op__isnull', False)), fields=['level', 'op', 'id'], name='replay_by_op'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('gzini__isnull', False)), fields=['level', 'gzini', 'id'], name='replay_by_gzini'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('time__isnull', False)), fields=['level', 'result', 'time', 'id'], name='replay_result_by_time'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('path__isnull', False)), fields=['level', 'result', 'path', 'id'], name='replay_result_by_path'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('bvs__isnull', False)), fields=['level', 'result', 'bvs', 'id'], name='replay_result_by_bvs'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('rqp__isnull', False)), fields=['level', 'result', 'rqp', 'id'], name='replay_result_by_rqp'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('qg__isnull', False)), fields=['level', 'result', 'qg', 'id'], name='replay_result_by_qg'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('ios__isnull', False)), fields=['level', 'result', 'ios', 'id'], name='replay_result_by_ios'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('rv__isnull', False)), fields=['level', 'result', 'rv', 'id'], name='replay_result_by_rv'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('cls__isnull', False)), fields=['level', 'result', 'cls', 'id'], name='replay_result_by_cls'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('ces__isnull', False)), fields=['level', 'result', 'ces', 'id'], name='replay_result_by_ces'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('corr__isnull', False)), fields=['level', 'result', 'corr', 'id'], name='replay_result_by_corr'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('thrp__isnull', False)), fields=['level', 'result', 'thrp', 'id'], name='replay_result_by_thrp'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('ioe__isnull', False)), fields=['level', 'result', 'ioe', 'id'], name='replay_result_by_ioe'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('cpo__isnull', False)), fields=['level', 'result', 'cpo', 'id'], name='replay_result_by_cpo'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('coo__isnull', False)), fields=['level', 'result', 'coo', 'id'], name='replay_result_by_coo'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('sao__isnull', False)), fields=['level', 'result', 'sao', 'id'], name='replay_result_by_sao'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('gzinis__isnull', False)), fields=['level', 'result', 'gzinis', 'id'], name='replay_result_by_gzinis'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('gznt__isnull', False)), fields=['level', 'result', 'gznt', 'id'], name='replay_result_by_gznt'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('gzne__isnull', False)), fields=['level', 'result', 'gzne', 'id'], name='replay_result_by_gzne'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('hzinis__isnull', False)), fields=['level', 'result', 'hzinis', 'id'], name='replay_result_by_hzinis'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('hznt__isnull', False)), fields=['level', 'result', 'hznt', 'id'], name='replay_result_by_hznt'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('hzne__isnull', False)), fields=['level', 'result', 'hzne', 'id'], name='replay_result_by_hzne'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('status', 'done'), ('pluck__isnull', False)), fields=['level', 'result', 'pluck', 'id'], name='replay_result_by_pluck'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('completion__gte', 0.25), ('status', 'done'), ('stnb__isnull', False)), fields=['level', 'stnb', 'id', 'completion'], name='replay_far_by_stnb'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('completion__gte', 0.25), ('status', 'done'), ('stnb2023__isnull', False)), fields=['level', 'stnb2023', 'id', 'completion'], name='replay_far_by_stnb2023'),
        ),
        migrations.AddConstraint(
            model_name='needlessguess',
            constraint=models.UniqueConstraint(fields=('replay', 'event'), name='needless_guess_once'),
        ),
        migrations.AddConstraint(
            model_name='like',
            constraint=models.UniqueConstraint(fields=('replay', 'user'), name='one_like_each'),
        ),
        migrations.AddIndex(
            model_name='comment',
            index=models.Index(fields=['replay', 'id'], name='comment_of_replay'),
        ),
        migrations.AddIndex(
            model_name='comment',
            index=models.Index(fields=['user', '-id'], name='comment_of_user'),
        ),
        migrations.AddIndex(
            model_name='comment',
            index=models.Index(condition=models.Q(('hidden_by__isnull', False)), fields=['hidden_by'], name='comment_hidden_by'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('replay',), name='one_open_appeal'),
        ),
        migrations.AddConstraint(
            model_name='recomputenote',
            constraint=models.UniqueConstraint(fields=('user', 'day'), name='one_recompute_note'),
        ),
        migrations.AddIndex(
            model_name='reportedthing',
            index=models.Index(condition=models.Q(('closed_at__isnull', True)), fields=['opened_at', 'id'], name='cases_open'),
        ),
        migrations.AddIndex(
            model_name='reportedthing',
            index=models.Index(condition=models.Q(('clicks__isnull', False), ('closed_at__isnull', True)), fields=['clicks'], name='cases_of_plays'),
        ),
        migrations.AddConstraint(
            model_name='reportedthing',
            constraint=models.UniqueConstraint(fields=('kind', 'number'), name='one_case_a_thing'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(condition=models.Q(('closed_at__isnull', True)), fields=['thing', 'id'], name='reports_open'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('thing', 'user'), name='one_report_a_person'),
        ),
        migrations.AddIndex(
            model_name='trainingcard',
            index=models.Index(fields=['user', 'due_on'], name='training_cards_due'),
        ),
        migrations.AddConstraint(
            model_name='trainingcard',
            constraint=models.UniqueConstraint(fields=('user', 'replay', 'event'), name='one_training_card'),
        ),
        migrations.AddConstraint(
            model_name='trainingday',
            constraint=models.UniqueConstraint(fields=('user', 'day'), name='one_training_day'),
        ),
        migrations.AddIndex(
            model_name='uploadbatch',
            index=models.Index(fields=['user', '-id'], name='upload_batches_of_user'),
        ),
        migrations.AddIndex(
            model_name='uploadbatch',
            index=models.Index(fields=['made_at'], name='upload_batches_by_age'),
        ),
        migrations.AddIndex(
            model_name='batchfile',
            index=models.Index(fields=['batch', 'id'], name='files_of_batch'),
        ),
        migrations.AddConstraint(
            model_name='replay',
            constraint=models.UniqueConstraint(fields=('sha256',), name='one_replay_a_file'),
        ),
        migrations.CreateModel(
            name='Place',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('holder', models.BigIntegerField()),
                ('held_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('reason', models.CharField(blank=True, default='', max_length=255)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Contest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.BigIntegerField()),
                ('takes', models.BooleanField()),
                ('state', models.CharField(choices=replays.models.places.Contest.State.options, max_length=8)),
                ('lost_to', models.CharField(blank=True, default='', max_length=255)),
                ('made_at', models.DateTimeField()),
                ('place', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='contests', to='replays.place')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='contests', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Sending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sent_at', models.DateTimeField()),
                ('replay', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='sendings', to='replays.replay')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sendings', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='replay',
            name='place',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='files', to='replays.place'),
        ),
        migrations.AddIndex(
            model_name='replay',
            index=models.Index(condition=models.Q(('place__isnull', False)), fields=['place', 'game'], name='replay_of_place'),
        ),
        migrations.AddConstraint(
            model_name='contest',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['open', 'line'])), fields=('place', 'user'), name='one_contest_a_place'),
        ),
        migrations.AddConstraint(
            model_name='sending',
            constraint=models.UniqueConstraint(fields=('replay', 'user'), name='sent_once'),
        ),
    ]
