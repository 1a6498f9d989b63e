"""Addresses of accounts, players and boards."""

from __future__ import annotations

from django.contrib.auth.views import LogoutView, PasswordResetDoneView
from django.urls import path
from django.views.decorators.http import require_safe

from players.views import accounts, boards, grid, history, holders, people, records, statistics

urlpatterns = [
    path("leaderboards/", boards.leaderboards, name="leaderboards"),
    path("leaderboards/combined/<str:statistic>/", boards.board_combined, name="board-combined"),
    path("leaderboards/sub/<str:level>/<int:n>/", boards.board_sub, name="board-sub"),
    path("leaderboards/<str:level>/<str:statistic>/", boards.board, name="board"),
    path("leaderboards/<str:level>/<str:statistic>/history/", history.board_history, name="board-history"),
    path("players/", people.players, name="players"),
    path("players/<int:pk>/by-3bv/<str:level>/<str:statistic>/", grid.by_3bv, name="player-by-3bv"),
    path("players/<int:pk>/progress/<str:level>/<str:statistic>/", history.player_progress, name="player-progress"),
    path("records/", records.records, name="records"),
    path("records/holders/", holders.holders, name="record-holders"),
    path("records.atom", require_safe(records.RecordsFeed()), name="records-feed"),
    path("statistics/", statistics.statistics, name="statistics"),
    path("sign-in/", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("account/", accounts.account, name="account"),
    path("account/token/", accounts.token, name="token"),
    path("account/names/", people.claim_name, name="claim-name"),
    path("account/names/<int:pk>/release/", people.release_name, name="release-name"),
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
