"""URLs of live play."""

from __future__ import annotations

from django.urls import URLPattern, path

from replays.play.laying.views import laying

urlpatterns: list[URLPattern] = [
    path("tools/laying/", laying, name="tool-laying"),
]
