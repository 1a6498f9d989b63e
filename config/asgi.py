"""The ASGI entry point: ``uvicorn config.asgi:application``."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from importlib import import_module
from typing import IO, Any, Final, TypeAlias

import django
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import HttpResponseBase
from django.urls import set_script_prefix

from config.garbage import OF_PAGES, rarely_collect_garbage

Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]

#: Requests that are worked on at a time; more wait.  Most of them wait for the database, which has its own limit.
_THREADS: Final = 32
#: A visitor who takes longer than this for a part of a file has gone.
_SEND_SECONDS: Final = 300


class OneThreadHandler(ASGIHandler):
    """Each request in one thread, from its first signal to its last.

    No middleware and no view of the site is asynchronous.  Django's own handler goes from the event loop to a thread
    and back for each signal, for the middlewares and for the end of the answer, and starts that thread anew for each
    request, with a new set of database objects: a fifth of the time of a page.
    """

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="page")

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request; the site knows no other kind of connection."""
        if scope["type"] != "http":
            raise ValueError(f"The site answers to http, not to {scope['type']}.")
        await self.handle(scope, receive, send)

    async def handle(self, scope: Message, receive: Receive, send: Send) -> None:
        """Read the request, leave it to a thread, and send what that thread made of it."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        loop = asyncio.get_running_loop()

        def send_now(message: Message) -> None:
            """Send from a thread, and wait until the visitor has taken it."""
            asyncio.run_coroutine_threadsafe(_awaited(send(message)), loop).result(_SEND_SECONDS)

        # A context of its own: languages, time zones and the like end with the request.
        answer = partial(copy_context().run, self._answer, scope, body, send_now)
        messages = await loop.run_in_executor(self._threads, answer)
        for message in messages:
            await send(message)

    def _answer(self, scope: Message, body: IO[bytes], send_now: Callable[[Message], None]) -> list[Message]:
        """What is left to send; parts of a file have gone out, since their end closes what they come from."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = refusal if request is None else self.get_response(request)
        response._handler_class = self.__class__
        try:
            messages = [_start(response)]
            if response.streaming:
                send_now(messages.pop())
                for part in response:
                    send_now({"type": "http.response.body", "body": part, "more_body": True})
                messages.append({"type": "http.response.body"})
            else:
                messages.append({"type": "http.response.body", "body": response.content})
            return messages
        finally:
            response.close()
            body.close()


async def _awaited(sent: Awaitable[None]) -> None:
    await sent


def _start(response: HttpResponseBase) -> Message:
    headers = [(name.encode("ascii"), value.encode("latin1")) for name, value in response.items()]
    cookies = (cookie.output(header="").strip().encode("ascii") for cookie in response.cookies.values())
    headers += ((b"Set-Cookie", cookie) for cookie in cookies)
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)
application = OneThreadHandler()
import_module("config.urls")  # every view, which the first visitor would wait for
rarely_collect_garbage(OF_PAGES)
