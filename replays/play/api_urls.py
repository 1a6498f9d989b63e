from __future__ import annotations

from django.urls import URLPattern, path

from replays.play.laying.api import LayingView
from replays.play.rooms import api as rooms
from replays.play.solo.api import LiveGamesView, LiveGameView
from replays.play.tickets_api import TicketsView

urlpatterns: list[URLPattern] = [
    path("rooms/", rooms.RoomsView.as_view(), name="api-rooms"),
    path("rooms/<slug:slug>/", rooms.RoomView.as_view(), name="api-room"),
    path("rooms/<slug:slug>/command/", rooms.RoomCommandView.as_view(), name="api-room-command"),
    path("rooms/<slug:slug>/boards/", rooms.RoomBoardsView.as_view(), name="api-room-boards"),
    path("rooms/<slug:slug>/boards/<int:epoch>/", rooms.RoomBoardView.as_view(), name="api-room-board"),
    path("boards/", rooms.FinishedBoardsView.as_view(), name="api-finished-boards"),
    path("tickets/", TicketsView.as_view(), name="api-play-tickets"),
    path("games/", LiveGamesView.as_view(), name="api-play-games"),
    path("games/<uuid:pk>/", LiveGameView.as_view(), name="api-play-game"),
    path("laying/", LayingView.as_view(), name="api-play-laying"),
]
