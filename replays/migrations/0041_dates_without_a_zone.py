from __future__ import annotations

from typing import Any

from django.db import migrations, models

from players.db.indexes import AddIndexWhileServing, RemoveIndexWhileServing

_CHUNK = 10_000
#: Formats that never state a zone.  RawVF may: ``recompute`` reads those files again.
_WITHOUT = ("avf", "mvf")


def _mark(apps: Any, editor: Any) -> None:
    """Mark the rows chunk by chunk, so that none is locked for long; the index does not have the column yet."""
    replays = apps.get_model("replays", "Replay").objects
    last = replays.aggregate(last=models.Max("id"))["last"] or 0
    for start in range(0, last + 1, _CHUNK):
        rows = replays.filter(id__gte=start, id__lt=start + _CHUNK, format__in=_WITHOUT, played_at__isnull=False)
        rows.update(played_at_has_zone=False)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("replays", "0040_pace")]

    operations = [
        migrations.AddField(
            model_name="replay",
            name="played_at_has_zone",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.RunPython(_mark, migrations.RunPython.noop, elidable=True),
        AddIndexWhileServing(
            "replay",
            models.Index(
                fields=["player", "played_at", "uploaded_at"],
                include=["level", "win", "id", "played_at_has_zone"],
                name="replay_days_with_zone",
                condition=models.Q(status="done") & ~models.Q(ownership__in=["waiting", "disowned", "reported"]),
            ),
        ),
        RemoveIndexWhileServing("replay", "replay_days"),
    ]
