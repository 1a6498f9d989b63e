from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection


@pytest.fixture(scope="module")
def tables_swept(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """VACUUM: dead rows of rolled back tests make the planner misjudge the size of small tables."""
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("VACUUM ANALYZE")
