from __future__ import annotations

from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing

_NAMES = (
    "time", "path", "bvs", "rqp", "qg", "ios", "rv", "cls", "ces", "corr", "thrp", "ioe", "cpo", "coo", "sao", "gzinis", "gznt",
    "gzne", "hzinis", "hznt", "hzne", "pluck",
)  # fmt: skip


def _sorted_by(name: str) -> AddIndexWhileServing:
    index = models.Index(
        fields=["level", "result", name, "id"],
        name=f"replay_result_by_{name}",
        condition=Q(status="done") & Q(**{f"{name}__isnull": False}),
    )
    return AddIndexWhileServing("replay", index)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("replays", "0031_index_of_updates")]

    operations = [
        AddIndexWhileServing(
            "replay",
            models.Index(
                fields=["achieved_at", "id"],
                name="replay_by_date",
                condition=Q(status="done", achieved_at__isnull=False),
            ),
        ),
        *(_sorted_by(name) for name in _NAMES),
        # In place of those of all results, in which games that were lost by their first click come first.
        *(RemoveIndexConcurrently("replay", f"replay_by_{name}") for name in _NAMES),
    ]
