"""The handler of the web server: everything of a request in one thread, and every kind of answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.core.exceptions import PermissionDenied
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.test import override_settings
from django.urls import path
from django.utils import translation

from config import urls
from config.asgi import OneThreadHandler

threads: list[int] = []


class Noting:
    """A middleware that notes in which thread it runs, before and after."""

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


def stream(_request: HttpRequest) -> StreamingHttpResponse:
    def parts() -> Iterator[bytes]:
        threads.append(threading.get_ident())
        yield b"one "
        threads.append(threading.get_ident())
        yield b"two"

    return StreamingHttpResponse(parts())


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


urlpatterns = [
    path("page/", page),
    path("stream/", stream),
    path("refused/", refused),
    path("cookies/", cookies),
    path("language/", language),
    *urls.urlpatterns,
]


@pytest.fixture
def handler() -> Iterator[OneThreadHandler]:
    middleware = [
        "django.contrib.messages.middleware.MessageMiddleware",
        f"{__name__}.Noting",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
        f"{__name__}.Noting",
        "django.middleware.common.CommonMiddleware",
    ]
    sessions = ["django.contrib.sessions.middleware.SessionMiddleware"]
    threads.clear()
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=sessions + middleware, ALLOWED_HOSTS=["*"]):
        yield OneThreadHandler()


def connected(handler: OneThreadHandler, address: str) -> Any:
    scope: dict[str, Any] = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": address,
        "query_string": b"", "headers": [(b"host", b"localhost")], "scheme": "http", "server": ("localhost", 80),
    }  # fmt: skip
    communicator: Any = ApplicationCommunicator  # it has no types
    return communicator(handler, scope)


def started(handler: OneThreadHandler, address: str) -> dict[str, Any]:
    """Status and headers."""

    async def asked() -> dict[str, Any]:
        server = connected(handler, address)
        await server.send_input({"type": "http.request", "body": b"", "more_body": False})
        start: dict[str, Any] = await server.receive_output(10)
        await server.receive_output(10)
        await server.wait(10)
        return start

    return async_to_sync(asked)()


def ask(handler: OneThreadHandler, address: str, body: bytes = b"") -> tuple[int, bytes, int]:
    """Status, body and the thread of the event loop."""

    async def asked() -> tuple[int, bytes, int]:
        server = connected(handler, address)
        await server.send_input({"type": "http.request", "body": body, "more_body": False})
        start = await server.receive_output(10)
        received = b""
        while True:
            message = await server.receive_output(10)
            received += message.get("body", b"")
            if not message.get("more_body"):
                break
        await server.wait(10)
        return start["status"], received, threading.get_ident()

    return async_to_sync(asked)()


def test_a_request_stays_in_one_thread(handler: OneThreadHandler) -> None:
    status, body, loop = ask(handler, "/page/", b"Hello")
    assert (status, body) == (201, b"Hello!")
    assert len(threads) == 5
    assert len(set(threads)) == 1
    assert loop not in threads, "the event loop must be free for others"


def test_every_kind_of_answer(handler: OneThreadHandler) -> None:
    assert ask(handler, "/stream/")[:2] == (200, b"one two")
    assert ask(handler, "/refused/")[0] == 403
    assert ask(handler, "/not/here/")[0] == 404


def test_a_stream_stays_in_the_thread_of_its_request(handler: OneThreadHandler) -> None:
    """What it reads, as a connection to the database, belongs to that thread and is closed there."""
    *_answer, loop = ask(handler, "/stream/")
    assert len(threads) == 6
    assert len(set(threads)) == 1
    assert loop not in threads


def test_signals_come_from_the_thread_of_the_request(handler: OneThreadHandler) -> None:
    def note(**_told: Any) -> None:
        threads.append(threading.get_ident())

    for signal in (request_started, request_finished):
        signal.connect(note)
    try:
        ask(handler, "/page/")
    finally:
        for signal in (request_started, request_finished):
            signal.disconnect(note)
    assert len(threads) == 7
    assert len(set(threads)) == 1


def test_headers_and_cookies_go_out(handler: OneThreadHandler) -> None:
    start = started(handler, "/cookies/")
    headers = start["headers"]
    assert (b"Content-Length", b"2") in headers
    assert [value.partition(b";")[0] for name, value in headers if name == b"Set-Cookie"] == [b"first=1", b"second=2"]


def test_nothing_of_a_request_is_left_for_the_next(handler: OneThreadHandler) -> None:
    before = ask(handler, "/language/")[1]
    for _ in range(3):
        ask(handler, "/cookies/")
        assert ask(handler, "/language/")[1] == before != b"zh-hans"


def test_a_visitor_who_leaves_while_sending_gets_no_answer(handler: OneThreadHandler) -> None:
    async def asked() -> bool:
        server = connected(handler, "/page/")
        await server.send_input({"type": "http.request", "body": b"Hel", "more_body": True})
        await server.send_input({"type": "http.disconnect"})
        await server.wait(10)
        nothing: bool = await server.receive_nothing()
        return nothing

    assert async_to_sync(asked)()
    assert not threads


def test_other_connections_are_refused(handler: OneThreadHandler) -> None:
    async def nothing(*_message: Any) -> Any:
        raise AssertionError("nothing is read or sent")

    with pytest.raises(ValueError, match="websocket"):
        async_to_sync(handler)({"type": "websocket"}, nothing, nothing)
