"""Tests of which pages caches may store, and for whom."""

from __future__ import annotations

import pytest
from django.test import Client

from replays.models import Replay
from tests.pages.test_every_page import PUBLIC


def vary(response: object) -> set[str]:
    return {name.strip() for name in response.headers["Vary"].split(",")}  # type: ignore[attr-defined]


def test_pages_depend_on_language_and_cookies(db: None, client: Client) -> None:
    wrong = {
        address: found
        for address in PUBLIC
        if not {"Accept-Language", "Cookie"} <= (found := vary(client.get(address)))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    "address", ["/", "/players/", "/leaderboards/expert/time/", "/api/v1/leaderboards/expert/time/"]
)
def test_pages_of_an_account_are_private(owner_client: Client, address: str) -> None:
    assert "private" in owner_client.get(address).headers["Cache-Control"]


def test_the_page_with_the_token_is_not_stored(owner_client: Client) -> None:
    assert "no-store" in owner_client.get("/account/").headers["Cache-Control"]


def test_fragments_are_cached_apart_from_pages(game: Replay, client: Client) -> None:
    for address in ("/players/?q=a", f"/replays/{game.pk}/rzini/"):
        assert "HX-Request" in vary(client.get(address))
        assert "HX-Request" in vary(client.get(address, headers={"HX-Request": "true"}))


def test_files_are_marked_as_private(game: Replay, client: Client) -> None:
    for address in (f"/replays/{game.pk}/file", f"/api/v1/replays/{game.pk}/rawvf"):
        response = client.get(address)
        assert "private" in response.headers["Cache-Control"]
        assert client.get(address, headers={"If-None-Match": response.headers["ETag"]}).status_code == 304
