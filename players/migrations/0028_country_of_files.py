from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0027_decisions_about_accounts_and_bots'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='country_from_files',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AlterField(
            model_name='decision',
            name='action',
            field=models.CharField(choices=[('dismissed', 'Reports reviewed: nothing wrong'), ('judged', 'Replay judged'), ('dated', 'Replay date decided'), ('reencoded', 'Name in a replay read in another encoding'), ('owned', 'Game ownership decided'), ('deleted', 'Replay deleted'), ('hidden', 'Comment hidden'), ('shown', 'Comment restored'), ('renamed', 'Player renamed'), ('merged', 'Players merged'), ('granted', 'Claim approved'), ('refused', 'Claim rejected'), ('released', 'Name released'), ('closed', 'Room closed'), ('commanded', 'Room moderated'), ('banned', 'Account banned'), ('lifted', 'Ban lifted'), ('upheld', 'Appeal rejected: the ban stays'), ('role_given', 'Made a moderator'), ('role_taken', 'No longer a moderator'), ('marked_bot', 'Marked as a bot'), ('unmarked_bot', 'No longer marked as a bot'), ('deactivated', 'Account deactivated'), ('reactivated', 'Account reactivated'), ('staff_given', 'Admin access granted'), ('staff_taken', 'Admin access removed'), ('superuser_given', 'Made a superuser'), ('superuser_taken', 'No longer a superuser'), ('factor_deleted', 'Two-factor method deleted'), ('token_revoked', 'API token revoked')], max_length=16),
        ),
    ]
