from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0024_reworded_help_texts'),
    ]

    operations = [
        migrations.AlterField(
            model_name='decision',
            name='action',
            field=models.CharField(choices=[('dismissed', 'Reports reviewed: nothing wrong'), ('judged', 'Replay judged'), ('dated', 'Replay date decided'), ('owned', 'Decided whether one of your games counts'), ('deleted', 'Replay deleted'), ('hidden', 'Comment hidden'), ('shown', 'Comment shown again'), ('renamed', 'Player renamed'), ('merged', 'Players merged'), ('granted', 'Claim approved'), ('refused', 'Claim rejected'), ('released', 'Name released'), ('closed', 'Room closed'), ('commanded', 'Room moderated'), ('banned', 'Account banned'), ('lifted', 'Ban lifted'), ('upheld', 'Appeal rejected: the ban stays'), ('role_given', 'Made a moderator'), ('role_taken', 'No longer a moderator')], max_length=16),
        ),
    ]
