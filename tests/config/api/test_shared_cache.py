"""A cache in front of the site that keeps whatever it may: nobody gets the answer to somebody else by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any, Final

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from players.web.middleware import ApiCachingMiddleware
from tests.caches import clear_caches
from tests.config.api.test_reading import public_reads
from tests.config.api.test_reading import schema as schema
from tests.config.test_permissions import World
from tests.config.test_permissions import ingest as ingest
from tests.config.test_permissions import store as store
from tests.config.test_permissions import world as world
from tests.effort import seeds

#: Answers of these tell of the moment, or are streams.
_OWN_EACH_TIME: Final = ("/ranks/", "/rows.", "/play/games/")


def names(header: str) -> set[str]:
    return {name.strip().lower() for name in header.split(",") if name.strip()}


@dataclass
class SharedCache:
    """A shared cache as greedy as RFC 9111 lets it be: it keeps all that is public, in forms by ``Vary``."""

    kept: dict[str, list[tuple[dict[str, str], Any]]] = field(default_factory=dict)
    hits: int = 0

    def get(self, client: Client, address: str, headers: dict[str, str]) -> Any:
        """Return the answer to ``client``, from here if the site says that it is still the right one."""
        sent = {"cookie": client.cookies.output(header="", sep=";"), **headers}
        for request, answer in self.kept.get(address, []):
            if all(request.get(name, "") == sent.get(name, "") for name in names(answer.headers.get("Vary", ""))):
                if "no-cache" not in answer.headers["Cache-Control"]:
                    self.hits += 1
                    return answer
                found = client.get(address, headers={**headers, "if-none-match": answer.headers["ETag"]})
                if found.status_code == 304:
                    self.hits += 1
                    return answer
                return self._keep(address, sent, found)
        return self._keep(address, sent, client.get(address, headers=headers))

    def _keep(self, address: str, sent: dict[str, str], answer: Any) -> Any:
        control = names(answer.headers.get("Cache-Control", ""))
        if answer.status_code == 200 and "public" in control and not answer.streaming:
            self.kept.setdefault(address, []).insert(0, (sent, answer))
        return answer


def content(answer: Any) -> tuple[int, bytes]:
    return answer.status_code, b"" if answer.streaming else answer.content


def visitors(world: World, owner: User) -> dict[str, tuple[Client, dict[str, str]]]:
    """Two guests of two languages, an account that reads Chinese and counts from 1, its token, another account, staff."""
    User.objects.filter(pk=owner.pk).update(clock=User.Clock.ONE, language="zh-hans")
    token = token_create(owner, "script", [Scope.READ])[1]
    english = {"accept-language": "en"}
    return {
        "guest": (Client(), english),
        "Chinese guest": (Client(), {"accept-language": "zh-hans"}),
        "account": (world.clients["owner"], english),
        "token": (Client(), {**english, "authorization": f"Bearer {token}"}),
        "other": (world.clients["other owner"], english),
        "staff": (world.clients["staff"], english),
        "guest again": (Client(), english),
    }


def differences(world: World, owner: User, addresses: Iterable[str], *, turned: bool) -> tuple[int, int]:
    """Ask all ``addresses`` as everybody, through a cache and without.

    Return at how many not all get the same, and how many answers came from the cache.
    """
    cache, everybody = SharedCache(), visitors(world, owner)
    differ = 0
    for address in addresses:
        found = {}
        for name in reversed(everybody) if turned else everybody:
            client, headers = everybody[name]
            clear_caches()
            through = cache.get(client, address, headers)
            client.cookies.pop("csrftoken", None)
            assert content(through) == content(client.get(address, headers=headers)), (address, name)
            found[name] = content(through)
        differ += len(set(found.values())) > 1
    return differ, cache.hits


@pytest.mark.long(beside="tests/config/api/test_shared_cache.py::test_what_is_public")
@pytest.mark.parametrize("turned", [False, True], ids=["guests first", "staff first"])
def test_what_depends_on_the_visitor_is_never_that_of_another(world: World, owner: User, turned: bool) -> None:
    mine = f"/api/v1/replays/{world.numbers['rejected']}/"  # only its uploader and staff see it
    differ, hits = differences(world, owner, ("/api/v1/statistics/", "/api/v1/players/", mine), turned=turned)
    assert (differ, hits > 0) == (2, True)  # the uploader and the session of staff; a token has no power of staff


@pytest.mark.long(beside="tests/config/api/test_shared_cache.py::test_what_is_public")
@pytest.mark.parametrize("turned", seeds(True, False))
def test_everybody_gets_through_a_cache_what_they_get_without_one(
    world: World, owner: User, schema: dict[str, Any], turned: bool
) -> None:
    asked = [read.address for read in public_reads(world, schema)]
    lasting = [address for address in asked if not any(part in address for part in _OWN_EACH_TIME)]
    differ, hits = differences(world, owner, lasting, turned=turned)
    assert hits > 30
    assert differ > 10, "everybody gets the same: the test shows nothing"


@pytest.mark.parametrize(
    ("headers", "sets_cookie", "expected"),
    [
        ({}, False, "public, no-cache"),
        ({"HTTP_COOKIE": "sessionid=x"}, False, "private, no-cache"),
        ({"HTTP_COOKIE": "theme=dark"}, False, "private, no-cache"),
        ({"HTTP_AUTHORIZATION": "Bearer x"}, False, "private, no-cache"),
        ({}, True, "private, no-cache"),  # a cache would give the cookie to others
    ],
)
def test_what_is_public(headers: dict[str, str], sets_cookie: bool, expected: str) -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        response = HttpResponse(b"{}", content_type="application/json", headers={"Vary": "Accept-Language, Cookie"})
        if sets_cookie:
            response.cookies = SimpleCookie({"guest": "x"})
        return response

    answer = ApiCachingMiddleware(view)(RequestFactory().get("/api/v1/x/", **headers))  # type: ignore[arg-type]
    assert isinstance(answer, HttpResponse)
    assert answer["Cache-Control"] == expected
    assert ("Cookie" in answer["Vary"]) == expected.startswith("private")


@pytest.mark.parametrize("status", [401, 403, 404, 410, 429, 500, 503])
def test_no_error_is_kept(status: int) -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(b"{}", status=status, content_type="application/problem+json")

    answer = ApiCachingMiddleware(view)(RequestFactory().get("/api/v1/x/"))
    assert isinstance(answer, HttpResponse)
    assert answer["Cache-Control"] == "no-store"
