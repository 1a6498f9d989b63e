"""Indexes by which similar games are found."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing

_COLUMNS = [f"sketch_{number}" for number in range(1, 7)]
_INDEXES = [
    *(
        models.Index(fields=[name], name=f"trace_by_{name}", condition=Q(**{f"{name}__isnull": False}))
        for name in _COLUMNS
    ),
    models.Index(fields=["replay"], name="trace_to_compare", condition=Q(compared_at__isnull=True)),
]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("replays", "0019_sketches")]

    operations = [AddIndexWhileServing("playtrace", index) for index in _INDEXES]
