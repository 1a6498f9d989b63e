"""Benchmark of the charts of a player with many games on the empty SQLite of ``DATABASE_URL``, drawn anew.

    python -m tests.bench.sqlite_player GAMES CHART…

The games are made as those of ``tests.bench.load``, whose COPY is PostgreSQL's alone.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402 - after the set-up
from django.test import Client  # noqa: E402

from analysis.recording import Level  # noqa: E402
from players.leaderboards.services import rebuild_boards  # noqa: E402
from players.models import Player  # noqa: E402
from replays.models import Replay  # noqa: E402
from tests.factories import EPOCH, replay_of  # noqa: E402

_CHUNK = 1_000
_LEVELS = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT, Level.EXPERT)
_TIMES = 5


def main() -> None:
    settings.ALLOWED_HOSTS = ["*"]
    games, charts = int(sys.argv[1]), sys.argv[2:]
    player = Player.objects.create(name="Many games")
    made = _games(player, games)
    for _ in range(0, games, _CHUNK):
        Replay.objects.bulk_create([game for _number, game in zip(range(_CHUNK), made, strict=False)])
    rebuild_boards()
    client = Client()
    sys.stdout.write(f"{Replay.objects.count():,} games on SQLite: median ms of the answer of the API\n")
    for chart in charts:
        times = []
        for _ in range(_TIMES):
            started = time.perf_counter()
            assert client.get(f"/api/v1/players/{player.pk}/charts/{chart}/").status_code == 200
            times.append((time.perf_counter() - started) * 1000)
        sys.stdout.write(f"  {chart:<14}{sorted(times)[_TIMES // 2]:9.1f}\n")


def _games(player: Player, count: int) -> Iterator[Replay]:
    source = random.Random(1)
    for number in range(count):
        won = source.random() < 0.6
        lost: dict[str, Any] = {} if won else {"win": False, "result": Replay.Result.LOST, "ranked": False}
        at = EPOCH - timedelta(minutes=20 * (count - number))
        yield replay_of(
            player, source.choice(_LEVELS), time_ms=source.randint(30_000, 90_000), bv=source.randint(100, 220),
            style=source.choice(["NF", "FL"]), achieved_at=at, played_at=at if number % 33 else None, source=source,
            values={"pluck": source.random(), "needless_guesses": source.randint(0, 3), "accuracy": 100 * source.random()},
            **lost,
        )  # fmt: skip


if __name__ == "__main__":
    main()
