from __future__ import annotations

from django.urls import path

from replays.browse.changes.api import ChangesView, EventsView
from replays.browse.data.api import DataView
from replays.browse.lists import api as browse
from replays.browse.search.api import SearchView
from replays.odds.luck.api import LuckView, PositionView
from replays.odds.positions.api import ProbabilityView
from replays.odds.solver_page.api import SolverGameView, SolverMoveView, SolverStagesView
from replays.own.account_deletion.api import AccountExportView
from replays.own.me.api import MeView
from replays.upload.batches import api as uploads
from replays.upload.intake.api import ReplayStatusView
from replays.watch.any_file.api import WatchFileView
from replays.watch.clips.api import ClipView
from replays.watch.film.api import FilmView, OddsView, RouteView, ViewerSettingsView
from replays.watch.review.api import ReviewView

urlpatterns = [
    path("account/export/", AccountExportView.as_view(), name="api-account-export"),
    path("account/viewer/", ViewerSettingsView.as_view(), name="api-viewer-settings"),
    path("me/", MeView.as_view(), name="api-me"),
    path("me/batches/", uploads.BatchesView.as_view(), name="api-me-batches"),
    path("me/batches/<int:pk>/", uploads.BatchView.as_view(), name="api-me-batch"),
    path("me/batches/<int:pk>/files/", uploads.BatchFilesView.as_view(), name="api-me-batch-files"),
    path("me/known-files/", uploads.KnownFilesView.as_view(), name="api-me-known-files"),
    path("me/uploads/", uploads.OwnUploadsView.as_view(), name="api-me-uploads"),
    path("me/uploads/delete/", uploads.OwnUploadsDeleteView.as_view(), name="api-me-uploads-delete"),
    path("changes/", ChangesView.as_view(), name="api-changes"),
    path("events/", EventsView.as_view(), name="api-events"),
    path("data/", DataView.as_view(), name="api-data"),
    path("probability/", ProbabilityView.as_view(), name="api-probability"),
    path("solver/games/", SolverGameView.as_view(), name="api-solver-games"),
    path("solver/moves/", SolverMoveView.as_view(), name="api-solver-moves"),
    path("solver/stages/", SolverStagesView.as_view(), name="api-solver-stages"),
    path("replays/", browse.ReplaysView.as_view(), name="api-replays"),
    path("replays/status/", ReplayStatusView.as_view(), name="api-replay-status"),
    path("replays/<int:pk>/", browse.ReplayView.as_view(), name="api-replay"),
    path("replays/<int:pk>/file", browse.ReplayFileView.as_view(), name="api-replay-file"),
    path("replays/<int:pk>/film/", FilmView.as_view(), name="api-replay-film"),
    path("replays/<int:pk>/clip/", ClipView.as_view(), name="api-replay-clip"),
    path("replays/<int:pk>/route/", RouteView.as_view(), name="api-replay-route"),
    path("replays/<int:pk>/odds/", OddsView.as_view(), name="api-replay-odds"),
    path("replays/<int:pk>/luck/", LuckView.as_view(), name="api-replay-luck"),
    path("replays/<int:pk>/position/", PositionView.as_view(), name="api-replay-position"),
    path("replays/<int:pk>/review/", ReviewView.as_view(), name="api-replay-review"),
    path("replays/<int:pk>/rzini/", browse.ReplayRandomZiniView.as_view(), name="api-replay-rzini"),
    path("search/", SearchView.as_view(), name="api-search"),
    path("watch/", WatchFileView.as_view(), name="api-watch-file"),
    path("replays/<int:pk>/rawvf", browse.ReplayRawvfView.as_view(), name="api-replay-rawvf"),
]
