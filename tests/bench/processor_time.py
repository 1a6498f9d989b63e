"""Processor time of pages in one process each, so that figures hold on a machine that others use too.

:class:`PageProcess` starts ``python processor_time.py`` with the code of a checkout; that process requests pages by
Django's test client and reports the processor time of each (``time.process_time``; what PostgreSQL takes is not in it).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

#: How often a page is requested before it is measured: templates, prepared statements, filtered boards, caches.
_WARM_UP = 5


class PageProcess:
    """A process with the code of ``checkout`` and the settings of ``environment``; ends with :meth:`close`.

    ``player``: pages are requested by the account that owns this player; None: by a visitor without an account.
    """

    def __init__(self, checkout: Path, python: str, environment: dict[str, str], player: int | None = None) -> None:
        command = [python, "-W", "ignore", str(Path(__file__)), "" if player is None else str(player)]
        self._process = subprocess.Popen(
            command, cwd=checkout, env=environment | {"PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def times(self, address: str, requests: int) -> list[float]:
        """Processor milliseconds of each of ``requests`` pages."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([address, requests]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{address}: the process ended")
        return [float(value) for value in json.loads(line)]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)


def _serve(player: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()

    from django.test import Client

    client = Client(headers={"host": "127.0.0.1"})
    if player:
        from players.models import User

        client.force_login(User.objects.get(player__pk=int(player)))
    for line in sys.stdin:
        address, requests = json.loads(line)
        sys.stdout.write(json.dumps(_times(client, address, requests)) + "\n")
        sys.stdout.flush()


def _times(client: Any, address: str, requests: int) -> list[float]:
    taken = []
    for number in range(-_WARM_UP, requests):
        started = time.process_time()
        response = client.get(address)
        if number >= 0:
            taken.append((time.process_time() - started) * 1000)
        if response.status_code != 200:
            raise RuntimeError(f"{address}: {response.status_code}")
    return taken


if __name__ == "__main__":
    _serve(sys.argv[1])
