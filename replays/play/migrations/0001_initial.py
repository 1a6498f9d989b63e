
import django.db.models.deletion
import replays.play.models.rooms
import uuid
import replays.play.models.games
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('players', '0002_references_to_replays'),
        ('replays', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RefereeShard',
            fields=[
                ('shard', models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ('fence', models.PositiveBigIntegerField(default=0)),
                ('changes', models.PositiveBigIntegerField(default=0)),
                ('last_entry', models.CharField(default='0-0', max_length=48)),
                ('stream', models.CharField(blank=True, default='', max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name='RoomBoard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('epoch', models.PositiveIntegerField()),
                ('start_number', models.PositiveBigIntegerField()),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('end', models.CharField(blank=True, choices=replays.play.models.rooms.RoomBoard.End.options, default='', max_length=8)),
                ('elapsed_ms', models.PositiveBigIntegerField(default=0)),
                ('number', models.PositiveIntegerField(default=0)),
                ('scores', models.JSONField(blank=True, default=list)),
            ],
        ),
        migrations.CreateModel(
            name='RoomTotal',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='room_total', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('boards', models.PositiveBigIntegerField(default=0)),
                ('score', models.PositiveBigIntegerField(default=0)),
                ('blasts', models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='LiveGame',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('guest', models.CharField(blank=True, default='', max_length=64)),
                ('level', models.CharField(max_length=16)),
                ('rows', models.PositiveSmallIntegerField()),
                ('columns', models.PositiveSmallIntegerField()),
                ('mines', models.PositiveIntegerField()),
                ('rules', models.CharField(choices=replays.play.models.games.LiveGame.Rules.options, max_length=8)),
                ('commit', models.CharField(max_length=64)),
                ('secret', models.BinaryField(max_length=32)),
                ('nonce', models.BinaryField(max_length=16)),
                ('first_cell', models.PositiveIntegerField(null=True)),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('state', models.CharField(choices=replays.play.models.games.LiveGame.State.options, default='waiting', max_length=9)),
                ('result', models.CharField(blank=True, choices=replays.play.models.games.LiveGame.Result.options, default='', max_length=4)),
                ('reason', models.CharField(blank=True, default='', max_length=32)),
                ('created_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('cell_px', models.PositiveSmallIntegerField()),
                ('settings', models.JSONField(blank=True, default=dict)),
                ('server_span_us', models.BigIntegerField(null=True)),
                ('client_span_ms', models.BigIntegerField(null=True)),
                ('jitter_ms', models.PositiveIntegerField(null=True)),
                ('time_ms', models.PositiveIntegerField(null=True)),
                ('bv', models.PositiveIntegerField(null=True)),
                ('counts', models.JSONField(blank=True, default=dict)),
                ('findings', models.JSONField(blank=True, default=list)),
                ('recording', models.BinaryField(null=True)),
                ('file_sha256', models.CharField(blank=True, default='', max_length=64)),
                ('game_hash', models.CharField(blank=True, default='', max_length=64)),
                ('holder', models.CharField(blank=True, default='', max_length=32)),
                ('replay', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='live_game', to='replays.replay')),
                ('user', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='live_games', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Room',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(default=replays.play.models.rooms.new_slug, max_length=16, unique=True)),
                ('name', models.CharField(max_length=40)),
                ('owner_guest', models.CharField(blank=True, db_index=True, default='', max_length=64)),
                ('state', models.CharField(choices=replays.play.models.rooms.Room.State.options, default='open', max_length=8)),
                ('listed', models.BooleanField(default=True)),
                ('rows', models.PositiveIntegerField(default=75)),
                ('columns', models.PositiveIntegerField(default=75)),
                ('area', models.PositiveIntegerField(default=16)),
                ('area_mines', models.PositiveIntegerField(default=48)),
                ('modulus', models.PositiveBigIntegerField(default=33554393)),
                ('start_number', models.PositiveBigIntegerField(blank=True, null=True)),
                ('secret', models.BinaryField(default=replays.play.models.rooms.new_secret, max_length=32)),
                ('sealed', models.BooleanField(default=True)),
                ('flags', models.BooleanField(default=True)),
                ('chords', models.BooleanField(default=True)),
                ('coop', models.BooleanField(default=False)),
                ('guests', models.BooleanField(default=True)),
                ('next_board', models.CharField(choices=replays.play.models.rooms.Room.Next.options, default='at-once', max_length=8)),
                ('epoch', models.PositiveIntegerField(default=1)),
                ('here', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('used_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rooms', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='RoomSnapshot',
            fields=[
                ('board', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='snapshot', serialize=False, to='play.roomboard')),
                ('number', models.PositiveIntegerField()),
                ('state', models.BinaryField()),
            ],
        ),
        migrations.AddField(
            model_name='roomboard',
            name='room',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='boards', to='play.room'),
        ),
        migrations.CreateModel(
            name='RoomLog',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.PositiveIntegerField()),
                ('last', models.PositiveIntegerField()),
                ('moves', models.BinaryField()),
                ('board', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='logs', to='play.roomboard')),
            ],
        ),
        migrations.CreateModel(
            name='RoomPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=72)),
                ('name', models.CharField(max_length=150)),
                ('number', models.PositiveIntegerField()),
                ('hue', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('shade', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('score', models.PositiveIntegerField(default=0)),
                ('blasts', models.PositiveIntegerField(default=0)),
                ('muted', models.BooleanField(default=False)),
                ('kicked', models.BooleanField(default=False)),
                ('session', models.CharField(blank=True, default='', max_length=32)),
                ('own', models.PositiveBigIntegerField(default=0)),
                ('full_at', models.PositiveBigIntegerField(default=0)),
                ('room', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='players', to='play.room')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddIndex(
            model_name='livegame',
            index=models.Index(condition=models.Q(('user__isnull', False)), fields=['user', '-created_at', '-id'], name='live_of_user'),
        ),
        migrations.AddIndex(
            model_name='livegame',
            index=models.Index(condition=models.Q(('guest', ''), _negated=True), fields=['guest', '-created_at', '-id'], name='live_of_guest'),
        ),
        migrations.AddIndex(
            model_name='livegame',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'playing'])), fields=['holder'], name='live_running'),
        ),
        migrations.AddIndex(
            model_name='livegame',
            index=models.Index(condition=models.Q(('recording__isnull', False), ('replay__isnull', True), ('state', 'over'), ('user__isnull', False)), fields=['ended_at'], name='live_wants_replay'),
        ),
        migrations.AddIndex(
            model_name='livegame',
            index=models.Index(condition=models.Q(('replay__isnull', True)), fields=['created_at'], name='live_without_replay'),
        ),
        migrations.AddIndex(
            model_name='livegame',
            index=models.Index(condition=models.Q(('file_sha256', ''), _negated=True), fields=['file_sha256'], name='live_by_file'),
        ),
        migrations.AddIndex(
            model_name='livegame',
            index=models.Index(condition=models.Q(('game_hash', ''), _negated=True), fields=['game_hash'], name='live_by_hash'),
        ),
        migrations.AddIndex(
            model_name='room',
            index=models.Index(condition=models.Q(('listed', True), ('state', 'open')), fields=['-here', '-used_at', '-id'], name='room_lobby'),
        ),
        migrations.AddIndex(
            model_name='room',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['used_at'], name='room_open_by_use'),
        ),
        migrations.AddIndex(
            model_name='roomboard',
            index=models.Index(condition=models.Q(('end', 'finished')), fields=['-ended_at', '-id'], name='room_board_finished'),
        ),
        migrations.AddConstraint(
            model_name='roomboard',
            constraint=models.UniqueConstraint(fields=('room', 'epoch'), name='room_board_epoch'),
        ),
        migrations.AddConstraint(
            model_name='roomlog',
            constraint=models.UniqueConstraint(fields=('board', 'first'), name='room_log_first'),
        ),
        migrations.AddConstraint(
            model_name='roomplayer',
            constraint=models.UniqueConstraint(fields=('room', 'key'), name='room_player_key'),
        ),
        migrations.AddConstraint(
            model_name='roomplayer',
            constraint=models.UniqueConstraint(fields=('room', 'number'), name='room_player_number'),
        ),
    ]
