from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_safe
from django.views.generic.base import RedirectView

from players.accounts import views as accounts
from players.accounts.claims import views as claims
from players.leaderboards.history import views as history
from players.leaderboards.pages import views as boards
from players.leaderboards.records import views as records
from players.leaderboards.records.feed import RecordsFeed
from players.profile.charts import views as charts
from players.profile.page import by_3bv, versus
from players.profile.page import views as profile
from players.profile.page.records import views as player_records
from players.profile.top_lists import player_list
from players.profile.top_lists import views as rankings
from players.statistics import views as statistics
from players.tokens import views as tokens
from players.web import statistic_names  # noqa: F401 - it registers <statistic:…>
from players.web.errors import handle_bad_addresses

urlpatterns = [
    path("leaderboards/", records.leaderboards, name="leaderboards"),
    path("leaderboards/countries/<str:level>/<statistic:statistic>/", rankings.countries, name="board-countries"),
    path("leaderboards/improvements/<str:level>/", rankings.improvement_list, name="improvements"),
    path("leaderboards/columns/", boards.remember_columns, name="board-columns"),
    path("leaderboards/combined/<statistic:statistic>/", boards.board_page, name="board-combined"),
    path(
        "leaderboards/corpses/<str:level>/<statistic:statistic>/",
        boards.board_page,
        {"lost": True},
        name="board-corpses",
    ),
    path("leaderboards/sub/<str:level>/<int:n>/", boards.board_page, name="board-sub"),
    path("leaderboards/<str:level>/<statistic:statistic>/", boards.board_page, name="board"),
    path("leaderboards/<str:level>/<statistic:statistic>/history/", history.board_history, name="board-history"),
    path("players/", player_list.players, name="players"),
    path("players/<int:pk>/", profile.player, name="player"),
    path("players/<int:pk>/records/", player_records.player_records, name="player-records"),
    path("players/<int:pk>/charts/", profile.player_charts, name="player-charts"),
    path("players/<int:pk>/games/", profile.player_games, name="player-games"),
    path("players/<int:pk>/versus/", versus.rivals, name="player-rivals"),
    path("players/<int:pk>/charts/<str:name>/", charts.chart, name="player-chart"),
    path("players/<int:pk>/versus/<int:other>/", versus.versus, name="player-versus"),
    path("players/<int:pk>/by-3bv/<str:level>/<statistic:statistic>/", by_3bv.by_3bv, name="player-by-3bv"),
    path(
        "players/<int:pk>/progress/<str:level>/<statistic:statistic>/", history.player_progress, name="player-progress"
    ),
    path("records/", records.records, name="records"),
    path("records/holders/", records.holders, name="record-holders"),
    path("records.atom", require_safe(handle_bad_addresses(RecordsFeed())), name="records-feed"),
    path("statistics/", statistics.statistics, name="statistics"),
    path("sign-in/", accounts.SignIn.as_view(), name="account_login"),
    path("sign-in/code/", accounts.SecondFactor.as_view(), name="mfa_authenticate"),
    path("sign-out/", accounts.SignOut.as_view(), name="account_logout"),
    path("sign-up/", accounts.SignUp.as_view(), name="account_signup"),
    path("password-reset/", accounts.PasswordReset.as_view(), name="account_reset_password"),
    path("password-reset/sent/", accounts.PasswordResetSent.as_view(), name="account_reset_password_done"),
    path(
        "password-reset/<str:uidb36>/<str:key>/",
        accounts.PasswordResetFromKey.as_view(),
        name="account_reset_password_from_key",
    ),
    path("account/", accounts.account, name="account"),
    path("account/inactive/", accounts.AccountInactive.as_view(), name="account_inactive"),
    path("account/confirm/", accounts.Reauthenticate.as_view(), name="account_reauthenticate"),
    path("account/confirm/code/", accounts.SecondFactorAgain.as_view(), name="mfa_reauthenticate"),
    path("account/password/", accounts.PasswordChange.as_view(), name="account_change_password"),
    path("account/email/", accounts.Email.as_view(), name="account_email"),
    path("account/email/sent/", accounts.EmailSent.as_view(), name="account_email_verification_sent"),
    path("account/email/<str:key>/", accounts.EmailConfirm.as_view(), name="account_confirm_email"),
    path("account/two-factor/", RedirectView.as_view(pattern_name="account"), name="mfa_index"),
    path("account/two-factor/on/", accounts.SecondFactorOn.as_view(), name="mfa_activate_totp"),
    path("account/two-factor/off/", accounts.SecondFactorOff.as_view(), name="mfa_deactivate_totp"),
    path("account/two-factor/codes/", accounts.RecoveryCodes.as_view(), name="mfa_view_recovery_codes"),
    path("account/two-factor/codes/new/", accounts.RecoveryCodesNew.as_view(), name="mfa_generate_recovery_codes"),
    path("account/token/", tokens.make_token, name="token"),
    path("account/token/end/", tokens.end_tokens, name="token-end"),
    path("account/names/", claims.claim_name, name="claim-name"),
    path("account/names/<int:pk>/release/", claims.release_name, name="release-name"),
    path("account/claims/<int:pk>/", claims.claim, name="claim"),
    path("account/claims/<int:pk>/withdraw/", claims.claim_withdraw, name="claim-withdraw"),
    path("staff/claims/", claims.claims, name="claims"),
    path("staff/claims/<int:pk>/", claims.claim_decision, name="claim-decision"),
    path("language/", accounts.language, name="set-language"),
    path("clock/", accounts.guest_clock, name="set-clock"),
]
