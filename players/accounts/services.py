from __future__ import annotations

import zoneinfo

from django.conf import settings

from players.models import User
from players.people.countries import country_names
from players.people.selectors import player_of_account
from players.people.services import set_country


def create_account(
    username: str, password: str, *, email: str = "", time_zone: str = "UTC", language: str = "", country: str = ""
) -> User:
    """Create an account.  The caller has checked name and password; ``IntegrityError`` if the name is in use."""
    user = User(username=username, email=User.objects.normalize_email(email))
    user.set_password(password)
    return store_new_account(user, time_zone=time_zone, language=language, country=country)


def store_new_account(user: User, *, time_zone: str, language: str, country: str = "") -> User:
    """Raise ``IntegrityError`` if the name is in use."""
    user.time_zone, user.language = _checked_time_zone(time_zone), _checked_language(language)
    user.country = _checked_country(country)
    user.save(force_insert=True)
    return user


def store_preferences(user: User, *, language: str, time_zone: str, clock: str, country: str) -> User:
    """Store the settings of an account, and the country of its player; ``ValueError`` for an unknown value of any."""
    user.language, user.time_zone = _checked_language(language), _checked_time_zone(time_zone)
    user.clock = User.Clock(clock)
    user.country = _checked_country(country)
    user.save(update_fields=["language", "time_zone", "clock", "country"])
    if (player := player_of_account(user)) is not None:
        set_country(player, country)
    return user


def store_language(user: User, language: str) -> User:
    user.language = _checked_language(language)
    user.save(update_fields=["language"])
    return user


def _checked_language(language: str) -> str:
    if language and language not in dict(settings.LANGUAGES):
        raise ValueError(f"unknown language {language!r}")
    return language


def _checked_country(country: str) -> str:
    if country and country not in country_names():
        raise ValueError(f"unknown country {country!r}")
    return country


def _checked_time_zone(time_zone: str) -> str:
    # The middleware makes a ZoneInfo of it on every request: an unknown zone would make all of them fail with 500.
    if time_zone not in zoneinfo.available_timezones():
        raise ValueError(f"unknown time zone {time_zone!r}")
    return time_zone
