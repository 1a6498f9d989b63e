from __future__ import annotations

from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing

_FAR_ENOUGH = Q(status="done", completion__gte=0.25)


def _index(name: str, fields: list[str], condition: Q) -> AddIndexWhileServing:
    return AddIndexWhileServing("replay", models.Index(fields=fields, name=name, condition=condition))


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("replays", "0027_indexes_of_corpses")]

    operations = [
        _index("replay_lost_by_stnb", ["level", "stnb", "id", "completion"], _FAR_ENOUGH & Q(result="lost")),
        _index("replay_lost_by_estime", ["level", "estime", "id", "completion"], _FAR_ENOUGH & Q(result="lost")),
        _index("replay_lost_by_completion", ["level", "completion", "id"], _FAR_ENOUGH & Q(result="lost")),
        # In place of those of all games, in which games of one click come first.
        _index("replay_far_by_stnb", ["level", "stnb", "id", "completion"], _FAR_ENOUGH & Q(stnb__isnull=False)),
        _index(
            "replay_far_by_stnb2023", ["level", "stnb2023", "id", "completion"], _FAR_ENOUGH & Q(stnb2023__isnull=False)
        ),
        RemoveIndexConcurrently("replay", "replay_by_stnb"),
        RemoveIndexConcurrently("replay", "replay_by_stnb2023"),
    ]
