"""URLs of the REST API of live play, under ``/api/v1/play/``."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
