"""URLs of the REST API of live play, under ``/api/v1/play/``."""

from __future__ import annotations

from django.urls import URLPattern, path

from replays.play.tickets_api import TicketsView

urlpatterns: list[URLPattern] = [
    path("tickets/", TicketsView.as_view(), name="api-play-tickets"),
]
