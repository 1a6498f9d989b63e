"""Tokens of the old table, which held them in clear, are hashed, and that table goes.

Scripts go on working: each token keeps its key, with the scopes to read and to upload, for a year.  Accounts get what
their names look like.
"""

import datetime
import hashlib

from django.db import migrations
from django.utils import timezone

from players.usernames import looks

_OLD_TABLE = 'authtoken_token'


def fill_looks(apps, schema_editor):
    User = apps.get_model('players', 'User')
    for user in User.objects.only('pk', 'username').iterator():
        found = looks(user.username)
        User.objects.filter(pk=user.pk).update(looks_written=found.written, looks_folded=found.folded)


def hash_tokens(apps, schema_editor):
    connection = schema_editor.connection
    if _OLD_TABLE not in connection.introspection.table_names():
        return
    ApiToken = apps.get_model('players', 'ApiToken')
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT user_id, key FROM {_OLD_TABLE}')
        rows = cursor.fetchall()
    until = timezone.now() + datetime.timedelta(days=365)
    ApiToken.objects.bulk_create(
        ApiToken(
            user_id=user,
            name='API token',
            prefix=key[:8],
            digest=hashlib.sha256(key.encode()).hexdigest(),
            scopes='read upload',
            expires_at=until,
        )
        for user, key in rows
    )
    with connection.cursor() as cursor:
        cursor.execute(f'DROP TABLE {_OLD_TABLE}')
        cursor.execute("DELETE FROM django_migrations WHERE app = 'authtoken'")


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0008_tokens_and_looks_of_names'),
    ]

    operations = [
        migrations.RunPython(fill_looks, migrations.RunPython.noop),
        migrations.RunPython(hash_tokens, migrations.RunPython.noop),
    ]
