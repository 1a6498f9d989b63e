"""System checks for settings that make no sense together: ``manage.py check`` and every start run them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, register

_LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]"}


@register()
def debug_is_local(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Debug pages show settings and source to whoever causes an error."""
    public = [host for host in settings.ALLOWED_HOSTS if host not in _LOCAL_HOSTS]
    if settings.DEBUG and public:
        return [
            Error(f"DEBUG is on and ALLOWED_HOSTS names {', '.join(public)}.", hint="Turn DEBUG off.", id="config.E001")
        ]
    return []


@register()
def stale_after_the_time_limit(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """A replay that is queued again while its worker is still busy is analysed twice for nothing."""
    if settings.STALE_AFTER_SECONDS <= settings.CELERY_TASK_TIME_LIMIT:
        return [
            checks.Warning(
                "STALE_AFTER_SECONDS is not longer than TASK_TIME_LIMIT_SECONDS: work in progress is queued again.",
                hint="Make it longer by at least SWEEP_EVERY_SECONDS.",
                id="config.W001",
            )
        ]
    return []


@register()
def address_matches_https(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Links in feeds and e-mail would lead to an address that only redirects, or that does not answer."""
    scheme = urlsplit(settings.SITE_URL).scheme
    if settings.HTTPS and scheme != "https":
        return [
            checks.Warning(
                f"HTTPS is on, but SITE_URL is {settings.SITE_URL}.", hint="Begin it with https://.", id="config.W002"
            )
        ]
    return []


@register()
def shared_files_share_their_queue(app_configs: Sequence[AppConfig] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """A bucket is for several machines; each with a queue of its own would analyse only its own uploads."""
    if settings.REPLAY_BUCKET and not settings.REDIS_URL:
        return [Error("REPLAY_BUCKET is set, but REDIS_URL is not.", hint="Name the shared broker.", id="config.E002")]
    return []
