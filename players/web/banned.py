"""Banned accounts: they sign in, read, take and delete their data and appeal; everything else that writes is refused.

What they may write is a list, so that a new address is closed to them before anybody has thought of it.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS

from players.models import FOREVER, User

#: Names of addresses at which a banned account may write.
ALLOWED: Final = frozenset(
    {
        # the account: signing in and out, its settings, its end
        "account", "account_login", "account_logout", "account_reauthenticate", "account_change_password",
        "account_email", "account_confirm_email", "account_reset_password", "account_reset_password_from_key",
        "mfa_authenticate", "mfa_reauthenticate", "mfa_activate_totp", "mfa_deactivate_totp",
        "mfa_generate_recovery_codes", "token-end", "set-language", "set_language", "set-clock", "board-columns",
        "account-delete", "api-viewer-settings",
        # what belongs to it: taking it away, and appeals
        "ban", "replay-appeal", "comment-delete", "replay-delete",
        "own-uploads-delete", "api-me-uploads-delete", "release-name", "claim-withdraw",
        # questions that are asked by POST
        "api-me-known-files", "api-probability", "api-solver-games", "api-solver-moves",
    }
)  # fmt: skip


def ban_refusal(user: User | None, method: str, address_name: str | None) -> str:
    """Return why ``user`` may not do this while it is banned; "" if it may."""
    if method in SAFE_METHODS or user is None or not user.is_banned or address_name in ALLOWED:
        return ""
    return ban_text(user)


def ban_text(user: User) -> str:
    until = user.banned_until
    if until is None or until >= FOREVER:
        return _("Your account is banned. Your account page says why, and how to appeal.")
    return _("Your account is banned until %(date)s. Your account page says why, and how to appeal.") % {
        "date": f"{until:%Y-%m-%d}"
    }
