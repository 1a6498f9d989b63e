from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0035_training'),
    ]

    operations = [
        migrations.AlterField(
            model_name='replay',
            name='accuracy',
            field=models.FloatField(help_text='The percentage of opening clicks that took no avoidable risk: no guess while another cell was provably safe, and none more than two points riskier than the safest cell. It looks one click ahead, and guessing for speed lowers it on purpose.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='bvdone',
            field=models.IntegerField(help_text='The part of the 3BV that has been solved: openings with every zero open, and single cells.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='ce_strict',
            field=models.IntegerField(help_text='Effective clicks, counting only the first flag on each actual mine.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='cpo',
            field=models.FloatField(help_text='Average CE wasted per opening: effective clicks (CE) beyond the 3BV, divided by the number of openings.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='guesses',
            field=models.IntegerField(help_text='Clicks that opened a cell that could have been a mine, not counting the first click.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='gzini',
            field=models.IntegerField(help_text='Clicks in the greedy solution with flags. Ties go to the topmost row, then to the leftmost cell.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='gzini_ref',
            field=models.IntegerField(help_text="Greedy ZiNi, scanning the board in the same order as its authors' code: leftmost column first, then topmost cell.", null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='hzini',
            field=models.IntegerField(help_text='Greedy ZiNi after all openings have been clicked. Ties go to the topmost row, then to the leftmost cell.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='hzini_ref',
            field=models.IntegerField(help_text="Human ZiNi as computed by its authors' code: openings first, then chords on open cells only; when no chord helps, one 3BV is clicked.", null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='lcl',
            field=models.IntegerField(help_text='Completed left clicks, including ones released outside the board.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='luck',
            field=models.FloatField(help_text="The chance of surviving every click that opened cells and didn't hit a mine: the chances that each cell was safe, judging by what the player could see, multiplied together. The first click counts as safe.", null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='needless_guesses',
            field=models.IntegerField(help_text='Guesses made when another cell was provably safe.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='needless_risk',
            field=models.FloatField(help_text='How much riskier the clicks were than the safest ones, in coin flips: the sum of log2((1 − lowest risk) / (1 − risk)) over the opening clicks after the first. A needless guess of 50 % adds 1.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='no_guess',
            field=models.IntegerField(help_text='1 if the board can be solved by logic alone after the first click, 0 if it takes a guess.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='ownership',
            field=models.CharField(blank=True, choices=[('', 'not asked yet'), ('waiting', "waiting for the name's owner"), ('confirmed', "confirmed by the name's owner"), ('disowned', "disowned by the name's owner"), ('reported', "reported by the name's owner"), ('vouched', 'vouched for by a moderator')], db_default='', default='', max_length=9),
        ),
        migrations.AlterField(
            model_name='replay',
            name='rce_strict',
            field=models.IntegerField(help_text='Only the first flag on each actual mine counts.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='rqp',
            field=models.FloatField(help_text='Rapport qualité-prix (value for money): time and speed in one number.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='rv',
            field=models.FloatField(help_text='Rirun Value: the time at which a board with 3BV 100 would give the same RQP.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='sao',
            field=models.FloatField(help_text='Movement multiplied by effective clicks per second; from the Chinese 风骚度.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='time_ms',
            field=models.IntegerField(help_text='Time from the first click to the release that ended the game, in whole milliseconds.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='worst_risk',
            field=models.FloatField(help_text='The highest risk of hitting a mine taken in a single click.', null=True),
        ),
    ]
