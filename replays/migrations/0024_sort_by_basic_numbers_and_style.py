from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing

_MOV = "Cells that the cursor travelled a second."
_IOME = "Index of movement efficiency: 3BV solved per cell travelled."
_STYLE = (
    " It shows style, not skill: good players move a lot or a little. So it has no leaderboard, but lists sort by it both"
    " ways."
)


def _index(name: str) -> AddIndexWhileServing:
    condition = Q(status="done") & Q(**{f"{name}__isnull": False})
    return AddIndexWhileServing(
        "replay", models.Index(fields=["level", name, "id"], name=f"replay_by_{name}", condition=condition)
    )


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("replays", "0023_store_mark")]

    operations = [
        migrations.AlterField("replay", "mov", models.FloatField(null=True, help_text=_MOV + _STYLE)),
        migrations.AlterField("replay", "iome", models.FloatField(null=True, help_text=_IOME + _STYLE)),
        *(_index(name) for name in ("cl", "ce", "mov", "bv", "op", "gzini")),
    ]
