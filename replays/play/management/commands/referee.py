"""``python manage.py referee``: decides the moves of all rooms.  A second one waits until the first is gone."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from players.garbage import OF_TASKS, rarely_collect_garbage
from players.web import redis_clients
from replays.play.referee.loop import Referee
from replays.play.referee.warmup import compile_kernels


class Command(BaseCommand):
    help = "Decides the moves of all rooms, until it gets a signal to end."
    requires_system_checks: list[str] = []  # they import every view, and a referee that was killed must be back soon

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.PLAY_BUS_URL:
            raise CommandError("REDIS_URL is not set: rooms need a server through which the processes talk.")
        ended = threading.Event()

        def end(number: int, frame: FrameType | None) -> None:
            ended.set()

        signal.signal(signal.SIGTERM, end)
        signal.signal(signal.SIGINT, end)
        compile_kernels()
        rarely_collect_garbage(OF_TASKS)
        client = redis_clients.client(settings.PLAY_BUS_URL)
        started = time.monotonic()
        Referee(client).run(ended)
        self.stdout.write(f"The referee ended after {time.monotonic() - started:.0f} s.")
