from __future__ import annotations

from django.urls import URLPattern, path

from replays.play.laying.views import laying
from replays.play.rooms import views as rooms
from replays.play.solo import views as solo

urlpatterns: list[URLPattern] = [
    path("tools/laying/", laying, name="tool-laying"),
    path("play/", solo.play, name="play"),
    path("play/verify/", solo.verify, name="play-verify"),
    path("play/games/<uuid:pk>/", solo.game, name="play-game"),
    path("play/rooms/", rooms.rooms, name="play-rooms"),
    path("play/rooms/<slug:slug>/", rooms.room, name="play-room"),
    path("play/rooms/<slug:slug>/command/", rooms.command, name="play-room-command"),
    path("play/rooms/<slug:slug>/watch/<int:epoch>/", rooms.watch, name="play-room-watch"),
    path("play/<str:level>/", solo.play_level, name="play-level"),  # behind all others of /play/
]
