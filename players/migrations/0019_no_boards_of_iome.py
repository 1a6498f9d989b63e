from __future__ import annotations

from typing import Any

from django.db import migrations

_ROWS = 5_000


def remove(apps: Any, schema_editor: Any) -> None:
    """Delete what boards of IOME left: it shows style and is ranked no more.

    Few rows a statement keep locks short, and each statement goes on behind the last: no index finds these rows.
    """
    for name in ("CombinedBest", "PersonalBest", "RecordEvent", "RankCheckpoint", "RankChange"):
        table, last = apps.get_model("players", name).objects, 0
        while ids := list(table.filter(statistic="iome", pk__gt=last).order_by("pk").values_list("pk", flat=True)[:_ROWS]):
            table.filter(pk__in=ids)._raw_delete(schema_editor.connection.alias)
            last = ids[-1]


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("players", "0018_board_counts")]

    operations = [migrations.RunPython(remove, migrations.RunPython.noop, elidable=True)]
