"""Services, accounts and workers that every test may use.

Django's settings are read here and not by pytest-django, because the services must be known first.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from pytest_django import Settings

from tests.effort import examples
from tests.services import IN_XDIST_WORKER, Broker, Services, free_port

if "DJANGO_SETTINGS_MODULE" in os.environ:
    raise pytest.UsageError("unset DJANGO_SETTINGS_MODULE: tests/conftest.py chooses the settings and their services")

# Without a deadline: how long an example takes depends on the machine, and the first may compile.
hypothesis.settings.register_profile("sweepbook", deadline=None, max_examples=examples(100))
hypothesis.settings.load_profile("sweepbook")

SERVICES = Services()
SERVICES.prepare()
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

import django  # noqa: E402 - after the services
from django.conf import settings as django_settings  # noqa: E402

# Pages name static files as they are in the source tree; collecting and hashing them is tested with `runsite`.
django_settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
# Each test client reads this folder, so it is not the one where servers of tests collect 1,700 files.
django_settings.STATIC_ROOT = SERVICES.empty_folder
django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # sign-ins cost nothing
django.setup()

from allauth.account.models import EmailAddress  # noqa: E402
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone, translation  # noqa: E402

from analysis import warmup  # noqa: E402
from config.site.preparing import compile_translations  # noqa: E402
from players.models import Player, User  # noqa: E402
from players.web import counters, rate_limits  # noqa: E402
from players.web.turns import COMPUTED  # noqa: E402
from replays.odds.calculator import calculator_client  # noqa: E402
from tests.caches import clear_caches  # noqa: E402
from tests.flush import flush_by_deleting  # noqa: E402
from tests.long_tests import LongTests  # noqa: E402
from tests.transactions import refuse_to_count_in_transactions  # noqa: E402
from tests.worker import Worker  # noqa: E402

PASSWORD = "correct horse battery staple"
#: Whether kernels are compiled decides nothing in tests but in those about it: what is not, is compiled where it is used.
REAL_IS_READY = warmup.is_ready
refuse_to_count_in_transactions()
counters.start = lambda kind: None  # in memory: files of other processes would count
warmup.is_ready = lambda name: name in warmup.GROUPS
# Beside tests a process of the lowest priority gets hardly any time.  On a busy machine any may get little: the site would
# answer 503.
calculator_client.PROGRAM = "tests.usual_priority"
calculator_client.WAIT_SECONDS = COMPUTED._wait_seconds = 120.0  # type: ignore[misc] # final for the site alone


class _PatientLock:
    """Waits where the site's own lock refuses: the live server of pytest-django has no turns (``config.http.lanes``)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def acquire(self, *, blocking: bool) -> bool:
        return self._lock.acquire(timeout=-1 if blocking else 120)

    def release(self) -> None:
        self._lock.release()


calculator_client._CALCULATOR._in_use = _PatientLock()  # type: ignore[assignment]


def pytest_configure(config: pytest.Config) -> None:
    # A run that is stopped by a signal (a time limit, a cancelled CI job) must not leave its servers behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config.add_cleanup(SERVICES.stop)
    config.pluginmanager.register(LongTests())
    if config.getoption("dist", "no") != "no" and not IN_XDIST_WORKER:
        # This process hands the tests to others.  They inherit its environment, and each has settings of its own.
        del os.environ["DJANGO_SETTINGS_MODULE"]
        SERVICES.make_database_user()
    else:
        SERVICES.start_broker()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of whole processes begin first, which leave time for others while they wait, and files with long tests before
    files without: one process has a file to itself, and at the end the others would have nothing left beside it.
    """
    long = {item.path for item in items if any(map(item.get_closest_marker, ("long", "slow")))}
    items.sort(key=lambda item: (not any(map(item.get_closest_marker, ("stack", "browser"))), item.path not in long))


def pytest_collection_finish() -> None:
    """Keep the collector from the modules and items, which live as long as the process: an eighth of its time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Called by pytest-django before it makes the test database."""
    SERVICES.start_database()
    connection.settings_dict["TEST"].update(SERVICES.test_database)
    flush_by_deleting()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Leave the test database to the server, which goes with all its files; DROP DATABASE fails while anybody reads it."""
    return SERVICES.restarts_database


@pytest.fixture(autouse=True)
def _empty_cache(request: pytest.FixtureRequest) -> None:
    """Clear caches, so that counts of throttles and cached pages of one test do not affect another."""
    if request.node.get_closest_marker("django_db") or {"db", "transactional_db"} & set(request.fixturenames):
        clear_caches()


@pytest.fixture
def no_counts(settings: Settings) -> Iterator[None]:
    """The server that counts for rate limits does not answer."""
    settings.RATE_LIMITS_URL = f"redis://127.0.0.1:{free_port()}/0"
    rate_limits._limiter.cache_clear()
    yield
    rate_limits._limiter.cache_clear()


@pytest.fixture(autouse=True)
def _own_language_and_zone() -> Iterator[None]:
    """Reset language and time zone, which the last request of a test leaves active in this thread."""
    yield
    translation.activate(django_settings.LANGUAGE_CODE)
    timezone.deactivate()


@pytest.fixture(scope="session", autouse=True)
def _catalogues() -> None:
    """Compile the message catalogues before the first test, since a process reads each language only once."""
    compile_translations()


@pytest.fixture(scope="session")
def luck_compiled() -> None:
    """The kernels of luck, which a new machine has to compile, and which answer within a limit of seconds."""
    warmup.compile_group("luck")


@pytest.fixture(scope="module")
def tables_swept(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """VACUUM before and after a module: dead rows of tests that were rolled back make the planner take a table for
    small that is long to read, so that a statement may take minutes.
    """
    _sweep(django_db_blocker)
    yield
    _sweep(django_db_blocker)


def _sweep(django_db_blocker: Any) -> None:
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


# --- people ---


@pytest.fixture
def owner(db: None) -> User:
    """An account that owns a player of the same name."""
    return _person("owner")


@pytest.fixture
def other_player(db: None) -> User:
    """Another account with its own player, for everything that must not be theirs."""
    return _person("other_player")


@pytest.fixture
def staff(db: None) -> User:
    """A member of the staff with all permissions and a second factor, without a player."""
    return with_second_factor(User.objects.create_superuser("staff", "staff@example.org", PASSWORD))


@pytest.fixture
def anonymous() -> Client:
    """A browser that is not signed in."""
    return Client()


@pytest.fixture
def owner_client(owner: User) -> Client:
    return _signed_in(owner)


@pytest.fixture
def other_client(other_player: User) -> Client:
    return _signed_in(other_player)


@pytest.fixture
def staff_client(staff: User) -> Client:
    return _signed_in(staff)


def with_second_factor(user: User) -> User:
    """``user``, who has an authenticator app from now on."""
    TOTP.activate(user, generate_totp_secret())
    return user


def _person(name: str) -> User:
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Player.objects.create(name=name, user=user)
    return user


def _signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


# --- the broker and workers ---


@pytest.fixture
def broker() -> Iterator[Broker]:
    """The broker of this run, empty; ``stop()`` and ``start()`` play an outage.  It runs again afterwards."""
    if SERVICES.broker is None:
        pytest.skip("REDIS_URL names a broker that is not ours to stop")
    SERVICES.broker.stop()
    SERVICES.broker.start()
    yield SERVICES.broker
    SERVICES.broker.start()


@pytest.fixture
def worker(broker: Broker, transactional_db: None, tmp_path: Path) -> Iterator[Worker]:
    """A real Celery worker (with beat) on the test database, not started yet: ``worker.start()``."""
    made = Worker(tmp_path / "worker.log")
    yield made
    made.stop()
