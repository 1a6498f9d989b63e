from __future__ import annotations

from django.urls import path

from players.leaderboards.history import api as history
from players.leaderboards.pages import api as boards
from players.leaderboards.records import api as records
from players.people import api as people
from players.profile.page import api as profile
from players.statistics import api as statistics
from players.web import statistic_names  # noqa: F401 - it registers <statistic:…>

urlpatterns = [
    path("leaderboards/", boards.LeaderboardsView.as_view(), name="api-leaderboards"),
    path("leaderboards/combined/<statistic:statistic>/", boards.CombinedView.as_view(), name="api-board-combined"),
    path(
        "leaderboards/corpses/<str:level>/<statistic:statistic>/",
        boards.CorpsesView.as_view(),
        name="api-board-corpses",
    ),
    path(
        "leaderboards/corpses/<str:level>/<statistic:statistic>/rows.<str:kind>",
        boards.CorpsesRowsView.as_view(),
        name="api-board-corpses-rows",
    ),
    path("leaderboards/sub/<str:level>/<int:n>/", boards.SubView.as_view(), name="api-board-sub"),
    path(
        "leaderboards/combined/<statistic:statistic>/rows.<str:kind>",
        boards.CombinedRowsView.as_view(),
        name="api-board-combined-rows",
    ),
    path(
        "leaderboards/sub/<str:level>/<int:n>/rows.<str:kind>", boards.SubRowsView.as_view(), name="api-board-sub-rows"
    ),
    path(
        "leaderboards/<str:level>/<statistic:statistic>/rows.<str:kind>",
        boards.BoardRowsView.as_view(),
        name="api-board-rows",
    ),
    path("leaderboards/<str:level>/<statistic:statistic>/", boards.LeaderboardView.as_view(), name="api-board"),
    path(
        "leaderboards/<str:level>/<statistic:statistic>/history/",
        history.BoardHistoryView.as_view(),
        name="api-board-history",
    ),
    path("players/", people.PlayersView.as_view(), name="api-players"),
    path("players/<int:pk>/", profile.PlayerView.as_view(), name="api-player"),
    path(
        "players/<int:pk>/ranks/<str:level>/<statistic:statistic>/",
        history.PlayerRanksView.as_view(),
        name="api-player-ranks",
    ),
    path("records/", records.RecordsView.as_view(), name="api-records"),
    path("records/holders/", records.HoldersView.as_view(), name="api-record-holders"),
    path("statistics/", statistics.StatisticsView.as_view(), name="api-statistics"),
]
