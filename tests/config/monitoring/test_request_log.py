"""One line a request: whose, which, how long; with the address of the visitor, and without any secret."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from pytest_django import Settings

from config.asgi import application as asgi
from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from players.web import counters
from tests.config.http.test_application import Exchange, get
from tests.config.monitoring.conftest import Lines
from tests.replays.conftest import Ingest
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db(transaction=True)

REQUESTS = "sweepbook.requests"


def header(answer: Exchange, name: bytes) -> str:
    [value] = [value for found, value in answer.headers if found == name]
    return value.decode()


def line_of(lines: Lines) -> dict[str, Any]:
    [line] = lines.of(REQUESTS)
    lines.texts.clear()
    return line


def test_a_request_has_one_line(lines: Lines) -> None:
    answer = get(asgi, "/statistics/")
    line = line_of(lines)
    assert (line["method"], line["route"], line["status"], line["level"]) == ("GET", "/statistics/", 200, "INFO")
    assert line["ms"] > 0
    assert line["request_id"] == header(answer, b"x-request-id")
    assert re.fullmatch(r"[0-9a-f]{32}", line["request_id"])


def test_replay_and_account_are_named(lines: Lines, ingest: Ingest, owner: User, owner_client: Client) -> None:
    replay = ingest(game_file(1), uploader=owner)
    lines.texts.clear()
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in owner_client.cookies.items()).encode()
    get(asgi, f"/replays/{replay.pk}/", (b"cookie", cookie))
    line = line_of(lines)
    assert (line["route"], line["replay"], line["account"]) == ("/replays/<int:pk>/", replay.pk, owner.pk)
    _token, key = token_create(owner, "bot", [Scope.READ])
    get(asgi, f"/api/v1/replays/{replay.pk}/", (b"authorization", f"Bearer {key}".encode()))
    line = line_of(lines)
    assert (line["route"], line["replay"], line["account"]) == ("/api/v1/replays/<int:pk>/", replay.pk, owner.pk)
    get(asgi, f"/replays/{replay.pk}/")
    assert "account" not in line_of(lines)


def test_the_id_of_the_proxy_is_kept(lines: Lines) -> None:
    answer = get(asgi, "/robots.txt", (b"x-request-id", b"0a1B-2c.d_3"))
    assert line_of(lines)["request_id"] == header(answer, b"x-request-id") == "0a1B-2c.d_3"


@pytest.mark.parametrize(
    "given", [b"", b"a b", b'x","level":"ERROR', b"a\r\nSet-Cookie: x=1", b"x" * 65, "雷".encode()]
)
def test_an_id_that_is_no_word_is_replaced(lines: Lines, given: bytes) -> None:
    answer = get(asgi, "/robots.txt", (b"x-request-id", given))
    assert re.fullmatch(r"[0-9a-f]{32}", header(answer, b"x-request-id"))
    assert line_of(lines)["request_id"] == header(answer, b"x-request-id")


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [(0, "198.51.100.9", "192.0.2.7"), (1, "203.0.113.1, 198.51.100.9", "198.51.100.9"), (1, "", "192.0.2.7"),
     (2, "127.0.0.1, 198.51.100.9, 10.0.0.1", "198.51.100.9")],
)  # fmt: skip
def test_the_address_is_that_of_the_visitor(
    lines: Lines, settings: Settings, proxies: int, forwarded: str, address: str
) -> None:
    settings.NUM_PROXIES = proxies
    get(asgi, "/robots.txt", *([(b"x-forwarded-for", forwarded.encode())] if forwarded else []))
    assert line_of(lines)["address"] == address


def test_a_refused_body_has_a_line_with_its_problem(lines: Lines) -> None:
    counters.forget()
    Exchange("POST", "/statistics/", (b"content-length", b"99999999")).run(asgi, b"x")
    line = line_of(lines)
    assert (line["status"], line["problem"], line["method"]) == (413, "body_too_large", "POST")
    assert counters.REGISTRY.get_sample_value("sweepbook_refusals_total", {"reason": "body_too_large"}) == 1


def test_a_problem_of_the_api_is_named(lines: Lines) -> None:
    asked = Exchange("GET", "/api/v1/replays/")
    asked.scope["query_string"] = b"size=x"
    asked.run(asgi, b"")
    assert line_of(lines)["problem"] == "bad_parameter"
    get(asgi, "/nothing/here/")
    line = line_of(lines)
    assert (line["problem"], line["route"]) == ("404", "none")


def test_who_goes_before_the_answer_is_gone(lines: Lines) -> None:
    Exchange("POST", "/statistics/").run(asgi, b"x", ends=False)
    assert line_of(lines)["status"] == 499


SECRET = "Qw7" * 14
ASKED = (
    ("/replays/", f"token={SECRET}&key={SECRET}"),
    (f"/accounts/password/reset/key/1-{SECRET}/", ""),
    (f"/accounts/confirm-email/{SECRET}/", ""),
    ("/nothing/", f"password={SECRET}"),
    ("/api/v1/replays/", f"cursor={SECRET}"),
    (f"/accounts/password/reset/key/1-{SECRET}/nothing", f"x={SECRET}"),
)


@pytest.mark.parametrize(("path", "query"), ASKED)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_line_has_a_secret(lines: Lines, path: str, query: str, method: str) -> None:
    """Tokens, cookies, keys in paths and queries: in no line of any logger, whatever becomes of the request."""
    asked = Exchange(
        method, path, (b"authorization", f"Bearer swb_{SECRET}".encode()), (b"referer", f"http://x/?t={SECRET}".encode()),
        (b"cookie", f"sessionid={SECRET}; csrftoken={SECRET}; play_guest={SECRET}".encode()),
        (b"x-csrftoken", SECRET.encode()), (b"content-type", b"application/x-www-form-urlencoded"),
    )  # fmt: skip
    asked.scope["query_string"] = query.encode()
    asked.run(asgi, f"password={SECRET}&csrfmiddlewaretoken={SECRET}".encode() if method == "POST" else b"")
    assert lines.of(REQUESTS)
    assert [text for text in lines.texts if SECRET in text] == []


def test_strangers_cannot_make_series(lines: Lines) -> None:
    """Paths, methods, hosts, statuses and ids are chosen by whoever asks; labels are not."""
    get(asgi, "/nothing/")
    Exchange("HACK", "/nothing/").run(asgi, b"")
    get(asgi, "/replays/1/")
    before = len(counters._series)
    for number in range(60):
        asked = Exchange(f"X{number}", f"/nothing/{number}/", (b"x-request-id", f"id{number}".encode()))
        asked.scope["query_string"] = f"format=x{number}".encode()
        asked.run(asgi, b"")
        get(asgi, f"/replays/{10**6 + number}/")
    after = len(counters._series)
    assert after - before < 10, sorted(counters._series)


def sockets() -> float:
    return counters.REGISTRY.get_sample_value("sweepbook_sockets", {"kind": counters._kind}) or 0.0


def test_sockets_have_a_line_and_are_counted(lines: Lines) -> None:
    seen: list[float] = []
    incoming = [{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1001}]

    async def receive() -> Any:
        await asyncio.sleep(0)
        seen.append(sockets())
        return incoming.pop(0)

    async def send(message: Any) -> None:
        """Nobody reads it."""

    scope = {
        "type": "websocket", "path": "/ws/play/solo/", "query_string": b"", "client": ("192.0.2.7", 1), "subprotocols": [],
        "headers": [(b"host", b"localhost"), (b"origin", b"http://localhost")],
    }  # fmt: skip
    before = sockets()
    async_to_sync(asgi)(scope, receive, send)
    [line] = lines.of(REQUESTS)
    assert (line["route"], line["code"], line["address"]) == ("/ws/play/solo/", 1001, "192.0.2.7")
    assert seen[0] == before + 1
    assert sockets() == before


def test_a_request_does_not_keep_the_patterns_before_its_own(client: Client) -> None:
    """160 lists, which were most of what a request leaves to the garbage collector, and a listener keeps for an hour."""
    match = client.get("/api/v1/changes/").wsgi_request.resolver_match
    assert match is not None
    assert match.tried is None
