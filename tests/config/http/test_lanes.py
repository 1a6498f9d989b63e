"""The queue in which a request waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.hashers import get_hasher
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from config.http.lanes import COMPUTED_PATHS, Lanes
from players.models import User
from players.web.turns import COMPUTED
from replays import api_urls
from replays.odds.positions.api import CalculatingView

LANES = Lanes()


def lane(path: str, query: str = "", method: str = "GET") -> str:
    turns = LANES._turns_for({"PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": method})
    return "computed" if turns is COMPUTED else next(name[1:] for name, one in vars(LANES).items() if one is turns)


COMPUTED_ONES = (
    "/replays/1/film", "/api/v1/replays/1/luck/", "/tools/probability/", "/compare/", "/replays/1/card.png",
    "/replays/1/review/", "/api/v1/play/laying/", "/tools/solver/", "/play/games/0b5e/", "/replays/1/rzini/",
)  # fmt: skip
OTHERS = (
    ("/replays/1/", "pages"), ("/film/formula", "pages"), ("/players/1/", "pages"), ("/upload/", "pages"),
    ("/api/v1/solver/stages/", "pages"), ("/leaderboards/expert/time/", "pages"), ("/", "pages"),
    ("/static/film/film.js", "files"), ("/robots.txt", "files"), ("/healthz", "files"), ("/static/review/", "files"),
    ("/leaderboards/corpses/expert/bvs/", "dear"), ("/leaderboards/sub/expert/60/", "dear"), ("/api/v1/schema", "dear"),
    ("/leaderboards/expert/time/history/", "dear"), ("/api/v1/leaderboards/expert/time/rows.csv", "dear"),
    ("/players/1/charts/time/", "dear"), ("/players/1/charts/", "pages"), ("/players/1/versus/2/", "dear"),
)  # fmt: skip


@pytest.mark.parametrize("path", COMPUTED_ONES)
def test_what_is_computed_waits_for_what_is_computed(path: str) -> None:
    assert {lane(path), lane(path, "a=1"), lane(path, method="POST")} == {"computed"}


@pytest.mark.parametrize(("path", "name"), OTHERS)
def test_what_is_not(path: str, name: str) -> None:
    assert lane(path) == name


def test_a_query_makes_a_page_dear_and_a_form_none() -> None:
    assert lane("/leaderboards/expert/time/", "period=2019") == lane("/replays/", "q") == "dear"
    assert lane("/replays/1/like/", "next=/", "POST") == "pages"
    assert lane("/watch/", method="POST") == "computed"
    assert lane("/upload/", method="POST") == lane("/api/v1/replays", method="POST") == "uploads"


def test_two_uploads_of_many_are_worked_on_at_a_time() -> None:
    """Archives take a processor: four at a time left a visitor a fifth of it."""
    lanes, working = Lanes(), []

    async def upload(address: str) -> None:
        async with lanes.turn(
            {"PATH_INFO": "/upload/", "QUERY_STRING": "", "REQUEST_METHOD": "POST", "REMOTE_ADDR": address}
        ):
            working.append(address)
            await asyncio.sleep(3600)

    async def uploads() -> None:
        tasks = [asyncio.create_task(upload(f"192.0.2.{number}")) for number in range(5)]
        await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()

    asyncio.run(uploads())
    assert len(working) == 2


def test_every_api_view_that_calculates_takes_turns() -> None:
    routes = {str(entry.pattern): getattr(entry.callback, "cls", object) for entry in api_urls.urlpatterns}
    calculating = {route for route, view in routes.items() if issubclass(view, CalculatingView)}
    assert "solver/games/" in calculating
    assert {route for route in calculating if COMPUTED_PATHS.search(f"/{route}") is None} == set()


# --- passwords --------------------------------------------------------------------------------------------------------

FORM = {
    "login": "owner", "username": "owner", "password": "wrong", "oldpassword": "wrong", "password1": "a new phrase 12",
    "password2": "a new phrase 12", "code": "123456", "uploads": "leave", "email": "owner@example.org", "final": "on",
}  # fmt: skip


def addresses(patterns: list[Any], before: str = "/") -> Iterator[str]:
    for entry in patterns:
        if isinstance(entry, URLResolver):
            yield from addresses(entry.url_patterns, before + str(entry.pattern))
        elif isinstance(entry, URLPattern) and "<" not in str(entry.pattern):
            yield before + str(entry.pattern)


@pytest.mark.slow(why="every address is asked twice: one that hashes a password in another queue holds up all pages")
def test_a_password_is_checked_in_its_queue_alone(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each address gets the form by a visitor and by an account; none that is in another queue hashes a password."""
    hashed: list[str] = []
    address = ""
    hasher = type(get_hasher())
    encode = hasher.encode

    def noted(*args: Any, **more: Any) -> str:
        hashed.append(address)
        return encode(*args, **more)

    monkeypatch.setattr(hasher, "encode", noted)
    for signed_in in (False, True):
        for address in addresses(get_resolver().url_patterns):
            if address.startswith("/admin/") and address != "/admin/login/":
                continue
            client = Client(raise_request_exception=False)
            if signed_in:
                client.force_login(owner)
            client.post(address, FORM)
            if address.startswith("/api/"):  # pages read forms alone
                client.post(address, FORM, content_type="application/json")
    assert {"/sign-in/", "/account/confirm/", "/account/delete/"} <= set(hashed)
    assert {path for path in hashed if lane(path, method="POST") != "passwords"} == set()
    for address in ("/password-reset/1-2/set/", "/account/delete/"):
        assert lane(address, method="POST") == "passwords"
