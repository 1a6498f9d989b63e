from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0020_country_of_account'),
    ]

    operations = [
        migrations.AlterField(
            model_name='claim',
            name='state',
            field=models.CharField(choices=[('open', 'waiting for the verification game'), ('requested', 'waiting for a moderator'), ('granted', 'granted'), ('refused', 'refused'), ('withdrawn', 'withdrawn')], default='open', max_length=9),
        ),
        migrations.AlterField(
            model_name='identity',
            name='proof',
            field=models.CharField(blank=True, choices=[('', 'none'), ('code', 'a verification game'), ('staff', 'a moderator')], default='', max_length=5),
        ),
    ]
