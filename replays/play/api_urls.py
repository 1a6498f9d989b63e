"""URLs of the REST API of live play, under ``/api/v1/play/``."""

from __future__ import annotations

from django.urls import URLPattern, path

from replays.play.solo.api import LiveGamesView, LiveGameView

urlpatterns: list[URLPattern] = [
    path("games/", LiveGamesView.as_view(), name="api-play-games"),
    path("games/<uuid:pk>/", LiveGameView.as_view(), name="api-play-game"),
]
