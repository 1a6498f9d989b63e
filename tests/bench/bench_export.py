"""Boards as files: when the first rows come, how long the whole takes, and the memory of the process, on the site of ``.env``.

    python -m tests.bench.bench_export [ADDRESS…]

Addresses are those of the API (``/api/v1/leaderboards/expert/time/rows.csv``).  Shown are rows, bytes, milliseconds of
processor time to the first rows and to the end, and MB of memory before and at most.  Set ``EXPORT_RATE=10000/hour``.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402 - after the set-up
from django.test import Client  # noqa: E402

_BOARDS = "/api/v1/leaderboards"
_ADDRESSES = (
    f"{_BOARDS}/expert/time/rows.csv", f"{_BOARDS}/expert/time/rows.ndjson",
    f"{_BOARDS}/expert/time/rows.csv?columns=gap,bv,trend,date", f"{_BOARDS}/combined/time/rows.ndjson",
    f"{_BOARDS}/expert/time/rows.csv?country=PL", f"{_BOARDS}/expert/time/rows.ndjson?best_of=5",
    f"{_BOARDS}/sub/expert/60/rows.csv",
)  # fmt: skip


def main() -> None:
    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    sys.stdout.write(f"{'rows':>8}{'bytes':>11}{'first':>8}{'all':>8}{'MB':>8}{'most':>8}\n")
    for address in sys.argv[1:] or _ADDRESSES:
        _measure(client, address)  # warms up; reads filtered boards
        sys.stdout.write(f"{_measure(client, address)}  {address}\n")
        sys.stdout.flush()


def _measure(client: Client, address: str) -> str:
    memory, started = _memory_mb(), time.process_time()
    response: Any = client.get(address)
    if response.status_code != 200:
        raise SystemExit(f"{address}: {response.status_code}")
    rows = size = 0
    first, most = 0.0, memory
    for part in response.streaming_content:
        rows, size, most = rows + part.count(b"\n"), size + len(part), max(most, _memory_mb())
        if not first and rows > 1:  # the first line of CSV has the names
            first = time.process_time() - started
    whole = time.process_time() - started
    return f"{rows:8,d}{size:11,d}{first * 1000:8.1f}{whole * 1000:8.0f}{memory:8.1f}{most:8.1f}"


def _memory_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
