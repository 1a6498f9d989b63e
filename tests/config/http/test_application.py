"""The ASGI application: reading bodies, refusals, and that slow visitors occupy no thread."""

from __future__ import annotations

import asyncio
import json
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import pytest
import uvicorn
from asgiref.sync import async_to_sync
from django.core.exceptions import PermissionDenied
from django.core.handlers.wsgi import WSGIHandler
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.test import override_settings
from django.urls import path
from django.utils import translation

from analysis.limits import SMALL_BODY_BYTES
from config import urls
from config.asgi import application as asgi
from config.http import application, bodies
from config.http.application import THREADS, HttpApplication
from config.http.lanes import PER_ADDRESS
from players.models import User
from players.web.problems import CONTENT_TYPE
from tests.services import wait_until

threads: list[int] = []
waiting: list[int] = []
slow = threading.Event()
BIG_BYTES = 8 * 1024 * 1024


class RecordsThread:
    """A middleware that records in which thread it runs, before and after."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        threads.append(threading.get_ident())
        response = self.get_response(request)
        threads.append(threading.get_ident())
        return response


def page(request: HttpRequest) -> HttpResponse:
    threads.append(threading.get_ident())
    return HttpResponse(request.body + b"!", status=201)


def big(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"x" * BIG_BYTES)


def waits(_request: HttpRequest, number: int = 0) -> HttpResponse:
    waiting.append(threading.get_ident())
    assert slow.wait(30)
    return HttpResponse("")


def stream(_request: HttpRequest) -> StreamingHttpResponse:
    return StreamingHttpResponse(part for part in (b"one ", b"two"))


def stream_of_rows(_request: HttpRequest) -> StreamingHttpResponse:
    assert not User.objects.exists()
    return StreamingHttpResponse(f"{User.objects.count()} " for _ in range(2))


def endless(_request: HttpRequest) -> StreamingHttpResponse:
    return StreamingHttpResponse(b"x" * 65_536 for _ in range(100_000))


def cookies(_request: HttpRequest) -> HttpResponse:
    response = HttpResponse("ü")
    response.set_cookie("first", "1")
    response.set_cookie("second", "2")
    translation.activate("zh-hans")
    return response


def language(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(translation.get_language())


def refused(_request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def headers(request: HttpRequest, name: str) -> HttpResponse:
    names = ("CONTENT_TYPE", "CONTENT_LENGTH", "HTTP_COOKIE", "HTTP_ACCEPT", "HTTP_X_FORWARDED_PROTO", "REMOTE_ADDR")
    return HttpResponse(json.dumps({name: request.META.get(name) for name in names} | {"name": name}))


urlpatterns = [
    path("page/", page),
    path("big/", big),
    path("waits/", waits),
    path("replays/<int:number>/film", waits),
    path("api/v1/probability/", waits),
    path("watch/", waits),
    path("sign-in/", waits),
    path("static/page/", page),
    path("stream/", stream),
    path("stream-of-rows/", stream_of_rows),
    path("endless/", endless),
    path("refused/", refused),
    path("cookies/", cookies),
    path("language/", language),
    path("headers/<str:name>/", headers),
    *urls.urlpatterns,
]


@pytest.fixture
def handler() -> Iterator[HttpApplication]:
    threads.clear()
    middleware = [
        "django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware", f"{__name__}.RecordsThread", "django.middleware.common.CommonMiddleware",
    ]  # fmt: skip
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=middleware, ALLOWED_HOSTS=["*"]):
        yield HttpApplication(WSGIHandler())


class Exchange:
    """One request to an application, without a server."""

    def __init__(self, method: str, address: str, *more_headers: tuple[bytes, bytes]) -> None:
        self.scope: Any = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": address,
            "query_string": b"", "headers": [(b"host", b"localhost"), *more_headers], "scheme": "http",
            "server": ("localhost", 80), "client": ("192.0.2.7", 1234),
        }  # fmt: skip
        self.incoming: list[Any] = []
        self.sent: list[Any] = []

    def run(self, handler: Any, *parts: bytes, ends: bool = True) -> Exchange:
        """Send ``parts`` of a body (``ends``: the whole body; else the sender leaves after them)."""
        last = len(parts) - 1
        self.incoming = [
            {"type": "http.request", "body": part, "more_body": number < last or not ends}
            for number, part in enumerate(parts)
        ]
        self.incoming.append({"type": "http.disconnect"})
        async_to_sync(handler)(self.scope, self._receive, self._send)
        return self

    async def _receive(self) -> Any:
        return self.incoming.pop(0)

    async def _send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        return list(self.sent[0]["headers"])

    @property
    def body(self) -> bytes:
        return b"".join(message["body"] for message in self.sent[1:])


def get(handler: Any, address: str, *more_headers: tuple[bytes, bytes]) -> Exchange:
    return Exchange("GET", address, *more_headers).run(handler, b"")


ERRORS: Final = (
    ("POST", "/api/v1/docs/", 403), ("DELETE", "/api/v1/docs/errors/", 403), ("HEAD", "/api/v1/nothing/", 404),
    ("GET", "/api/v1/nothing/", 404), ("PATCH", "/api/v1/statistics/", 405), ("POST", "/api/v1/play/tickets/", 400),
)  # fmt: skip


@pytest.mark.parametrize(("method", "address", "status"), ERRORS)
def test_the_length_of_an_error_of_the_api_is_that_of_its_body(
    db: None, settings: Any, method: str, address: str, status: int
) -> None:
    """The server drops the connection if the two differ."""
    settings.ALLOWED_HOSTS = ["*"]
    for more in ((), ((b"accept-encoding", b"gzip"),)):
        answer = Exchange(method, address, (b"content-type", b"application/json"), *more).run(asgi, b"{")
        found = dict(answer.headers)
        assert answer.status == status
        assert found[b"content-type"] == CONTENT_TYPE.encode()
        if method != "HEAD":
            assert int(found[b"content-length"]) == len(answer.body) > 0


# --- answers ----------------------------------------------------------------------------------------------------------


def test_a_request_is_answered_in_one_thread_beside_the_event_loop(handler: HttpApplication) -> None:
    answer = Exchange("POST", "/page/").run(handler, b"Hel", b"lo")
    assert (answer.status, answer.body) == (201, b"Hello!")
    assert len(threads) == 3
    assert len(set(threads)) == 1
    assert threading.get_ident() not in threads


def test_every_kind_of_answer(handler: HttpApplication) -> None:
    assert (get(handler, "/stream/").status, get(handler, "/stream/").body) == (200, b"one two")
    assert get(handler, "/refused/").status == 403
    assert get(handler, "/not/here/").status == 404


def test_headers_and_cookies_go_out(handler: HttpApplication) -> None:
    sent = get(handler, "/cookies/").headers
    assert (b"content-length", b"2") in sent
    assert [value.partition(b";")[0] for name, value in sent if name == b"set-cookie"] == [b"first=1", b"second=2"]


def test_headers_come_in_as_wsgi_has_them(handler: HttpApplication) -> None:
    answer = get(
        handler, "/headers/雷/", (b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"accept", b"x"), (b"accept", b"y"),
        (b"content-type", b"text/x"), (b"content-length", b"999"), (b"x_forwarded_proto", b"https"),
    )  # fmt: skip
    assert json.loads(answer.body) == {
        "CONTENT_TYPE": "text/x", "CONTENT_LENGTH": "0", "HTTP_COOKIE": "a=1; b=2", "HTTP_ACCEPT": "x,y",
        "HTTP_X_FORWARDED_PROTO": None, "REMOTE_ADDR": "192.0.2.7", "name": "雷",
    }  # fmt: skip


def test_nothing_of_a_request_is_left_for_the_next(handler: HttpApplication) -> None:
    before = get(handler, "/language/").body
    for _ in range(3):
        get(handler, "/cookies/")
        assert get(handler, "/language/").body == before != b"zh-hans"


def test_other_connections_are_refused() -> None:
    async def nothing(*_message: Any) -> Any:
        raise AssertionError("nothing is read or sent")

    with pytest.raises(ValueError, match="lifespan"):
        async_to_sync(asgi)({"type": "lifespan"}, nothing, nothing)


# --- bodies -----------------------------------------------------------------------------------------------------------


def test_a_visitor_who_leaves_while_sending_gets_no_answer(handler: HttpApplication) -> None:
    assert Exchange("POST", "/page/").run(handler, b"Hel", ends=False).sent == []
    assert not threads


SMALL = b"x" * SMALL_BODY_BYTES
LENGTHS = [b"99999999999", b"131073", b"9" * 5_000]


@pytest.mark.parametrize("length", LENGTHS, ids=len)
@pytest.mark.parametrize("address", ["/page/", "/upload/x/", "/api/v1/probability/", "/api/v1/players"])
def test_a_large_body_is_refused_where_none_is_wanted(handler: HttpApplication, address: str, length: bytes) -> None:
    answer = Exchange("POST", address, (b"content-length", length)).run(handler, b"x", ends=False)
    assert answer.status == 413
    assert b"131072 bytes" in answer.body
    if address.startswith("/api/"):
        assert json.loads(answer.body)["code"] == "body_too_large"
    assert not threads


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/upload/", "/api/v1/replays/"])
@pytest.mark.parametrize("announced", [True, False])
def test_a_stranger_cannot_send_a_large_body(handler: HttpApplication, address: str, announced: bool) -> None:
    """Neither with a length nor in chunks: what is beyond the small body is not read."""
    length = [(b"content-length", b"1000000")] if announced else []
    exchange = Exchange("POST", address, *length)
    parts = [SMALL, *[b"x" * 65_536] * 100]
    assert exchange.run(handler, *parts).status == 401
    assert len(exchange.incoming) > 90, "read and thrown away"


@pytest.mark.django_db
def test_who_may_upload_sends_large_bodies_up_to_the_limit(
    handler: HttpApplication, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "_file_refusal", lambda _scope: None)
    monkeypatch.setattr("analysis.limits.ARCHIVE_MAX_BYTES", 2 * 1024 * 1024)
    most = 3 * 1024 * 1024
    parts = [b"x" * 65_536] * (most // 65_536)
    assert (
        Exchange("POST", "/upload/").run(handler, *parts).status == 302
    )  # to the page for signing in: the body was read
    assert Exchange("POST", "/upload/").run(handler, *parts, b"x").status == 413
    assert Exchange("POST", "/upload/", (b"content-length", b"%d" % (most + 1))).run(handler, b"").status == 413
    assert Exchange("POST", "/upload/").run(handler, SMALL + b"x").status == 302, "longer, and complete at once"


def test_a_refused_body_is_thrown_away_only_for_a_while(
    handler: HttpApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "_DRAIN_SECONDS", 0.05)

    async def never(*_args: Any) -> Any:
        await asyncio.sleep(60)

    exchange = Exchange("POST", "/page/", (b"content-length", b"1000000"))
    async_to_sync(handler)(exchange.scope, never, exchange._send)
    assert exchange.status == 413


def test_who_sends_nothing_for_long_has_gone(handler: HttpApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_IDLE_SECONDS", 0.05)

    async def never(*_args: Any) -> Any:
        await asyncio.sleep(60)

    exchange = Exchange("POST", "/page/")
    async_to_sync(handler)(exchange.scope, never, exchange._send)
    assert exchange.sent == []


class FreshThreads(ThreadPoolExecutor):
    """Every call has a thread of its own, as on a site with many visitors."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with ThreadPoolExecutor(1) as one:
            return one.submit(function, *args, **kwargs)


@pytest.mark.django_db(transaction=True)
def test_a_streamed_answer_leaves_no_connection_in_any_thread(handler: HttpApplication) -> None:
    """The pool has fewer connections than there are threads: one that a thread keeps is missing to the others."""
    opened: list[BaseDatabaseWrapper] = []
    handler._threads = FreshThreads()

    def remember(connection: BaseDatabaseWrapper, **_kwargs: object) -> None:
        opened.append(connection)

    connection_created.connect(remember)
    try:
        assert get(handler, "/stream-of-rows/").body == b"0 0 "
    finally:
        connection_created.disconnect(remember)
    assert len(opened) > 1
    assert [one.connection for one in opened] == [None] * len(opened)


# --- slow visitors, through a real server -----------------------------------------------------------------------------


@pytest.fixture
def port(handler: HttpApplication) -> Iterator[int]:
    """A web server with ``handler``."""
    server = uvicorn.Server(uvicorn.Config(handler, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = server.force_exit = True
    thread.join()


def connect(port: int, request: bytes) -> socket.socket:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.settimeout(30)
    sock.connect(("127.0.0.1", port))
    sock.sendall(request)
    return sock


def answer_of(port: int, address: str) -> bytes:
    with connect(port, f"GET {address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()) as sock:
        return b"".join(iter(lambda: sock.recv(65_536), b""))


@pytest.mark.parametrize("address", [b"/big/", b"/endless/"])
def test_visitors_who_do_not_read_hold_no_thread(port: int, address: bytes) -> None:
    """More of them than there are threads: the next visitor is answered at once."""
    silent = [connect(port, b"GET " + address + b" HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(THREADS + 8)]
    try:
        for sock in silent:
            assert sock.recv(12) == b"HTTP/1.1 200"  # each is being answered
        assert answer_of(port, "/page/").endswith(b"!")
    finally:
        for sock in silent:
            sock.close()


def test_half_open_bodies_hold_no_thread(port: int) -> None:
    head = b"POST /page/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf"
    silent = [connect(port, head) for _ in range(500)]
    try:
        assert answer_of(port, "/page/").endswith(b"!")
        silent[0].sendall(b"x" * 996)
        assert silent[0].recv(12) == b"HTTP/1.1 201"
    finally:
        for sock in silent:
            sock.close()


@pytest.mark.skipif(sys.platform != "linux", reason="needs more addresses of this machine")
def test_many_addresses_together_get_one_computed_answer_at_a_time(port: int) -> None:
    """Films, positions and files to watch wait for each other, and a page waits for none of them."""
    slow.clear()
    waiting.clear()
    senders = []
    targets = (b"GET /api/v1/probability/", b"GET /replays/1/film", b"POST /watch/")
    try:
        for number in range(30):
            sender = socket.create_connection(
                ("127.0.0.1", port), timeout=20, source_address=(f"127.0.1.{number + 1}", 0)
            )
            senders.append(sender)
            sender.sendall(targets[number % 3] + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_until(lambda: len(waiting) == 1, seconds=20, every=0.01)
        assert answer_of(port, "/page/").endswith(b"!")
        assert len(waiting) == 1
        slow.set()
        for sender in senders:
            assert sender.recv(12) == b"HTTP/1.1 200"
        assert len(waiting) == 30
    finally:
        slow.set()
        for sender in senders:
            sender.close()


def test_pages_of_an_address_wait_for_nothing_that_it_has_computed(port: int) -> None:
    """Ten people compute behind one address; files and pages of an eleventh are served meanwhile, and a dear one."""
    slow.clear()
    waiting.clear()
    senders = [connect(port, b"GET /replays/1/film HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(10)]
    try:
        wait_until(lambda: len(waiting) == 1, seconds=20, every=0.01)
        for address in ("/page/", "/page/?q=1", "/static/page/"):
            assert answer_of(port, address).endswith(b"!")
        assert len(waiting) == 1
    finally:
        slow.set()
        for sender in senders:
            assert sender.recv(12) == b"HTTP/1.1 200"
            sender.close()


def test_an_address_tries_one_password_and_another_one_waits(port: int) -> None:
    """The others are refused at once; no thread waits for any of them."""
    slow.clear()
    waiting.clear()
    senders = [connect(port, b"POST /sign-in/ HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(10)]
    try:
        wait_until(lambda: len(waiting) == 1, seconds=20, every=0.01)
        refused = [one for one in (next_refusal(senders) for _ in range(8)) if one]
        assert len(refused) == 8
        assert len(waiting) == 1
        slow.set()
        assert sorted(sender.recv(12) for sender in senders if sender not in refused) == [b"HTTP/1.1 200"] * 2
    finally:
        slow.set()
        for sender in senders:
            sender.close()


def next_refusal(senders: list[socket.socket]) -> socket.socket | None:
    for sender in select.select(senders, [], [], 20)[0]:
        answer = sender.recv(4096)
        assert answer.startswith(b"HTTP/1.1 429")
        assert b"retry-after: 2" in answer
        senders.remove(sender)
        sender.close()
        return sender
    return None


def test_the_event_loop_hardly_waits_for_a_page_that_computes() -> None:
    """It hands over to threads and back many times a request, and each time waits for a thread that computes."""
    assert sys.getswitchinterval() < 0.001


@pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of this machine")
def test_one_address_takes_few_threads(port: int) -> None:
    """Forty requests of one address wait for their turn; another address is answered beside them."""
    slow.clear()
    waiting.clear()
    senders = [connect(port, b"GET /waits/ HTTP/1.1\r\nHost: x\r\n\r\n") for _ in range(THREADS + 8)]
    try:
        wait_until(lambda: len(waiting) == PER_ADDRESS, seconds=20, every=0.01)
        with socket.create_connection(("127.0.0.1", port), timeout=20, source_address=("127.0.0.2", 0)) as other:
            other.sendall(b"GET /page/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert other.recv(12) == b"HTTP/1.1 201"
        assert len(waiting) == PER_ADDRESS
        slow.set()
        for sender in senders:
            assert sender.recv(12) == b"HTTP/1.1 200"
        assert len(waiting) == len(senders)
    finally:
        slow.set()
        for sender in senders:
            sender.close()
