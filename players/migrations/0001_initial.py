

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import players.models
import players.decision_log
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
                ('action', models.CharField(choices=players.decision_log.Action.options, max_length=16)),
                ('kind', models.CharField(choices=players.decision_log.Kind.options, max_length=8)),
                ('number', models.BigIntegerField()),
                ('about_number', models.BigIntegerField(null=True)),
                ('rule', models.CharField(blank=True, choices=players.decision_log.Rule.options, max_length=8)),
                ('reason', models.CharField(blank=True, max_length=255)),
                ('before', models.CharField(blank=True, max_length=64)),
                ('after', models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='Identity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=255, unique=True)),
                ('state', models.CharField(choices=players.models.Identity.State.options, default='unclaimed', max_length=9)),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('skeleton', models.CharField(default='', editable=False, max_length=255)),
                ('proof', models.CharField(blank=True, choices=players.models.Identity.Proof.options, default='', max_length=5)),
            ],
        ),
        migrations.CreateModel(
            name='LevelChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player_number', models.BigIntegerField()),
                ('level', models.CharField(max_length=16)),
                ('log_position', models.BigIntegerField(db_default=players.models.LogPosition())),
                ('noted_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='NamePart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(db_collation='C', max_length=64)),
                ('place', models.PositiveSmallIntegerField()),
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
                ('name', models.CharField(max_length=255)),
                ('country', models.CharField(blank=True, default='', max_length=2)),
                ('country_from_files', models.BooleanField(db_default=False, default=False, editable=False)),
                ('is_bot', models.BooleanField(default=False)),
                ('on_boards', models.BooleanField(default=True)),
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
        ),
        migrations.CreateModel(
            name='RecordEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=players.models.RecordEvent.Kind.options, max_length=8)),
                ('statistic', models.CharField(max_length=16)),
                ('level', models.CharField(max_length=16)),
                ('style', models.CharField(max_length=3)),
                ('old_value', models.FloatField(null=True)),
                ('new_value', models.FloatField()),
                ('rank_before', models.PositiveIntegerField(null=True)),
                ('rank_after', models.PositiveIntegerField()),
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
                ('language', models.CharField(blank=True, default='', max_length=16)),
                ('time_zone', models.CharField(default='UTC', max_length=64)),
                ('clock', models.CharField(choices=players.models.User.Clock.options, default='zero', max_length=4)),
                ('country', models.CharField(blank=True, db_default='', default='', max_length=2)),
                ('viewer_settings', models.JSONField(blank=True, default=dict, editable=False)),
                ('board_columns', models.CharField(blank=True, db_default='', default='', max_length=100)),
                ('looks_written', models.TextField(default='', editable=False)),
                ('looks_folded', models.TextField(default='', editable=False)),
                ('is_moderator', models.BooleanField(db_default=False, default=False)),
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
                ('name', models.CharField(max_length=64)),
                ('prefix', models.CharField(max_length=16)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('scopes', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
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
                ('thing', models.CharField(max_length=6)),
                ('thing_id', models.BigIntegerField()),
                ('kind', models.CharField(max_length=7)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('log_position', models.BigIntegerField(db_default=players.models.LogPosition())),
                ('identity', models.TextField(db_default='', editable=False)),
            ],
            options={
                'indexes': [models.Index(fields=['log_position', 'id'], name='changes_in_order'), models.Index(condition=models.Q(('identity', ''), _negated=True), fields=['identity'], name='records_taken_back'), models.Index(fields=['updated_at'], name='changes_by_age'), models.Index(condition=models.Q(('kind', 'deleted'), ('thing', 'feed'), _connector='OR'), fields=['thing', 'thing_id'], name='what_was_deleted')],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=255)),
                ('state', models.CharField(choices=players.models.Claim.State.options, default='open', max_length=9)),
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
