"""The plans of the statements behind pages: ``python -m tests.bench.page_plans ADDRESS…`` on the site of ``.env``."""

from __future__ import annotations

import os
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402 - after the set-up
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402


def explained(address: str) -> list[str]:
    """One plan a statement of the page, each under the statement's beginning; pages are requested twice, so that live boards are in memory."""
    client = Client(headers={"host": "127.0.0.1"})
    client.get(address)
    statements: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        client.get(address)
    found = []
    for sql, params in statements:
        if not sql.lstrip().upper().startswith(("SELECT", "WITH")):
            continue
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) {sql}", params)
            found.append("\n".join(line for (line,) in cursor.fetchall()))
    return found


def main() -> None:
    settings.ALLOWED_HOSTS = ["*"]
    for address in sys.argv[1:]:
        sys.stdout.write(f"== {address}\n")
        for plan in explained(address):
            sys.stdout.write(plan + "\n--\n")


if __name__ == "__main__":
    main()
