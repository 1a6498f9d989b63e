"""Every address of the site with broken cursors, and every one of the API with bodies that nobody can read: never 5xx."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from players.db import keyset
from players.db.keyset import MAX_CURSOR_CHARS
from tests.config.test_permissions import _BODIES, World, arguments_of, objects_of, routes
from tests.config.test_permissions import world as world
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.transactions import undone

pytestmark = pytest.mark.django_db

#: Any of these can read more than a guest, and none of them everything.
VISITORS: Final = ("anonymous", "owner", "staff")
CURSORS: Final = (
    "x", "0", ":", "::", "[1]:abc", "eyJhIjoxfQ:1abc:def", "AAAA:AAAA", "\x00", "a\x00:b", "\ud800:x", "é:é", "x" * (MAX_CURSOR_CHARS + 1),
    "🙂", "%", "None",
)  # fmt: skip
#: Says 503 while no worker runs, as in tests.
_NOT_READY: Final = frozenset({"ready"})
_DEEP: Final = 1_000
_NESTED: Final = ("[" * _DEEP + "]" * _DEEP, '{"a":' * _DEEP + "1" + "}" * _DEEP, "[" * 100_000)
BODIES: Final = (
    *_NESTED, "", "{", "[", "nul", "null", "true", "0", '""', "[]", "[[]]", "{}", "[null]", "NaN", "-Infinity", '{"a": NaN}', "9" * 5_000,
    "1e999", '"\\ud800"', '{"\\u0000": "\\u0000"}', "\x00", '{"a": 1}{"b": 2}', "\ufeff{}",
)  # fmt: skip
#: What stands in one field of a body that is right otherwise.
VALUES: Final = (
    *_NESTED[:2], "null", "true", "-1", "1e999", "NaN", "9" * 5_000, '"\\u0000"', '"\\ud800"', "[]", "{}", "[[]]", '[{"a": []}]',
)  # fmt: skip
_RAW: Final = b"\xff\xfe\x00\xc3"


@pytest.mark.long(beside="tests/pages/test_odd_addresses.py::test_odd_bodies_are_answered")
def test_no_address_fails_on_a_cursor(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them where the list reads cursors; one where the address ignores them."""
    known = {visitor: Client(raise_request_exception=False) for visitor in VISITORS}
    for visitor, client in known.items():
        client.cookies = world.clients[visitor].cookies
    real = sorted(set(real_cursors(world, known)))
    assert len(real) >= 3, "too few lists have a second page"
    decoded = spied(monkeypatch)
    failed, lists = [], 0
    for route, address in addresses(world):
        client = known[_who_sees(known, address)]
        decoded.clear()
        for cursor in (*CURSORS, *real):
            status = _status(client, address, {"cursor": cursor.encode("utf-8", "surrogatepass")})
            if status >= 500 and route not in _NOT_READY:
                failed.append((route, cursor[:40], status))
            if not decoded:
                break
        lists += bool(decoded)
    assert not failed
    assert lists >= 30, "the spy sees no cursors"


def spied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cursors that lists were asked for, as they are read."""
    seen: list[str] = []
    read = keyset._decode

    def decode(cursor: str, order: Sequence[str]) -> object:
        seen.append(cursor)
        return read(cursor, order)

    monkeypatch.setattr(keyset, "_decode", decode)
    return seen


def real_cursors(world: World, clients: dict[str, Client]) -> Iterator[str]:
    """A cursor of every list of the API that goes on after its first row."""
    for route, address in addresses(world):
        if route.startswith("api-"):
            for client in clients.values():
                answer = client.get(address, {"size": "1"})
                assert answer.status_code < 500, address
                if answer.status_code == 200 and answer.headers["Content-Type"] == "application/json":
                    found = answer.json()
                    yield from filter(None, [found.get("next_cursor") if isinstance(found, dict) else None])


def addresses(world: World) -> Iterator[tuple[str, str]]:
    """Each address of the site, with one object."""
    for route in sorted(routes()):
        yield route, reverse(route, kwargs=arguments_of(world, route, objects_of(route)[0]))


def _who_sees(clients: dict[str, Client], address: str) -> str:
    """The first visitor whom the page is shown to; staff if nobody."""
    return next((visitor for visitor, client in clients.items() if _status(client, address, {}) == 200), VISITORS[-1])


def _status(client: Client, address: str, query: dict[str, bytes]) -> int:
    with undone():
        response = client.get(address, query)
        if response.streaming:
            list(response)  # its parts are produced only when they are read
    return response.status_code


@pytest.mark.long(beside="tests/pages/test_odd_addresses.py::test_odd_bodies_are_answered")
@pytest.mark.parametrize("visitor", VISITORS)
def test_no_address_of_the_api_fails_on_a_body(world: World, visitor: str) -> None:
    client = Client(raise_request_exception=False)
    client.cookies = world.clients[visitor].cookies
    failed = []
    for route, address in addresses(world):
        if not route.startswith("api-"):
            continue
        for method in ("POST", "PUT", "PATCH"):
            for kind, body in bodies(route, everything=_takes(client, address, method)):
                with undone():
                    response = client.generic(method, address, body, content_type=kind)
                if response.status_code >= 500:
                    failed.append((route, method, kind, body[:40], response.status_code))
    assert not failed


def _takes(client: Client, address: str, method: str) -> bool:
    with undone():
        status = client.generic(method, address, "{}", content_type="application/json").status_code
    return status not in (401, 403, 405)


def bodies(route: str, *, everything: bool) -> Iterator[tuple[str, bytes]]:
    """Content types and bodies; a few where the visitor may write nothing."""
    whole = BODIES if everything else BODIES[:1]
    for body in whole:
        yield "application/json", body.encode("utf-8", "surrogatepass")
    if not everything:
        return
    right: dict[str, Any] = _BODIES.get(route, {})
    for name in right:
        for value in VALUES:
            others = [f"{json.dumps(key)}: {json.dumps(kept)}" for key, kept in right.items() if key != name]
            yield "application/json", ("{" + ", ".join([*others, f"{json.dumps(name)}: {value}"]) + "}").encode()
    for kind in (
        "application/json", "application/json; charset=utf-16", "application/json; charset=no-such", "multipart/form-data",
        "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain", "x", "",
    ):  # fmt: skip
        yield kind, _RAW
