"""URLs of live play."""

from __future__ import annotations

from django.urls import URLPattern, path

from replays.play.solo import views as solo

urlpatterns: list[URLPattern] = [
    path("play/", solo.play, name="play"),
    path("play/verify/", solo.verify, name="play-verify"),
    path("play/games/<uuid:pk>/", solo.game, name="play-game"),
    path("play/<str:level>/", solo.play_level, name="play-level"),  # behind all others of /play/
]
