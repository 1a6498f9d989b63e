"""Tests of which pages may open sockets."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from config.http.origins import is_allowed


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("http://sweep.example", "sweep.example", True),
        ("http://Sweep.Example:8000", "sweep.example:8000", True),
        ("https://sweep.example", "sweep.example", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://sweep.example:81", "sweep.example", False),
        ("http://sweep.example", "sweep.example:81", False),
        ("http://evil.example", "sweep.example", False),
        ("http://evil.example", "evil.example", False),  # no name of the site
        ("http://sweep.example.evil.example", "sweep.example", False),
        ("http://sweep.example@evil.example", "sweep.example", False),
        ("http://evil.example/sweep.example", "sweep.example", False),
        ("ftp://sweep.example", "sweep.example", False),
        ("sweep.example", "sweep.example", False),
        ("null", "sweep.example", False),
        ("", "", False),
        ("http://", "", False),
        ("https://club.example", "sweep.example", True),
        ("https://a.club.example", "sweep.example", False),
        ("https://a.league.example", "sweep.example", True),
        ("https://a.league.example.evil.example", "sweep.example", False),
        ("http://a.league.example", "sweep.example", False),
    ],
)
def test_origins(settings: Settings, origin: str, host: str, allowed: bool) -> None:
    settings.ALLOWED_HOSTS = ["sweep.example", "[::1]"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://club.example", "https://*.league.example"]
    assert is_allowed(origin, host) is allowed


def test_a_site_with_https_takes_no_pages_without(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["sweep.example"]
    settings.HTTPS = True
    assert is_allowed("https://sweep.example", "sweep.example")
    assert not is_allowed("http://sweep.example", "sweep.example")


def test_any_host_is_not_any_origin(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    assert is_allowed("http://sweep.example", "sweep.example")
    assert not is_allowed("http://evil.example", "sweep.example")
