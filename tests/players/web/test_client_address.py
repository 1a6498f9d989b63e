"""The address of a sender, as limits count it."""

from __future__ import annotations

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from players.web.rate_limits import client_address


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "expected"),
    [
        (0, "192.0.2.1", "203.0.113.9", "192.0.2.1"),
        (0, "192.0.2.1", "", "192.0.2.1"),
        (1, "127.0.0.1", "", "127.0.0.1"),
        (1, "127.0.0.1", "203.0.113.9", "203.0.113.9"),
        (1, "127.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"),
        (2, "127.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (2, "127.0.0.1", "203.0.113.9", "203.0.113.9"),
        (0, "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::"),
        (0, "2001:db8:1:2:ffff::1", "", "2001:db8:1:2::"),
        (0, "::ffff:192.0.2.1", "", "192.0.2.1"),
        (0, "", "203.0.113.9", ""),
        (1, "127.0.0.1", "nonsense", "nonsense"),
        (3, "127.0.0.1", "192.0.2.1, 192.0.2.2", "192.0.2.1"),
        (1, "127.0.0.1", " , ", "127.0.0.1"),
        (0, "", "", ""),
    ],
)
def test_client_address(settings: Settings, proxies: int, peer: str, forwarded: str, expected: str) -> None:
    settings.NUM_PROXIES = proxies
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    assert client_address(RequestFactory().get("/", REMOTE_ADDR=peer, headers=headers)) == expected
