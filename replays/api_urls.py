"""Addresses of the REST interface of replays, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from replays import api
from replays.chances.api import LuckView, MomentView

urlpatterns = [
    path("replays/", api.ReplaysView.as_view(), name="api-replays"),
    path("replays/status/", api.ReplayStatusView.as_view(), name="api-replay-status"),
    path("replays/<int:pk>/", api.ReplayView.as_view(), name="api-replay"),
    path("replays/<int:pk>/appeal/", api.ReplayAppealView.as_view(), name="api-replay-appeal"),
    path("replays/<int:pk>/file", api.ReplayFileView.as_view(), name="api-replay-file"),
    path("replays/<int:pk>/luck/", LuckView.as_view(), name="api-replay-luck"),
    path("replays/<int:pk>/position/", MomentView.as_view(), name="api-replay-position"),
    path("replays/<int:pk>/rawvf", api.ReplayRawvfView.as_view(), name="api-replay-rawvf"),
]
