from __future__ import annotations

from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing

_ACCURACY = (
    "The percentage of opening clicks that took no avoidable risk: no guess while another cell was certainly safe, and none "
    "more than two points riskier than the safest cell. It looks one click ahead, and guessing for speed lowers it on purpose."
)
_RISK = (
    "How much riskier the clicks were than the safest ones, in coin flips: the sum of log2((1 − least risk) / (1 − risk)) over "
    "the opening clicks after the first. A needless guess of 50 % adds 1."
)


class Migration(migrations.Migration):
    """Accuracy becomes a share, and what it was is told in coin flips; the sweep measures the luck of all rows again."""

    atomic = False
    dependencies = [("replays", "0033_reports_and_bans")]

    operations = [
        migrations.AddField("replay", "needless_risk", models.FloatField(null=True, help_text=_RISK)),
        migrations.AlterField("replay", "accuracy", models.FloatField(null=True, help_text=_ACCURACY)),
        migrations.AddField("statisticquantiles", "players", models.PositiveIntegerField(default=0, db_default=0)),
        RemoveIndexConcurrently("replay", "replay_luck_wanted"),
        AddIndexWhileServing(
            "replay",
            models.Index(
                fields=["id"],
                name="replay_luck_wanted",
                condition=Q(status="done") & (Q(luck_version=None) | Q(luck_version__lt=3)),
            ),
        ),
    ]
