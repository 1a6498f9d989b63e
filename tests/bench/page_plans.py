"""The statements behind pages: ``python -m tests.bench.page_plans ADDRESS…`` on the site of ``.env``.

Pages are requested twice, so that filtered boards are in memory; ``--cold``: with empty memory and cache, as the first visitor
does.  ``--account``: by this account.  ``--summary``: a line for each statement instead of its plan: the least of the times of
``--repeat`` executions in ms, the processor time of one (of the PostgreSQL process, without parallel workers, by ``/proc``;
it holds on a busy machine), pages of the database that were read, and the scans.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402 - after the set-up
from django.core.cache import cache  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from players.leaderboards.filtered.store import clear_memory  # noqa: E402
from players.models import User  # noqa: E402

#: (SQL, parameters).
Statement = tuple[str, Any]


def statements(address: str, *, cold: bool = False, account: str = "") -> list[Statement]:
    """The statements of the page that read."""
    client = Client(headers={"host": "127.0.0.1"})
    if account:
        client.force_login(User.objects.get(username=account))
    if cold:
        clear_memory()
        cache.clear()
    else:
        client.get(address)
    found: list[Statement] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        status = client.get(address).status_code
    if status != 200:
        raise SystemExit(f"{address}: {status}")
    return [one for one in found if one[0].lstrip().upper().startswith(("SELECT", "WITH"))]


def plan_of(statement: Statement, options: str = "TIMING OFF") -> str:
    """The plan of the statement, which is executed."""
    sql, params = statement
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, {options}) {sql}", params)
        return "\n".join(line for (line,) in cursor.fetchall())


def summary(statement: Statement, repeat: int) -> str:
    """A line about the statement."""
    with connection.cursor() as cursor:
        cursor.execute("SET max_parallel_workers_per_gather = 0")
        plans = [plan_of(statement)]  # warms up
        before = _processor_ms()
        plans += [plan_of(statement) for _ in range(repeat)]
        processor = (_processor_ms() - before) / repeat
        cursor.execute("RESET max_parallel_workers_per_gather")
    least = min(float(found) for plan in plans for found in re.findall(r"Execution Time: ([\d.]+) ms", plan))
    read = re.search(r"Buffers: shared ([^\n]*)", plans[-1])
    scans = sorted(set(re.findall(r"(\S*(?: Only)? Scan(?: Backward)? (?:using \S+ )?on \S+)", plans[-1])))
    pages = sum(map(int, re.findall(r"=(\d+)", read[1]))) if read else 0
    return f"  {least:8.1f}{processor:8.1f}{pages:9,d}  {'; '.join(scans)}"


def _processor_ms() -> float:
    """The processor time of the PostgreSQL process of this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description="The statements behind pages.")
    parser.add_argument("addresses", nargs="+")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--account", default="")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--repeat", type=int, default=10)
    arguments = parser.parse_args()
    settings.ALLOWED_HOSTS = ["*"]
    for address in arguments.addresses:
        sys.stdout.write(f"== {address}\n")
        for statement in statements(address, cold=arguments.cold, account=arguments.account):
            line = summary(statement, arguments.repeat) if arguments.summary else f"{plan_of(statement)}\n--"
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
