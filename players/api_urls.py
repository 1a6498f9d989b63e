"""Addresses of the REST interface of boards, players and statistics, under ``/api/v1/``."""

from __future__ import annotations

from django.urls import path

from players import api

urlpatterns = [
    path("leaderboards/", api.LeaderboardsView.as_view(), name="api-leaderboards"),
    path("leaderboards/combined/<str:statistic>/", api.CombinedView.as_view(), name="api-board-combined"),
    path("leaderboards/sub/<str:level>/<int:n>/", api.SubView.as_view(), name="api-board-sub"),
    path("leaderboards/<str:level>/<str:statistic>/", api.LeaderboardView.as_view(), name="api-board"),
    path("leaderboards/<str:level>/<str:statistic>/history/", api.BoardHistoryView.as_view(), name="api-board-history"),
    path("players/", api.PlayersView.as_view(), name="api-players"),
    path("players/<int:pk>/", api.PlayerView.as_view(), name="api-player"),
    path("players/<int:pk>/by-3bv/<str:level>/<str:statistic>/", api.By3bvView.as_view(), name="api-player-by-3bv"),
    path(
        "players/<int:pk>/progress/<str:level>/<str:statistic>/",
        api.PlayerProgressView.as_view(),
        name="api-player-progress",
    ),
    path("players/<int:pk>/ranks/<str:level>/<str:statistic>/", api.PlayerRanksView.as_view(), name="api-player-ranks"),
    path("records/", api.RecordsView.as_view(), name="api-records"),
    path("records/holders/", api.HoldersView.as_view(), name="api-record-holders"),
    path("statistics/", api.StatisticsView.as_view(), name="api-statistics"),
]
