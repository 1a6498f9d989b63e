"""The handler of the web server: everything of a request in one thread, and every kind of answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.test import override_settings
from django.urls import path

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
        yield b"one "
        yield b"two"

    return StreamingHttpResponse(parts())


def refused(_request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


urlpatterns = [path("page/", page), path("stream/", stream), path("refused/", refused), *urls.urlpatterns]


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


def ask(handler: OneThreadHandler, address: str, body: bytes = b"") -> tuple[int, bytes, int]:
    """Status, body and the thread of the event loop."""

    async def asked() -> tuple[int, bytes, int]:
        scope: dict[str, Any] = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": address,
            "query_string": b"", "headers": [(b"host", b"localhost")], "scheme": "http", "server": ("localhost", 80),
        }  # fmt: skip
        communicator: Any = ApplicationCommunicator  # it has no types
        server = communicator(handler, scope)
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


@pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume synchronous iterators")
def test_every_kind_of_answer(handler: OneThreadHandler) -> None:
    assert ask(handler, "/stream/")[:2] == (200, b"one two")
    assert ask(handler, "/refused/")[0] == 403
    assert ask(handler, "/not/here/")[0] == 404
