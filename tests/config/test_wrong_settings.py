"""Wrong settings are told in one line each, all at once, and without a traceback."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

import environ
import pytest
from django.conf import settings as used
from django.core.checks import registry
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.utils import ConnectionHandler
from django.test import override_settings
from django.utils.connection import ConnectionProxy

from config import env
from tests.services import free_port

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
NAMES = {variable.name for variable in env.VARIABLES}
RIGHT = {
    "SECRET_KEY": "x" * 60, "DATA_LICENCE": "CC0-1.0", "ENV_FILE": os.devnull, "ALLOWED_HOSTS": "sweep.example",
    "SITE_URL": "https://sweep.example", "HTTPS": "1", "NUM_PROXIES": "1",
}  # fmt: skip
#: A port of this machine that is closed is put in for {closed}.
WRONG = [
    # --- values that cannot be read ---
    {"DEBUG": "perhaps"},
    {"UPLOAD_MAX_FILES": "many"},
    {"WORKER_PROCESSES": "1.5"},
    {"NUM_PROXIES": "-1"},
    {"MINIMUM_3BV": "expert=a lot"},
    {"MINIMUM_COMPLETION": "100"},
    {"KEPT_MB": "often"},
    {"LOG_LEVEL": "LOUD"},
    {"DATA_LICENCE": "MIT"},
    {"RANK_OPEN_FORMATS": "rawfv"},
    {"PROVISIONAL_LIMITS": "expert.time>40"},
    {"DATA_DIR": "/dev/null/var"},
    {"DUMP_DIR": "/dev/null"},
    {"ENV_FILE": "/etc/sweepbook/sweepbok.env"},
    # --- addresses ---
    {"ALLOWED_HOSTS": "*"},
    {"ALLOWED_HOSTS": "https://sweep.example"},
    {"ALLOWED_HOSTS": "sweep.example:443"},
    {"CSRF_TRUSTED_ORIGINS": "sweep.example"},
    {"SITE_URL": "https://"},
    {"SITE_URL": "https://www.sweep.example"},
    {"SITE_URL": "http://sweep.example"},
    {"EMAIL_URL": "smtp+tls://"},
    {"DEFAULT_FROM_EMAIL": "Sweepbook"},
    # --- services ---
    {"DATABASE_URL": "mysql://sweepbook@localhost/sweepbook"},
    {"DATABASE_URL": "postgres://sweepbook@localhost/"},
    {"DATABASE_URL": "postgres://sweepbook@127.0.0.1:{closed}/sweepbook"},
    {"DATABASE_URL": "postgres://sweepbook@%2Fnonexistent/sweepbook"},
    {"DATABASE_URL": "{database}_of_nobody"},
    {"REDIS_URL": "redis://127.0.0.1:{closed}/0"},
    {"REDIS_URL": "redis://127.0.0.1/zero"},
    {"REDIS_URL": "redis://127.0.0.1:6379/0", "CACHE_URL": "redis://localhost"},
    {"CACHE_URL": "unix:///nonexistent?db=1"},
    {"REPLAY_BUCKET": "games"},
    {"REDIS_URL": "{broker}", "REPLAY_BUCKET": "games"},
    # --- names, and settings that contradict each other ---
    {"ALOWED_HOSTS": "sweep.example"},
    {"Database_URL": "postgres://sweepbook@localhost/sweepbook"},
    {"DEBUG": "1"},
    {"NUM_PROXIES": "0"},
    {"HTTPS": "0", "HSTS_SUBDOMAINS": "1"},
    {"JUDGE_FINDINGS": "time_differ"},
    {"SECRET_KEY": ""},
]  # fmt: skip


def told(given: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return what `manage.py check --deploy` tells with these settings: the checks of this site, with their levels."""
    connection.ensure_connection()
    server = connection.connection.info
    database = f"postgres://{server.user}@{quote(server.host, safe='')}:{server.port}/{server.dbname}"
    places = {"closed": free_port(), "database": database, "broker": used.REDIS_URL}
    variables = {"DATA_DIR": str(tmp_path), **RIGHT} | {name: text.format(**places) for name, text in given.items()}
    with monkeypatch.context() as patch:
        patch.setattr(environ.Env, "ENVIRON", {name: text for name, text in variables.items() if text})
        patch.setattr(env, "checking", True)
        values = runpy.run_path(str(ROOT / "config" / "settings.py"))
        shown = {name: value for name, value in values.items() if name.isupper() and name != "DATABASES"}
        handler = ConnectionHandler(values["DATABASES"])
        with override_settings(**{name: shown[name] for name in _CHECKED}):
            patch.setattr("players.db.own_connection.connections", handler)
            patch.setattr("config.checks.services.connection", ConnectionProxy(handler, DEFAULT_DB_ALIAS))
            found = [
                message
                for check in registry.registry.get_checks(include_deployment_checks=True)
                if check.__module__.startswith("config.checks")
                for message in check(app_configs=None, databases=None)
            ]
    return [message.msg for message in found]


_CHECKED = (
    "ALLOWED_HOSTS", "CACHE_URL", "CELERY_BROKER_URL", "DATA_LICENCE", "DEBUG", "HTTPS",
    "JUDGE_FINDINGS", "NUM_PROXIES", "REDIS_URL", "REPLAY_BUCKET", "SITE_URL",
)  # fmt: skip


def test_right_settings_have_nothing_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert told({}, monkeypatch, tmp_path) == []
    given = {"DATABASE_URL": "{database}", "REDIS_URL": "{broker}"}
    assert told(given, monkeypatch, tmp_path) == [], "the folder of the socket as libpq has it"


@pytest.mark.parametrize("given", WRONG, ids=lambda given: " ".join(f"{name}={text}" for name, text in given.items()))
def test_a_wrong_setting_is_told(given: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = told(given, monkeypatch, tmp_path)
    assert any(re.search(rf"\b{list(given)[-1]}\b", line) for line in lines), lines
    assert not any("\n" in line for line in lines)


def test_names_in_the_file_that_nobody_reads_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "a.env"
    file.write_text("# a comment\nexport COLOUR=red\nSITE_CONTACT=us\n")
    assert [line[:18] for line in told({"ENV_FILE": str(file)}, monkeypatch, tmp_path)] == ["COLOUR is no setti"]


def run(tmp_path: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: text for name, text in os.environ.items() if name not in NAMES}
    environment |= {"ENV_FILE": os.devnull, "DATA_DIR": str(tmp_path)} | variables
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.long(beside="tests/config/test_wrong_settings.py::test_a_process_does_not_start_with_what_it_cannot_read")
def test_many_are_told_together(tmp_path: Path) -> None:
    port = free_port()
    many = {
        "ALLOWED_HOSTS": "*", "UPLOAD_MAX_FILES": "many", "REPLAY_BUCKET": "games", "JUDGE_FINDINGS": "time_differ",
        "DATABASE_URL": f"postgres://us:secret@127.0.0.1:{port}/x", "REDIS_URL": f"redis://127.0.0.1:{port}/0",
        "CACHE_URL": f"redis://:secret@127.0.0.1:{port}/zero", "REDIS_ULR": "redis://localhost",
    }  # fmt: skip
    done = run(tmp_path, "manage.py", "check", "--deploy", **many)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr
    for name in (*many, "SECRET_KEY"):
        assert len([line for line in done.stderr.splitlines() if re.search(rf"\b{name}\b", line)]) >= 1, name


def test_a_process_does_not_start_with_what_it_cannot_read(tmp_path: Path) -> None:
    given = {"SECRET_KEY": "x", "ALLOWED_HOSTS": "https://a", "LOG_LEVEL": "LOUD"}
    done = run(tmp_path, "-c", "import django; django.setup()", DJANGO_SETTINGS_MODULE="config.settings", **given)
    assert done.returncode == 1
    assert [line.partition("=")[0] for line in done.stderr.splitlines()] == ["ALLOWED_HOSTS", "LOG_LEVEL"]
