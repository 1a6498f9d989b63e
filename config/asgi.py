"""The ASGI entry point: ``uvicorn config.asgi:application``."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, TypeAlias

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.urls import re_path

from config.http.application import HttpApplication
from players.garbage import OF_PAGES, rarely_collect_garbage

Application: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]


def application_of(handler: WSGIHandler) -> Application:
    from config.http.origins import OriginCheck  # these need the settings and all apps
    from config.monitoring.request_log import SocketLog
    from replays.play.routing import websocket_urlpatterns

    http = HttpApplication(handler)
    routes: list[Any] = [*websocket_urlpatterns, re_path("", WebsocketDenier.as_asgi())]  # type: ignore[arg-type]  # of Channels
    sockets = SocketLog(OriginCheck(URLRouter(routes)), {f"/{route.pattern}" for route in websocket_urlpatterns})

    async def application(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] == "http":
            await http(scope, receive, send)
        elif scope["type"] == "websocket":
            await sockets(scope, receive, send)
        else:
            raise ValueError(f"The site answers to http and websocket, not to {scope['type']}.")

    return application


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = application_of(get_wsgi_application())
import_module("config.urls")  # every view, which the first visitor would wait for
rarely_collect_garbage(OF_PAGES)
# The event loop and the thread of a page take turns many times a request.  With Python's 5 ms each of them waits so long
# for a thread that computes, and ten times as long for ten.
sys.setswitchinterval(0.0005)

from players.web import counters  # noqa: E402 - needs the settings
from replays.play.solo.playing.ending import adopt_abandoned_games  # noqa: E402 - needs all apps

counters.start("web")
adopt_abandoned_games()  # what a process before this one decided while the database was away
