from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('replays', '0028_sort_lost_games'),
    ]

    operations = [
        migrations.AlterField(
            model_name='accountdeletion',
            name='uploads',
            field=models.CharField(choices=[('leave', 'keep my replays, without my account'), ('delete', 'delete my uploads')], max_length=6),
        ),
        migrations.AlterField(
            model_name='replay',
            name='accuracy',
            field=models.FloatField(help_text='100 times the product of (1 − risk) / (1 − least risk) over the opening clicks after the first: how close you stayed to the safest click available. It looks only one click ahead, and guessing for speed lowers it on purpose.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='bv',
            field=models.IntegerField(help_text='Bechtel’s Board Benchmark Value, the fewest left clicks that solve the board: openings plus safe cells that are neither zero nor next to a zero.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='bvdone',
            field=models.IntegerField(help_text='The part of the 3BV that is solved: openings with every zero open, and single cells.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='bvs',
            field=models.FloatField(help_text='3BV solved per second.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='ce_strict',
            field=models.IntegerField(help_text='Effective clicks, where on each true mine only the first flag counts.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='cell0',
            field=models.IntegerField(help_text='Safe cells with no mine around them.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='cell1',
            field=models.IntegerField(help_text='Safe cells with exactly 1 mine around them.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='ces',
            field=models.FloatField(help_text='Effective clicks per second.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='cl',
            field=models.IntegerField(help_text='All clicks: left, right and chord.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='cls',
            field=models.FloatField(help_text='Clicks per second.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='completion',
            field=models.FloatField(help_text='The share of the 3BV solved: how far a corpse (a lost game) got. It is 1 in every won game, so it has no leaderboard.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='coo',
            field=models.FloatField(help_text='Average cost of an opening in effective clicks (CE): the CE wasted per opening plus the click that opens it.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='corr',
            field=models.FloatField(help_text='The share of clicks that changed the board. Not to be confused with accuracy, which is about risk.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='cpo',
            field=models.FloatField(help_text='Average CE wasted per opening: effective clicks (CE) beyond the 3BV, divided by the openings.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='dce',
            field=models.IntegerField(help_text='Chords that open at least one cell, even a mine.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='dcl',
            field=models.IntegerField(help_text='Chord attempts: both buttons together, Shift + left, or the middle button.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='difficulty',
            field=models.IntegerField(help_text='The hardest rule needed after the first click: 0 none, 1 MD(1) for one number, 2 MD(2) for two numbers, 3 NMD(3) for three numbers, 4 case analysis, 5 the total mine count, 6 a guess.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='estime',
            field=models.FloatField(help_text='The time a corpse (a lost game) would have taken for the whole board at the same pace. In a won game it equals the time, so only lost games have a leaderboard for it.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='guesses',
            field=models.IntegerField(help_text='Clicks after the first that opened a cell that could have been a mine.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='gzini',
            field=models.IntegerField(help_text='Clicks of the greedy solution with flags; ties: topmost row first, then leftmost.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='gzini_ref',
            field=models.IntegerField(help_text="Greedy ZiNi in the order its authors' code scans the board: leftmost column first, then topmost.", null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='gzinis',
            field=models.FloatField(help_text='ZiNi clicks per second.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='hzini',
            field=models.IntegerField(help_text='Greedy ZiNi after all openings have been clicked; ties: topmost row first, then leftmost.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='hzini_ref',
            field=models.IntegerField(help_text="Human ZiNi in its authors' code: openings first, then chords on open cells only; when none gains, one 3BV is clicked.", null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='hzinis',
            field=models.FloatField(help_text='ZiNi clicks per second.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='iome',
            field=models.FloatField(help_text='Index of movement efficiency: 3BV solved per cell travelled. It shows style, not skill: good players move a lot or a little. So it has no leaderboard, but you can sort lists by it either way.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='isdone',
            field=models.IntegerField(help_text='Islands with every cell open.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='isl',
            field=models.IntegerField(help_text='Groups of safe cells, joined by sides and corners, that are neither part of an opening nor next to one.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='lce',
            field=models.IntegerField(help_text='Left clicks that open at least one cell, even a mine.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='lcl',
            field=models.IntegerField(help_text='Completed left clicks, including those released outside the board.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='luck',
            field=models.FloatField(help_text="The chance of surviving every click that opened cells and didn't hit a mine: the product of the chances that the cells were safe, from what the player could see. The first click counts as safe.", null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='mov',
            field=models.FloatField(help_text='Cells the cursor travels per second. It shows style, not skill: good players move a lot or a little. So it has no leaderboard, but you can sort lists by it either way.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='needless_guesses',
            field=models.IntegerField(help_text='Guesses made while another cell was certainly safe.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='no_guess',
            field=models.IntegerField(help_text='1 if the board can be solved by logic from the first click on, 0 if it takes a guess.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='op',
            field=models.IntegerField(help_text='Groups of zeros, joined by sides and corners.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='opdone',
            field=models.IntegerField(help_text='Openings with every zero open.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='ownership',
            field=models.CharField(blank=True, choices=[('', 'not asked'), ('waiting', 'waiting for the owner of the name'), ('confirmed', 'confirmed by the owner of the name'), ('disowned', 'disowned by the owner of the name'), ('reported', 'reported by the owner of the name'), ('vouched', 'vouched for by a moderator')], db_default='', default='', max_length=9),
        ),
        migrations.AlterField(
            model_name='replay',
            name='path',
            field=models.FloatField(help_text='Euclidean distance the cursor travelled during the game, in pixels at 16 pixels per cell; points outside the board are skipped.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='qg',
            field=models.FloatField(help_text='Quality Grade: time to the power of 1.7, divided by 3BV.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='rce',
            field=models.IntegerField(help_text='Right clicks that place or remove a flag.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='rce_strict',
            field=models.IntegerField(help_text='Only the first flag on each true mine counts.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='rv',
            field=models.FloatField(help_text='Rirun Value: the time at which a board of 3BV 100 would give the same RQP.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='sao',
            field=models.FloatField(help_text='Movement times effective clicks per second; from the Chinese 风骚度.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='stnb',
            field=models.FloatField(help_text='A rating for corpses (lost games), from the Chinese 尸体牛逼. It also compares won games across levels; K = 47.299, 153.73, 435.001 for Beginner, Intermediate, Expert.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='stnb2023',
            field=models.FloatField(help_text='STNB with the constants other sites have used since 13 September 2023: K = 36, 162, 435.', null=True),
        ),
        migrations.AlterField(
            model_name='replay',
            name='worst_risk',
            field=models.FloatField(help_text='The greatest risk of a mine taken in one click.', null=True),
        ),
    ]
