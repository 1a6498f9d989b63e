"""Names without accents, for searching."""

from collections import defaultdict

from django.db import migrations, models

from players.people.name_parts import Place, name_parts

CHUNK = 500


def fill(apps, schema_editor):
    players, identities, parts = (apps.get_model('players', name) for name in ('Player', 'Identity', 'NamePart'))
    last = 0
    listed = players.objects.filter(merged_into=None).order_by('pk')
    while shown := dict(listed.filter(pk__gt=last).values_list('pk', 'name')[:CHUNK]):
        last = max(shown)
        names = defaultdict(list, {pk: [name] for pk, name in shown.items()})
        for pk, name in identities.objects.filter(player__in=shown).values_list('player_id', 'name'):
            names[pk].append(name)
        parts.objects.bulk_create(
            (
                parts(player_id=pk, text=text, place=place)
                for pk, own in names.items() for text, place in name_parts(own).items() if place >= Place.PLAIN_NAME
            ),
            ignore_conflicts=True,
        )


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0028_country_of_files'),
    ]

    operations = [
        migrations.AlterField(
            model_name='namepart',
            name='place',
            field=models.PositiveSmallIntegerField(choices=[(0, 'beginning of the name'), (1, 'beginning of a word'), (2, 'inside a word'), (3, 'beginning of the name without accents'), (4, 'beginning of a word without accents'), (5, 'inside a word without accents')]),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
