from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0036_reworded_help_texts'),
    ]

    operations = [
        migrations.AlterField(
            model_name='replay',
            name='accuracy',
            field=models.FloatField(help_text='The percentage of opening clicks that took no avoidable risk: no guess while another cell was provably safe, and no click more than two points riskier than the safest cell. It only looks one click ahead, so guessing on purpose for speed lowers it.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='bvdone',
            field=models.IntegerField(help_text='The amount of 3BV solved: openings with every zero open, and single cells.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='dce',
            field=models.IntegerField(help_text="Chords that open at least one cell, even if it's a mine.", null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='dcl',
            field=models.IntegerField(help_text='Chord attempts: both buttons together, Shift + left click, or the middle button.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='iome',
            field=models.FloatField(help_text='Index of movement efficiency: 3BV solved per cell travelled. This shows style, not skill: some good players move a lot, others very little. So it has no leaderboard, but you can sort lists by it in either direction.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='ios',
            field=models.FloatField(help_text='Index of speed, a measure of speed based on 3BV and time.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='lce',
            field=models.IntegerField(help_text="Left clicks that open at least one cell, even if it's a mine.", null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='mov',
            field=models.FloatField(help_text='Cells the cursor travels per second. This shows style, not skill: some good players move a lot, others very little. So it has no leaderboard, but you can sort lists by it in either direction.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='pluck',
            field=models.FloatField(help_text='−log10 of the chance of survival: 0 if nothing was left to chance, 1 for a one-in-ten chance, 2 for one in a hundred. A lower value means the win needed less luck.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='qg',
            field=models.FloatField(help_text='Quality Grade: the time to the power of 1.7, divided by the 3BV solved.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='rcl',
            field=models.IntegerField(help_text='Right clicks that place or remove a flag, or are made without another button held down.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='stnb',
            field=models.FloatField(help_text='A rating that also covers lost games (“corpses”), from the Chinese 尸体牛逼. It makes won games of different levels comparable, too; K = 47.299, 153.73, 435.001 for Beginner, Intermediate, Expert.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='time_ms',
            field=models.IntegerField(help_text='Time from the first click to the button release that ended the game, in whole milliseconds.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='worst_risk',
            field=models.FloatField(help_text='The highest risk of hitting a mine in any single click.', null=True),
        ),
    ]
