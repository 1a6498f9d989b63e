"""Variables of the environment: documented, checked, and clear about what is wrong."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import environ
import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env, settings
from replays.trust.judging import default_rules
from tests.cases import check_each

#: Defaults that the settings do not know.
RULES = {
    "JUDGE_FINDINGS": default_rules.FINDINGS,
    "JUDGE_LIMITS": default_rules.LIMITS,
    "PROVISIONAL_LIMITS": default_rules.PROVISIONAL_LIMITS,
}

ROOT = Path(__file__).resolve().parents[2]


def documented() -> dict[str, str]:
    """Names and values in .env.example, with those that are commented out."""
    lines = (ROOT / ".env.example").read_text().splitlines()
    matches = (re.fullmatch(r"(?:# )?([A-Z][A-Z0-9_]+)=(.*)", line) for line in lines)
    return {match[1]: match[2] for match in matches if match}


def test_the_example_names_every_variable_and_no_other() -> None:
    assert set(documented()) == {variable.name for variable in env.VARIABLES}


def test_there_are_few_variables() -> None:
    """A value that nobody turns is a constant, next to what it limits."""
    assert len(env.VARIABLES) <= 45


def test_settings_read_no_undocumented_variable() -> None:
    sources = [path.read_text() for path in (ROOT / "config").rglob("*.py")]
    read = {name for text in sources for name in re.findall(r"""env\.value\(["'](\w+)["']\)""", text)}
    assert read <= set(documented())


def test_the_example_shows_the_default() -> None:
    shows = documented()

    def shows_the_default(variable: env.Variable) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(environ.Env.ENVIRON, variable.name, shows[variable.name])
            shown = env.value(variable.name)
        if isinstance(shown, Path):
            shown = (ROOT / shown).resolve()
        if variable.name in RULES:
            assert (variable.default, tuple(shown)) == (None, RULES[variable.name])
        else:
            assert shown == variable.default

    check_each(shows_the_default, [(variable,) for variable in env.VARIABLES])


def test_a_value_that_cannot_be_read_is_named() -> None:
    def is_named(name: str, text: str) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(environ.Env.ENVIRON, name, text)
            with pytest.raises(ImproperlyConfigured, match=name):
                env.value(name)

    cases = [
        ("DEBUG", "perhaps"),
        ("UPLOAD_QUOTA_FILES", "many"),
        ("WORKER_PROCESSES", "1.5"),
        ("MINIMUM_3BV", "expert"),
        ("MINIMUM_3BV", "expert=a lot"),
        ("MINIMUM_3BV", "Expert=100"),
        ("DATABASE_URL", "sweepbook"),
        ("DATABASE_URL", "mysql://user@host/name"),
        ("DATABASE_URL", "sqlite:////srv/sweepbook/var/sweepbook.sqlite3"),
        ("DATABASE_URL", "postgres://user:password@host:port/name"),
        ("REDIS_URL", "localhost:6379"),
        ("CACHE_URL", "memcached://localhost"),
        ("EMAIL_URL", "mail.example.org"),
        ("SITE_URL", "example.org"),
        ("LOG_LEVEL", "LOUD"),
        ("JUDGE_LIMITS", "expert.time"),
        ("JUDGE_LIMITS", "expert.time=20"),
        ("JUDGE_LIMITS", "expert.time<<20"),
        ("JUDGE_LIMITS", "time<20"),
        ("JUDGE_LIMITS", "expert.speed>10"),
        ("JUDGE_LIMITS", "expert.rzini>10"),
        ("JUDGE_LIMITS", "Expert.time<20"),
        ("JUDGE_LIMITS", "custom.time<20"),
        ("JUDGE_LIMITS", "expert.time<nan"),
        ("JUDGE_LIMITS", "expert.time<inf"),
        ("JUDGE_LIMITS", "expert.time<fast"),
        ("PROVISIONAL_LIMITS", "expert.time"),
        ("PROVISIONAL_LIMITS", "expert.time>40"),  # the slow ones
        ("PROVISIONAL_LIMITS", "expert.bvs<4"),
        ("PROVISIONAL_LIMITS", "expert.flags<4"),  # has no board
        ("PROVISIONAL_LIMITS", "expert.pluck<1"),  # is not known yet
        ("PROVISIONAL_LIMITS", "beginner-9x9.stnb>300"),  # is not defined there
        ("PROVISIONAL_LIMITS", "expert.time<40,expert.time<30"),
        ("STAFF_SECOND_FACTOR", "perhaps"),
    ]
    check_each(is_named, cases)


def test_sqlite_is_refused_with_the_name_of_what_is_supported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(environ.Env.ENVIRON, "DATABASE_URL", "sqlite:////srv/sweepbook.sqlite3")
    with pytest.raises(ImproperlyConfigured, match="PostgreSQL alone is supported"):
        env.value("DATABASE_URL")


def test_limits_are_read_with_and_without_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(environ.Env.ENVIRON, "JUDGE_LIMITS", " beginner-9x9.time<0.25 , expert.bvs > 9, ")
    assert env.value("JUDGE_LIMITS") == [("beginner-9x9", "time", "<", 0.25), ("expert", "bvs", ">", 9.0)]


@pytest.mark.parametrize("name", ["JUDGE_FINDINGS", "JUDGE_LIMITS", "PROVISIONAL_LIMITS"])
def test_rules_can_be_turned_off(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(environ.Env.ENVIRON, name, "none")
    assert env.value(name) == []
    monkeypatch.setitem(environ.Env.ENVIRON, name, "")
    assert env.value(name) is None, "an empty text means the default"


def test_a_level_that_is_not_named_keeps_its_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(environ.Env.ENVIRON, "MINIMUM_3BV", "expert=120")
    assert env.value("MINIMUM_3BV") == {"beginner": 2, "beginner-9x9": 2, "intermediate": 30, "expert": 120}


def _check(tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """`manage.py check` in a process whose settings are exactly these."""
    environment = {name: text for name, text in os.environ.items() if name not in documented()}
    environment |= {"ENV_FILE": os.devnull, "DATA_DIR": str(tmp_path)} | variables
    command = [sys.executable, "manage.py", "check"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_there_is_no_default_secret_key(tmp_path: Path) -> None:
    done = _check(tmp_path)
    assert done.returncode != 0
    assert "SECRET_KEY is not set" in done.stderr


@pytest.mark.long(beside="tests/config/test_env.py::test_the_example_shows_the_default")
@pytest.mark.parametrize(
    ("variables", "code", "sign"),
    [
        ({"DEBUG": "1", "ALLOWED_HOSTS": "example.org"}, 1, "config.E001"),
        ({"SECRET_KEY": "x", "REPLAY_BUCKET": "games"}, 1, "config.E002"),
        ({"SECRET_KEY": "x", "JUDGE_FINDINGS": "time_differ"}, 1, "config.E003"),
        ({"SECRET_KEY": "x", "HTTPS": "1"}, 0, "config.W002"),
    ],
)
def test_settings_that_contradict_each_other_are_found(
    tmp_path: Path, variables: dict[str, str], code: int, sign: str
) -> None:
    done = _check(tmp_path, **variables)
    assert done.returncode == code, done.stderr
    assert sign in done.stderr


@pytest.mark.long(beside="tests/config/test_env.py::test_there_is_no_default_secret_key")
def test_plain_settings_are_without_complaint(tmp_path: Path) -> None:
    done = _check(tmp_path, SECRET_KEY="x")
    assert done.returncode == 0, done.stderr
    assert "config." not in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://postgres@/games?host=/run/postgresql",
            {"NAME": "games", "USER": "postgres", "HOST": "", "host": "/run/postgresql"},
        ),
        (
            "postgres://site:p%40ss@db.example.org:5433/games?sslmode=require",
            {
                "NAME": "games",
                "USER": "site",
                "PASSWORD": "p@ss",
                "HOST": "db.example.org",
                "PORT": 5433,
                "sslmode": "require",
            },
        ),
    ],
)
def test_addresses_of_postgresql(url: str, expected: dict[str, object]) -> None:
    database = environ.Env.db_url_config(url)
    found = database | database.get("OPTIONS", {})
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert {name: found[name] for name in expected} == expected


@pytest.mark.long(beside="tests/config/test_env.py::test_the_example_shows_the_default")
@pytest.mark.parametrize(
    ("subdomains", "header"), [("", "max-age=31536000"), ("1", "max-age=31536000; includeSubDomains")]
)
def test_browsers_keep_to_https_for_a_year(subdomains: str, header: str, tmp_path: Path) -> None:
    code = (
        "import django; django.setup(); from django.test import Client;"
        "print(Client().get('/robots.txt', secure=True, headers={'x-forwarded-proto': 'https', 'host': 'localhost'})"
        "['Strict-Transport-Security'])"
    )
    environment = {
        "PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "ENV_FILE": os.devnull, "SECRET_KEY": "x",
        "HTTPS": "1", "SITE_URL": "https://localhost", "HSTS_SUBDOMAINS": subdomains,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == header, done.stderr


@pytest.mark.parametrize(
    ("url", "host", "name"),
    [
        ("postgres://%2Fvar%2Frun%2Fpostgresql/sweepbook", "/var/run/postgresql", "sweepbook"),
        ("postgres://ada:word@%2Fsrv%2FMy%20socket:5433/games", "/srv/My socket", "games"),
        ("postgres://ada:wo%2Frd@db.example.org/games", "db.example.org", "games"),
    ],
)
def test_a_socket_of_postgresql_as_libpq_writes_it(
    monkeypatch: pytest.MonkeyPatch, url: str, host: str, name: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    found = settings._database()
    assert (found["HOST"], found["NAME"]) == (host, name)
