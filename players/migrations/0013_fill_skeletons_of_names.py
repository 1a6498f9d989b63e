"""The skeletons of names that are there already."""

from django.db import migrations

from analysis.names import skeleton

CHUNK = 1_000


def fill(apps, schema_editor):
    identities = apps.get_model('players', 'Identity')
    length = identities._meta.get_field('skeleton').max_length
    last = 0
    while chunk := list(identities.objects.filter(pk__gt=last).order_by('pk')[:CHUNK]):
        last = chunk[-1].pk
        for identity in chunk:
            identity.skeleton = skeleton(identity.name)[:length]
        identities.objects.bulk_update(chunk, ['skeleton'])


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0012_skeletons_of_names'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
