"""An index of the finished boards of all rooms, newest first."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q

from players.db.indexes import AddIndexWhileServing


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("play", "0004_count_boards")]

    operations = [
        AddIndexWhileServing(
            "roomboard",
            models.Index(fields=["-ended_at", "-id"], condition=Q(end="finished"), name="room_board_finished"),
        ),
    ]
