"""Programs read the API from pages of other origins, and again without the content that they have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.caches import clear_caches
from tests.config.test_permissions import VISITORS, World, arguments_of, table
from tests.config.test_permissions import ingest as ingest
from tests.config.test_permissions import store as store
from tests.config.test_permissions import world as world

GUEST = VISITORS[0]
ORIGIN = "https://bot.example"
#: The history of a rank ends with the moment at which somebody asks.
_NEW_EVERY_TIME = "/ranks/"
#: Of a board that the address describes, with words in the language of the visitor.
_DRAWING = "/api/v1/play/laying/"


def read_twice(world: World, visitor: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield each address of the API with its answer to ``visitor``, and the answer to the same question asked again."""
    client = world.clients[visitor]
    for route, name, method in table():
        if not route.startswith("api-") or method != "GET":
            continue
        address = reverse(route, kwargs=arguments_of(world, route, name))
        clear_caches()
        first = client.get(address, headers={"Origin": ORIGIN})
        is_page = first.headers["Content-Type"].startswith("text/html")
        if first.status_code == 200 and not first.streaming and not is_page:
            etag = first.headers.get("ETag", "none")
            yield address, first, client.get(address, headers={"Origin": ORIGIN, "If-None-Match": etag})


def test_whatever_a_guest_reads_is_answered_304_the_second_time(world: World) -> None:
    answers = list(read_twice(world, GUEST))
    assert len(answers) > 40
    new = [address for address, _first, again in answers if again.status_code != 304 or again.content]
    assert [address for address in new if _NEW_EVERY_TIME not in address] == []


def test_caches_may_keep_what_guests_read_whatever_their_cookies(world: World) -> None:
    for address, first, again in read_twice(world, GUEST):
        control = first.headers["Cache-Control"]
        if control == "public, no-cache":
            assert "Cookie" not in first.headers.get("Vary", ""), address
        elif not control.startswith(("private", "no-store")):
            assert (address, control) == (_DRAWING, "public, max-age=3600")
        if _NEW_EVERY_TIME not in address:
            assert again.headers["ETag"] == first.headers["ETag"], address


def test_no_cache_may_keep_what_an_account_reads(world: World) -> None:
    answers = read_twice(world, "owner")
    public = [address for address, first, _again in answers if "public" in first.headers["Cache-Control"]]
    assert public == [_DRAWING]


def test_pages_of_other_origins_read_everything_without_cookies(world: World) -> None:
    for address, first, again in read_twice(world, GUEST):
        for answer in (first, again):
            assert answer.headers["Access-Control-Allow-Origin"] == "*", address
            assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.django_db
def test_errors_can_be_read_by_other_origins(client: Client) -> None:
    answer = client.get("/api/v1/replays/999999/", headers={"Origin": ORIGIN})
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (404, "*")
    assert "ETag" not in answer.headers


def test_the_first_question_of_a_browser_allows_tokens(client: Client) -> None:
    answer = client.options(
        "/api/v1/replays/",
        headers={
            "Origin": ORIGIN,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization",
        },
    )
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "authorization" in answer.headers["Access-Control-Allow-Headers"]
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]


@pytest.mark.django_db
def test_pages_are_not_for_other_origins(client: Client) -> None:
    assert "Access-Control-Allow-Origin" not in client.get("/help/", headers={"Origin": ORIGIN}).headers
