"""The name parts of players who are there already."""

from collections import defaultdict

from django.db import migrations

from players.people.name_parts import name_parts

CHUNK = 500


def fill(apps, schema_editor):
    players, identities, parts = (apps.get_model('players', name) for name in ('Player', 'Identity', 'NamePart'))
    last = 0
    while True:
        names = defaultdict(list)
        for pk, name in players.objects.filter(pk__gt=last).order_by('pk').values_list('pk', 'name')[:CHUNK]:
            names[pk].append(name)
        if not names:
            break
        last = max(names)
        for pk, name in identities.objects.filter(player__in=names).values_list('player_id', 'name'):
            names[pk].append(name)
        parts.objects.bulk_create(
            parts(player_id=pk, text=text, place=place)
            for pk, own in names.items() for text, place in name_parts(own).items()
        )


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0010_parts_of_names'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
