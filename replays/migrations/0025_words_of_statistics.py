from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0024_sort_by_basic_numbers_and_style'),
    ]

    operations = [
        migrations.AlterField(
            model_name='replay',
            name='bv',
            field=models.IntegerField(help_text='Bechtel’s Board Benchmark Value, the fewest left clicks that solve the board: openings plus safe cells that are neither zero nor beside a zero.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='completion',
            field=models.FloatField(help_text='Share of the 3BV that was solved: how far a corpse (a lost game) got. 1 in every won game, so it has no leaderboard.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='coo',
            field=models.FloatField(help_text='Average CE cost of each opening: the CE wasted per opening plus the click that opens it.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='corr',
            field=models.FloatField(help_text='Share of the clicks that changed the board. Accuracy is another number: it is about risk.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='cpo',
            field=models.FloatField(help_text='Average CE wasted per opening: the effective clicks (CE) beyond the 3BV, over the openings.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='difficulty',
            field=models.IntegerField(help_text='Most difficult rule needed from the first click on: 0 none, 1 MD(1) for one number, 2 MD(2) for two numbers, 3 NMD(3) for three numbers, 4 cases, 5 the count of all mines, 6 a guess.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='estime',
            field=models.FloatField(help_text='Time that a corpse (a lost game) would have taken for the whole board at the same pace. It is the time itself in a won game, so it has no leaderboard.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='qg',
            field=models.FloatField(help_text='Quality Grade: time to the power 1.7, over 3BV.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='rv',
            field=models.FloatField(help_text='Rirun Value: the time in which a board of 3BV 100 gives the same RQP.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='sao',
            field=models.FloatField(help_text='Movement times effective clicks a second; from the Chinese 风骚度.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='stnb',
            field=models.FloatField(help_text='Rating made for corpses (lost games), from the Chinese 尸体牛逼. It compares won games too, on different levels; K = 47.299, 153.73, 435.001 for Beginner, Intermediate, Expert.', null=True),
        ),
    ]
