"""The ASGI entry point: ``uvicorn config.asgi:application``."""

from __future__ import annotations

import os
from importlib import import_module

from django.core.asgi import get_asgi_application

from config.garbage import OF_PAGES, rarely_collect_garbage

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_asgi_application()
import_module("config.urls")  # every view, which the first visitor would wait for
rarely_collect_garbage(OF_PAGES)
