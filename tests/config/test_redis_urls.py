"""Addresses of the broker and the cache: as each library writes them, and who may reach them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from pytest_django import Settings

from config import redis_urls
from config.checks import consistency


@pytest.mark.parametrize(
    ("url", "database", "client", "celery"),
    [
        ("redis://:p@host:6379/0", 1, "redis://:p@host:6379/1", "redis://:p@host:6379/0"),
        ("redis://host", 0, "redis://host/0", "redis://host"),
        ("unix:///run/v.sock?db=0", 1, "unix:///run/v.sock?db=1", "redis+socket:///run/v.sock?virtual_host=0"),
        ("unix:///run/v.sock", 3, "unix:///run/v.sock?db=3", "redis+socket:///run/v.sock?virtual_host=0"),
        ("redis+socket:///v.sock?virtual_host=2", 2, "unix:///v.sock?db=2", "redis+socket:///v.sock?virtual_host=2"),
    ],
)
def test_an_address_as_each_library_writes_it(url: str, database: int, client: str, celery: str) -> None:
    assert redis_urls.client_url(url, database) == client
    assert redis_urls.celery_url(url) == celery
    assert redis_urls.database_of(redis_urls.client_url(url, database)) == database


@pytest.mark.parametrize(
    ("url", "is_open"),
    [
        ("redis://host:6379/0", True),
        ("redis://10.0.0.4:6379/0", True),
        ("rediss://host:6379/0", True),
        ("redis://user@host:6379/0", True),
        ("redis://:secret@host:6379/0", False),
        ("redis://127.0.0.1:6379/0", False),
        ("redis://[::1]:6379/0", False),
        ("redis://localhost/0", False),
        ("unix:///run/valkey.sock?db=0", False),
    ],
)
def test_check_deploy_complains_of_a_server_that_others_reach_without_a_password(
    url: str, is_open: bool, settings: Settings
) -> None:
    settings.REDIS_URL = settings.CACHE_URL = url
    found = consistency.queue_and_cache_ask_for_a_password()
    assert [message.id for message in found] == ["config.W003"] * (2 if is_open else 0)


def test_check_deploy_complains_of_a_proxy_that_is_not_counted(settings: Settings) -> None:
    settings.HTTPS, settings.NUM_PROXIES = True, 0
    assert [message.id for message in consistency.the_proxy_is_counted()] == ["config.W004"]
    settings.NUM_PROXIES = 1
    assert consistency.the_proxy_is_counted() == []


def test_limits_are_counted_beside_the_queue_and_not_in_the_cache() -> None:
    """A cache may forget: whoever filled it would have a new quota."""
    command = (
        "from django.conf import settings; print(settings.RATE_LIMITS_URL, settings.CACHES['default']['LOCATION'])"
    )
    environment = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "a",
        "DATABASE_URL": "postgres://a@localhost/a", "REDIS_URL": "redis://localhost:1/0",
        "CACHE_URL": "redis://localhost:2/0",
    }  # fmt: skip
    found = subprocess.run([sys.executable, "-c", command], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["redis://localhost:1/1", "redis://localhost:2/0"]
