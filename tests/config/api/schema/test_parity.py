"""Parity: each page has an operation by which a program gets the same, or a reason why it has none."""

from __future__ import annotations

from typing import Final

import pytest

from config.api.openapi import operations
from tests.api_schema import api_schema
from tests.config.test_permissions import table

#: The operations that have what a page shows, by the name of its address.
OPERATIONS: Final = {
    "account": "me",
    "account-delete": "account_deletion_effects",
    "asked-games": "ownership_list",
    "board": "leaderboard",
    "board-combined": "leaderboard_combined",
    "board-corpses": "leaderboard_corpses",
    "board-countries": "leaderboard_countries",
    "board-history": "leaderboard_history",
    "board-sub": "leaderboard_sub",
    "ban": "me_ban",
    "bans": "bans",
    "data": "data",
    "decision-log": "decisions",
    "own-decisions": "me_decisions",
    "report": "reports_make",
    "reports": "reports_queue",
    "claim": "me_claim",
    "compare": "compare",
    "replay-clip": "replays_clip",
    "help-glossary": "glossary",
    "help-ranking": "ranking",
    "home": "index",
    "improvements": "leaderboard_improvements",
    "judgements": "judgements",
    "leaderboards": "leaderboards_index",
    "needless-guesses": "players_needless_guesses",
    "news": "news",
    "own-comments": "comments_own",
    "own-uploads": "me_uploads",
    "place": "places",
    "places": "places",
    "play-game": "play_games_detail",
    "play-room": "rooms_detail",
    "play-room-watch": "rooms_board",
    "play-rooms": "rooms_list",
    "player": "players_detail",
    "player-by-3bv": "players_by_3bv",
    "player-chart": "players_chart",
    "player-charts": "players_chart",
    "player-games": "replays_list",
    "player-progress": "players_progress",
    "player-records": "players_site_records",
    "player-rivals": "players_rivals",
    "player-versus": "players_versus",
    "players": "players_list",
    "record-holders": "records_holders",
    "records": "records_list",
    "records-feed": "records_list",
    "replay": "replays_detail",
    "replay-appeal": "replays_appeals",
    "replay-comments": "replays_comments",
    "replay-embed": "replays_film",
    "replay-file": "replays_file",
    "replay-film": "replays_film",
    "replay-object": "replays_object",
    "replay-odds": "replays_odds",
    "replay-rawvf": "replays_rawvf",
    "replay-puzzle": "replays_puzzle",
    "replay-review": "replays_review",
    "replay-route": "replays_route",
    "replay-rzini": "replays_rzini",
    "replays": "replays_list",
    "search": "search",
    "statistics": "statistics",
    "tool-laying": "laying",
    "tool-probability": "probability",
    "tool-solver": "solver_game",
    "training": "me_training",
    "upload": "replays_upload",
    "upload-batch": "me_batch",
    "upload-status": "replays_status",
    "watch-file": "watch_file",
}
_SIGN_IN: Final = "signing in and the second factor are for people; programs have tokens"
_TEXT: Final = "a text for people without data"
_CRAFT: Final = "a way to play or draw in the browser; its data are other operations'"
WITHOUT: Final = {
    **dict.fromkeys(
        (
            "account_change_password", "account_confirm_email", "account_email", "account_email_verification_sent",
            "account_inactive", "account_login", "account_reauthenticate", "account_reset_password",
            "account_reset_password_done", "account_reset_password_from_key", "account_signup", "mfa_activate_totp",
            "mfa_authenticate", "mfa_deactivate_totp", "mfa_generate_recovery_codes", "mfa_index", "mfa_reauthenticate",
            "mfa_view_recovery_codes",
        ),
        _SIGN_IN,
    ),
    **dict.fromkeys(
        ("account-deleted", "help", "help-about", "help-evidence", "help-files", "help-licence", "help-privacy", "more"), _TEXT
    ),
    **dict.fromkeys(("play", "play-level", "play-verify", "tool-one-and-two", "tools"), _CRAFT),
    "claims": "moderators decide about names on their page, which shows the games of both sides",
    "favicon": "a picture",
    "film-formula": "the parser of the film's own counters, for its form",
    "data-file": "a file of a dump, whose address and hash `data` has",
    "health": "for the operator's monitoring",
    "metrics": "for the operator's monitoring",
    "ready": "for the operator's load balancer",
    "release-name": "the question before a name is released",
    "replay-card": "a picture of `replays_detail`",
    "replay-clip-gif": "the file that `replays_clip` names",
    "replay-encoding": "people decide how a name reads; `replays_detail` tells it",
    "replay-delete": "the question before `me_uploads_delete`",
    "replay-frame": "a picture of `replays_position`",
    "robots": "for search engines",
    "set_language": "answers nothing but a redirect",
    "versions": "moderators decide about programs on their page; their games are in `judgements` by the code",
    "token": "tokens are made in a session alone: one that could make others would outlive its end",
}  # fmt: skip


def pages() -> set[str]:
    """Return the names of the pages that somebody may open."""
    return {
        route for (route, _name, method), statuses in table().items()
        if method == "GET" and not route.startswith("api-") and any(status != 405 for status in statuses[1:])
    }  # fmt: skip


def test_every_page_has_an_operation_or_a_reason() -> None:
    assert pages() - OPERATIONS.keys() - WITHOUT.keys() == set(), "pages without an operation or a reason"
    assert (OPERATIONS.keys() | WITHOUT.keys()) - pages() == set(), "no such pages"
    assert OPERATIONS.keys() & WITHOUT.keys() == set()


@pytest.mark.django_db
def test_the_operations_exist() -> None:
    assert set(OPERATIONS.values()) <= {operation["operationId"] for _path, operation in operations(api_schema())}
