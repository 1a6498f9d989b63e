"""The WSGI entry point: ``gunicorn config.wsgi:application``."""

from __future__ import annotations

import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

from config.garbage import OF_PAGES, rarely_collect_garbage

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
import_module("config.urls")  # every view, which the first visitor would wait for
rarely_collect_garbage(OF_PAGES)
