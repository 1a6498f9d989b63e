"""Migrations run while the site serves: large tables get indexes concurrently, and are never rewritten."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from players.db.indexes import AddIndexWhileServing

ROOT = Path(__file__).resolve().parents[2]

#: Tables with at least a row for each replay, result or day of a player: an operation on all their rows takes minutes.
LARGE = {
    "players": {
        "player", "identity", "namepart", "personalbest", "combinedbest", "secondcount", "recordevent", "rankcheckpoint",
        "rankchange", "levelchange",
    },
    "replays": {
        "replay", "playtrace", "needlessguess", "deletedgame", "comment", "like", "uploadbatch", "batchfile",
    },
    "play": {"livegame", "roomlog"},
}  # fmt: skip
#: The migrations that make the tables.
INITIAL = {"players": 2, "replays": 1, "play": 1}


def troubles(migration: migrations.Migration) -> Iterator[str]:
    """Yield the operations that would lock or rewrite a large table that has rows."""
    made = {
        operation.name.lower() for operation in migration.operations if isinstance(operation, migrations.CreateModel)
    }
    for operation in migration.operations:
        name = str(getattr(operation, "model_name", "")).lower()
        if name in LARGE[migration.app_label] and name not in made:
            trouble = trouble_of(operation)
            if trouble:
                yield f"{migration.app_label}.{migration.name}: {operation.describe()}: {trouble}"
    if any(isinstance(operation, AddIndexWhileServing) for operation in migration.operations) and migration.atomic:
        yield f"{migration.app_label}.{migration.name}: an index that is built concurrently needs atomic = False"


def trouble_of(operation: Operation) -> str:
    match operation:
        case AddIndexWhileServing():
            return ""
        case migrations.AddIndex():
            return "use players.db.indexes.AddIndexWhileServing"
        case migrations.AddConstraint():
            return "a constraint is checked against all rows under a lock"
        case migrations.AddField(field=field) if _has_index(field):
            return "a field with an index builds it under a lock"
        case migrations.AlterField(field=field) if _has_index(field):
            return "an index is built under a lock"
        case migrations.AlterUniqueTogether() | migrations.AlterIndexTogether():
            return "an index is built under a lock"
    return ""


def _has_index(field: models.Field[Any, Any]) -> bool:
    return bool(field.unique or getattr(field, "db_index", False))


def checked() -> list[migrations.Migration]:
    loader = MigrationLoader(None)
    found = [one for (app, _name), one in sorted(loader.disk_migrations.items()) if app in INITIAL]
    return [one for one in found if int(one.name[:4]) > INITIAL[one.app_label]]


def test_no_migration_locks_a_large_table() -> None:
    assert [trouble for migration in checked() for trouble in troubles(migration)] == []


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddIndex("replay", models.Index(fields=["bv"], name="bv")),
        migrations.AddConstraint("replay", models.UniqueConstraint(fields=["bv"], name="bv")),
        migrations.AddField("replay", "other", models.IntegerField(null=True, db_index=True)),
        migrations.AlterField("replay", "bv", models.IntegerField(unique=True)),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_the_rule_sees(operation: Operation) -> None:
    migration = type("Migration", (migrations.Migration,), {"operations": [operation]})
    assert list(troubles(migration("0099_trouble", "replays")))


def test_large_tables_exist() -> None:
    for label, names in LARGE.items():
        assert names <= {model._meta.model_name for model in apps.get_app_config(label).get_models()}


#: Reword every label, help text and registry text of ours, give every enumeration one more choice, and print what
#: ``makemigrations`` would write.
_REWORDED = """
import dataclasses, sys
import django
from django.db.models.enums import ChoicesType
from django.utils import translation

lazy, choices = translation.gettext_lazy, ChoicesType.choices
ours = lambda: sys._getframe(2).f_globals["__name__"].startswith(("players", "replays"))
translation.gettext_lazy = lambda text: lazy("reworded " + text if ours() else text)
ChoicesType.choices = property(lambda kind: [*choices.fget(kind), ("new", "new")])

from analysis import statistics
statistics.STORED = [dataclasses.replace(row, label="reworded", doc="reworded") for row in statistics.STORED]

django.setup()
from django.apps import apps
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

loader = MigrationLoader(None)
found = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps)).changes(loader.graph)
for label in {"players", "replays", "play"} & found.keys():
    print(*(operation.describe() for migration in found[label] for operation in migration.operations), sep="\\n")
"""


@pytest.mark.long(beside="tests/config/test_migrations.py::test_no_migration_locks_a_large_table")
def test_a_word_makes_no_migration() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DEBUG": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _REWORDED], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
