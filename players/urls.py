"""URLs of accounts, players and boards."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView, PasswordResetDoneView
from django.urls import path
from django.views.decorators.http import require_safe

from players.accounts import views as accounts
from players.claims import views as claims
from players.leaderboards.history import views as history
from players.leaderboards.pages import views as boards
from players.leaderboards.records import views as records
from players.leaderboards.records.feed import RecordsFeed
from players.leaderboards.sub_n import views as sub_n
from players.people import views as people
from players.profile import by_3bv
from players.profile import views as profile
from players.statistics import views as statistics
from players.web.errors import handle_bad_addresses

urlpatterns = [
    path("leaderboards/", boards.leaderboards, name="leaderboards"),
    path("leaderboards/combined/<str:statistic>/", boards.board_combined, name="board-combined"),
    path("leaderboards/sub/<str:level>/<int:n>/", sub_n.board_sub, name="board-sub"),
    path("leaderboards/<str:level>/<str:statistic>/", boards.board, name="board"),
    path("leaderboards/<str:level>/<str:statistic>/history/", history.board_history, name="board-history"),
    path("players/", people.players, name="players"),
    path("players/<int:pk>/", profile.player, name="player"),
    path("players/<int:pk>/by-3bv/<str:level>/<str:statistic>/", by_3bv.by_3bv, name="player-by-3bv"),
    path("players/<int:pk>/progress/<str:level>/<str:statistic>/", history.player_progress, name="player-progress"),
    path("records/", records.records, name="records"),
    path("records/holders/", records.holders, name="record-holders"),
    path("records.atom", require_safe(handle_bad_addresses(RecordsFeed())), name="records-feed"),
    path("statistics/", statistics.statistics, name="statistics"),
    path("sign-in/", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("account/", accounts.account, name="account"),
    path("account/token/", accounts.token, name="token"),
    path("account/names/", claims.claim_name, name="claim-name"),
    path("account/names/<int:pk>/release/", claims.release_name, name="release-name"),
    path("account/password/", accounts.PasswordChange.as_view(), name="password-change"),
    path("password-reset/", accounts.PasswordReset.as_view(), name="password-reset"),
    path(
        "password-reset/sent/",
        PasswordResetDoneView.as_view(template_name="accounts/password_reset_sent.html"),
        name="password-reset-sent",
    ),
    path("password-reset/<uidb64>/<token>/", accounts.PasswordResetConfirm.as_view(), name="password-reset-confirm"),
    path("language/", accounts.language, name="set-language"),
]
