"""The ASGI entry point: ``uvicorn config.asgi:application``."""

from __future__ import annotations

import os
from importlib import import_module

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBase

from config.garbage import OF_PAGES, rarely_collect_garbage


class OneThreadHandler(ASGIHandler):
    """Each request in one thread, from the first middleware to the last.

    No middleware and no view of the site is asynchronous.  Django's own handler asks each middleware that could be, and
    so goes back and forth between the event loop and the thread of the request: a twentieth of the time of a page.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Answer ``request`` in its thread."""
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)
application = OneThreadHandler()
import_module("config.urls")  # every view, which the first visitor would wait for
rarely_collect_garbage(OF_PAGES)
