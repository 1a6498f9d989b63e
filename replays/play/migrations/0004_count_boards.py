"""Count the single games of accounts that have ended; those that were given up and are deleted already are not known."""

from __future__ import annotations

from typing import Any

from django.db import migrations
from django.db.models import Count, Q

_ENDS = {"left": Q(state="abandoned"), "lost": Q(state="over", result="lost"), "won": Q(state="over", result="won")}


def count_games(apps: Any, schema_editor: Any) -> None:
    """One statement that reads the games, and one that writes a row for each account and level."""
    database = schema_editor.connection.alias
    games = apps.get_model("play", "LiveGame").objects.using(database).exclude(user=None).exclude(reason="no_board")
    counts = games.order_by().values("user_id", "level", "rules").annotate(
        **{name: Count("id", filter=condition) for name, condition in _ENDS.items()}
    )
    model = apps.get_model("players", "BoardCount")
    rows = [model(**count) for count in counts if any(count[name] for name in _ENDS)]
    # A game that ended meanwhile may have made its row.
    model.objects.using(database).bulk_create(rows, batch_size=1_000, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("play", "0003_sealed_rooms"), ("players", "0018_board_counts")]

    operations = [migrations.RunPython(count_games, migrations.RunPython.noop, elidable=True)]
