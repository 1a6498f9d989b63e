"""The address of a sender, as limits count it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory
from pytest_django import Settings

from players.models import User
from players.web.rate_limits import client_address, visitor_of


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


def test_limits_tell_visitors_apart(db: None) -> None:
    """Accounts by their number, wherever they are; everybody else by the address."""

    def visitor(address: str, user: User | AnonymousUser) -> str:
        request = RequestFactory().get("/", REMOTE_ADDR=address)
        request.user = user
        return visitor_of(request)

    ada, bob, guest = User.objects.create(username="ada"), User.objects.create(username="bob"), AnonymousUser()
    assert visitor("192.0.2.1", guest) == "192.0.2.1"
    assert visitor("192.0.2.2", guest) == "192.0.2.2"
    assert visitor("192.0.2.1", ada) == visitor("192.0.2.2", ada) == f"account-{ada.pk}"
    assert visitor("192.0.2.1", bob) == f"account-{bob.pk}"


def test_one_visitor_who_asks_too_often_stops_nobody_else(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, db: None
) -> None:
    monkeypatch.setattr("replays.browse.search.selectors.SEARCH_LIMIT._rate", "2/hour")
    settings.NUM_PROXIES = 0

    def search(address: str) -> int:
        return Client(REMOTE_ADDR=address).get("/search/", {"q": "x"}).status_code

    assert [search("192.0.2.1") for _ in range(3)] == [200, 200, 429]
    assert [search("192.0.2.2") for _ in range(3)] == [200, 200, 429]
