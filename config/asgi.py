"""The ASGI entry point: ``uvicorn config.asgi:application``."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TypeAlias

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from django.core.wsgi import get_wsgi_application

from config.garbage import OF_PAGES, rarely_collect_garbage
from config.http.application import HttpApplication

Receive: TypeAlias = ASGIReceiveCallable
Send: TypeAlias = ASGISendCallable

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_http = HttpApplication(get_wsgi_application())


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a connection; pages and API are all that the site knows."""
    if scope["type"] != "http":
        raise ValueError(f"The site answers to http, not to {scope['type']}.")
    await _http(scope, receive, send)


import_module("config.urls")  # every view, which the first visitor would wait for
rarely_collect_garbage(OF_PAGES)
