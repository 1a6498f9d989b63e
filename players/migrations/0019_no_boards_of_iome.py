from __future__ import annotations

from typing import Any

from django.db import migrations

_ROWS = 5_000


def remove(apps: Any, schema_editor: Any) -> None:
    """Delete what boards of IOME left: it shows style and is ranked no more.  Few rows a statement keep locks short."""
    for name in ("CombinedBest", "PersonalBest", "RecordEvent", "RankCheckpoint", "RankChange"):
        rows = apps.get_model("players", name).objects.filter(statistic="iome")
        while ids := list(rows.order_by("pk").values_list("pk", flat=True)[:_ROWS]):
            rows.filter(pk__in=ids)._raw_delete(schema_editor.connection.alias)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("players", "0018_board_counts")]

    operations = [migrations.RunPython(remove, migrations.RunPython.noop, elidable=True)]
