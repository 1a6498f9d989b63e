"""The migrated database that test processes begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.conftest import SERVICES
from tests.kept_database import stamp


def test_another_migration_makes_it_anew(tmp_path: Path) -> None:
    migrations = tmp_path / "players" / "migrations"
    migrations.mkdir(parents=True)
    for name in ("requirements.lock", "requirements-dev.lock"):
        (tmp_path / name).touch()
    (migrations / "0001_initial.py").write_text("operations = []")
    first = stamp(tmp_path)
    assert stamp(tmp_path) == first
    (migrations / "0001_initial.py").write_text("operations = [1]")
    assert stamp(tmp_path) != first
    (migrations / "0001_initial.py").write_text("operations = []")
    (migrations / "0002_more.py").touch()
    assert stamp(tmp_path) != first


@pytest.mark.django_db
@pytest.mark.skipif(not SERVICES.restarts_database, reason="the database is not ours")
def test_it_has_every_migration() -> None:
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM django_migrations")
        assert cursor.fetchone()[0] == len(executor.loader.disk_migrations)
