"""A response that goes on: server-sent events, which the event loop sends and no thread waits for."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Final

from django.http import HttpResponse
from rest_framework.renderers import BaseRenderer

CONTENT_TYPE: Final = "text/event-stream"


class EventRenderer(BaseRenderer):
    """Lets a program ask for events by ``Accept``; it writes nothing itself."""

    media_type = CONTENT_TYPE
    format = "events"

    def render(self, data: object, *_args: object, **_options: object) -> bytes:
        raise NotImplementedError("an EventStream is no response of the framework")


class EventStream(HttpResponse):
    """Headers now, and the parts of the body as ``parts()`` yields them in the event loop (``config.http.application``).

    Under a server that is not ours (``runserver``) the body stays empty, and the browser tries again.
    """

    def __init__(self, parts: Callable[[], AsyncGenerator[bytes]]) -> None:
        super().__init__(content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self.parts = parts
