"""Addresses of the start page, uploads, replays and the page of a player."""

from __future__ import annotations

from django.urls import path

from replays.views import home, judgements, listing, plain, profile, replay, upload

urlpatterns = [
    path("", home.home, name="home"),
    path("upload/", upload.upload, name="upload"),
    path("upload/status/", upload.upload_status, name="upload-status"),
    path("replays/", listing.replays, name="replays"),
    path("replays/<int:pk>/", replay.replay, name="replay"),
    path("replays/<int:pk>/file", replay.replay_file, name="replay-file"),
    path("replays/<int:pk>.rawvf", replay.replay_rawvf, name="replay-rawvf"),
    path("replays/<int:pk>/rzini/", replay.replay_rzini, name="replay-rzini"),
    path("replays/<int:pk>/delete/", replay.replay_remove, name="replay-delete"),
    path("replays/<int:pk>/judge/", judgements.replay_judgement, name="replay-judge"),
    path("replays/<int:pk>/appeal/", judgements.replay_appeal, name="replay-appeal"),
    path("staff/judgements/", judgements.judgements, name="judgements"),
    path("players/<int:pk>/", profile.player, name="player"),
    path("robots.txt", plain.robots, name="robots"),
    path("favicon.ico", plain.favicon, name="favicon"),
]
