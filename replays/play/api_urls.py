"""URLs of the REST API of live play, under ``/api/v1/play/``."""

from __future__ import annotations

from django.urls import URLPattern, path

from replays.play.solo.api import LiveGamesView, LiveGameView
from replays.play.tickets_api import TicketsView

urlpatterns: list[URLPattern] = [
    path("tickets/", TicketsView.as_view(), name="api-play-tickets"),
    path("games/", LiveGamesView.as_view(), name="api-play-games"),
    path("games/<uuid:pk>/", LiveGameView.as_view(), name="api-play-game"),
]
