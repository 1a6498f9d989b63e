

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import players.models
from django.conf import settings
from django.db import migrations, models


#: Rows of the log are only added; an empty table may be emptied, which tests do.
_REFUSE = """
CREATE FUNCTION players_decision_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'TRUNCATE' OR EXISTS (SELECT FROM players_decision) THEN
    RAISE EXCEPTION 'the log of decisions is only added to' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER decision_is_kept BEFORE UPDATE OR DELETE ON players_decision
  FOR EACH ROW EXECUTE FUNCTION players_decision_is_kept();
CREATE TRIGGER decisions_are_kept BEFORE TRUNCATE ON players_decision
  FOR EACH STATEMENT EXECUTE FUNCTION players_decision_is_kept();
"""
_ALLOW = """
DROP TRIGGER decision_is_kept ON players_decision;
DROP TRIGGER decisions_are_kept ON players_decision;
DROP FUNCTION players_decision_is_kept();
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='CombinedBest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('statistic', models.CharField(max_length=16)),
                ('style', models.CharField(max_length=3)),
                ('value', models.FloatField()),
                ('rank_key', models.FloatField()),
                ('expert_key', models.FloatField()),
                ('intermediate_key', models.FloatField()),
                ('achieved_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('by_number', models.BigIntegerField(null=True)),
                ('by_name', models.CharField(blank=True, max_length=150)),
                ('action', models.CharField(choices=[('dismissed', 'Reports reviewed: nothing wrong'), ('judged', 'Replay judged'), ('dated', 'Replay date decided'), ('reencoded', 'Name encoding changed'), ('owned', 'Game ownership decided'), ('deleted', 'Replay deleted'), ('hidden', 'Comment hidden'), ('shown', 'Comment restored'), ('renamed', 'Player renamed'), ('merged', 'Players merged'), ('granted', 'Claim approved'), ('refused', 'Claim rejected'), ('released', 'Name released'), ('closed', 'Room closed'), ('commanded', 'Room moderated'), ('banned', 'Account banned'), ('lifted', 'Ban lifted'), ('upheld', 'Appeal rejected: the ban stays'), ('role_given', 'Made a moderator'), ('role_taken', 'No longer a moderator'), ('marked_bot', 'Marked as a bot'), ('unmarked_bot', 'No longer marked as a bot'), ('deactivated', 'Account deactivated'), ('reactivated', 'Account reactivated'), ('staff_given', 'Admin access granted'), ('staff_taken', 'Admin access removed'), ('superuser_given', 'Made a superuser'), ('superuser_taken', 'No longer a superuser'), ('factor_deleted', 'Two-factor method deleted'), ('token_revoked', 'API token revoked')], max_length=16)),
                ('kind', models.CharField(choices=[('replay', 'Replay'), ('comment', 'Comment'), ('name', 'Player name'), ('room', 'Room'), ('account', 'Account')], max_length=8)),
                ('number', models.BigIntegerField()),
                ('about_number', models.BigIntegerField(null=True)),
                ('rule', models.CharField(blank=True, choices=[('spam', 'Spam or advertising'), ('abuse', 'Insults or harassment'), ('name', 'Offensive or misleading name'), ('cheating', 'Cheating or an edited file'), ('theft', "Someone else's game"), ('private', 'Private information'), ('other', 'Something else')], max_length=8)),
                ('reason', models.CharField(blank=True, max_length=255)),
                ('before', models.CharField(blank=True, max_length=64)),
                ('after', models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='Identity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=255, unique=True, verbose_name='name in replays')),
                ('state', models.CharField(choices=[('unclaimed', 'unclaimed'), ('claimed', 'claimed')], default='unclaimed', max_length=9)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('skeleton', models.CharField(default='', editable=False, max_length=255)),
                ('moved_at', models.DateTimeField(blank=True, null=True)),
                ('proof', models.CharField(blank=True, choices=[('', 'none'), ('code', 'a verification game'), ('staff', 'a moderator')], default='', max_length=5)),
            ],
            options={
                'verbose_name_plural': 'identities',
            },
        ),
        migrations.CreateModel(
            name='LevelChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player_number', models.BigIntegerField()),
                ('level', models.CharField(max_length=16)),
                ('log_position', models.BigIntegerField(db_column='moment', db_default=players.models.LogPosition())),
                ('noted_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='NamePart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(db_collation='C', max_length=64)),
                ('place', models.PositiveSmallIntegerField(choices=[(0, 'beginning of the name'), (1, 'beginning of a word'), (2, 'inside a word'), (3, 'beginning of the name without accents'), (4, 'beginning of a word without accents'), (5, 'inside a word without accents')])),
            ],
        ),
        migrations.CreateModel(
            name='PersonalBest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('statistic', models.CharField(max_length=16)),
                ('level', models.CharField(max_length=16)),
                ('style', models.CharField(max_length=3)),
                ('value', models.FloatField()),
                ('rank_key', models.FloatField()),
                ('achieved_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=255, verbose_name='name')),
                ('country', models.CharField(blank=True, default='', max_length=2, verbose_name='country')),
                ('country_from_files', models.BooleanField(db_default=False, default=False, editable=False)),
                ('is_bot', models.BooleanField(default=False, verbose_name='bot')),
                ('on_boards', models.BooleanField(default=True, verbose_name='on leaderboards')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
            options={
                'ordering': ['name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='RankChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('statistic', models.CharField(max_length=16)),
                ('level', models.CharField(max_length=16)),
                ('style', models.CharField(max_length=3)),
                ('old_key', models.FloatField(null=True)),
                ('new_key', models.FloatField(null=True)),
            ],
            options={
                'db_table': 'players_boardchange',
            },
        ),
        migrations.CreateModel(
            name='RankCheckpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('statistic', models.CharField(max_length=16)),
                ('level', models.CharField(max_length=16)),
                ('style', models.CharField(max_length=3)),
                ('rank_key', models.FloatField()),
                ('ahead', models.PositiveIntegerField()),
            ],
            options={
                'db_table': 'players_boardmark',
            },
        ),
        migrations.CreateModel(
            name='RecordEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('personal', 'personal best'), ('site', 'site record')], max_length=8)),
                ('statistic', models.CharField(max_length=16)),
                ('level', models.CharField(max_length=16)),
                ('style', models.CharField(max_length=3)),
                ('old_value', models.FloatField(null=True)),
                ('new_value', models.FloatField()),
                ('rank_before', models.PositiveIntegerField(null=True)),
                ('rank_after', models.PositiveIntegerField(null=True)),
                ('happened_at', models.DateTimeField()),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='SecondCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.CharField(max_length=16)),
                ('style', models.CharField(max_length=3)),
                ('second', models.PositiveIntegerField()),
                ('games', models.PositiveIntegerField()),
                ('first_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('language', models.CharField(blank=True, default='', max_length=16, verbose_name='language')),
                ('time_zone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                ('clock', models.CharField(choices=[('zero', 'from 0 (as recorded)'), ('one', 'from 1 (as some sites show)')], default='zero', max_length=4, verbose_name='show times')),
                ('country', models.CharField(blank=True, db_default='', default='', max_length=2, verbose_name='country')),
                ('viewer_settings', models.JSONField(blank=True, default=dict, editable=False)),
                ('board_columns', models.CharField(blank=True, db_default='', default='', max_length=100)),
                ('looks_written', models.TextField(default='', editable=False)),
                ('looks_folded', models.TextField(default='', editable=False)),
                ('is_moderator', models.BooleanField(db_default=False, default=False, verbose_name='moderator')),
                ('banned_until', models.DateTimeField(blank=True, editable=False, null=True)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=64, verbose_name='name')),
                ('prefix', models.CharField(max_length=16)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('scopes', models.CharField(max_length=64, verbose_name='scopes')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('last_used_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='BoardCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.CharField(max_length=16)),
                ('rules', models.CharField(max_length=8)),
                ('left', models.PositiveIntegerField(default=0)),
                ('lost', models.PositiveIntegerField(default=0)),
                ('won', models.PositiveIntegerField(default=0)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='board_counts', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('thing', models.CharField(choices=[('replay', 'Replay'), ('player', 'Player'), ('record', 'Record'), ('upload', 'Upload'), ('feed', 'Feed')], max_length=6)),
                ('thing_id', models.BigIntegerField()),
                ('kind', models.CharField(choices=[('created', 'Created'), ('changed', 'Changed'), ('hidden', 'Hidden'), ('deleted', 'Deleted')], max_length=7)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('log_position', models.BigIntegerField(db_default=players.models.LogPosition())),
            ],
            options={
                'indexes': [models.Index(fields=['log_position', 'id'], name='changes_in_order'), models.Index(fields=['updated_at'], name='changes_by_age'), models.Index(condition=models.Q(('kind', 'deleted')), fields=['thing', 'thing_id'], name='what_was_deleted')],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=255)),
                ('state', models.CharField(choices=[('open', 'waiting for the verification game'), ('requested', 'waiting for a moderator'), ('granted', 'granted'), ('refused', 'refused'), ('withdrawn', 'withdrawn')], default='open', max_length=9)),
                ('code', models.CharField(max_length=8, unique=True)),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('text', models.TextField(blank=True, default='', max_length=1000)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, default='', max_length=255)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunSQL(_REFUSE, _ALLOW),
    ]
