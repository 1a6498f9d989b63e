"""Writing accounts: creation, preferences, API token."""

from __future__ import annotations

import zoneinfo

from django.conf import settings
from django.db import transaction
from rest_framework.authtoken.models import Token

from players.models import User


def create_account(
    username: str, password: str, *, email: str = "", time_zone: str = "UTC", language: str = ""
) -> User:
    """Create an account.  The form has checked name and password; ``IntegrityError`` if the name is in use."""
    return User.objects.create_user(
        username=username,
        email=email,
        password=password,
        time_zone=_checked_time_zone(time_zone),
        language=_checked_language(language),
    )


def store_preferences(user: User, *, language: str, time_zone: str, clock: str, email: str) -> User:
    """Store the preferences and the e-mail address; ``ValueError`` for an unknown language, time zone or clock."""
    user.language, user.time_zone = _checked_language(language), _checked_time_zone(time_zone)
    user.clock, user.email = User.Clock(clock), email
    user.save(update_fields=["language", "time_zone", "clock", "email"])
    return user


def store_language(user: User, language: str) -> User:
    """Store the language."""
    user.language = _checked_language(language)
    user.save(update_fields=["language"])
    return user


def rotate_token(user: User) -> str:
    """Create a new API token and delete the old one, if any; returns its key."""
    with transaction.atomic():
        Token.objects.filter(user=user).delete()
        key: str = Token.objects.create(user=user).key
    return key


def revoke_token(user: User) -> None:
    """Delete the API token."""
    Token.objects.filter(user=user).delete()


def _checked_language(language: str) -> str:
    if language and language not in dict(settings.LANGUAGES):
        raise ValueError(f"unknown language {language!r}")
    return language


def _checked_time_zone(time_zone: str) -> str:
    # The middleware makes a ZoneInfo of it on every request: an unknown zone would make all of them fail with 500.
    if time_zone not in zoneinfo.available_timezones():
        raise ValueError(f"unknown time zone {time_zone!r}")
    return time_zone
