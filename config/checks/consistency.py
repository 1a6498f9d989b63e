"""System checks of settings that contradict each other, run by ``manage.py check`` and at every start."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, register
from django.http.request import validate_host

from config import env, redis_urls
from replays.trust.judging.findings import FINDING_CODES

_LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]"}


@register()
def settings_are_readable(**_given: Any) -> list[CheckMessage]:
    """All that ends any other process at its start."""
    return [Error(line, id="config.E005") for line in env.wrong]


@register()
def names_are_known(**_given: Any) -> list[CheckMessage]:
    """Nobody reads a misspelt setting, and its default counts."""
    found = {name: f"do you mean {near}?" for name, near in env.misspelt().items()}
    found |= dict.fromkeys(env.unknown_in_file(), "see .env.example.")
    return [checks.Warning(f"{name} is no setting: {hint}", id="config.W005") for name, hint in found.items()]


@register()
def debug_is_local(**_given: Any) -> list[CheckMessage]:
    """DEBUG only with local hosts: debug pages show settings and source code to the visitor."""
    public = [host for host in settings.ALLOWED_HOSTS if host not in _LOCAL_HOSTS]
    if settings.DEBUG and public:
        return [
            Error(f"DEBUG is on and ALLOWED_HOSTS names {', '.join(public)}.", hint="Turn DEBUG off.", id="config.E001")
        ]
    return []


@register()
def address_matches_https(**_given: Any) -> list[CheckMessage]:
    """SITE_URL has the scheme of the site: feeds and e-mails use it for their links."""
    scheme = urlsplit(settings.SITE_URL).scheme
    if settings.HTTPS and scheme != "https":
        return [
            checks.Warning(
                f"HTTPS is on, but SITE_URL is {settings.SITE_URL}.", hint="Begin it with https://.", id="config.W002"
            )
        ]
    return []


@register()
def shared_files_share_their_queue(**_given: Any) -> list[CheckMessage]:
    """A bucket needs a shared broker: machines with queues of their own would analyse only their own uploads."""
    if settings.REPLAY_BUCKET and not settings.REDIS_URL:
        return [Error("REPLAY_BUCKET is set, but REDIS_URL is not.", hint="Name the shared broker.", id="config.E002")]
    return []


@register()
def buckets_have_their_library(**_given: Any) -> list[CheckMessage]:
    if settings.REPLAY_BUCKET and not (find_spec("storages") and find_spec("boto3")):
        text = "REPLAY_BUCKET is set, but django-storages is not installed."
        return [Error(text, hint="Install django-storages[s3].", id="config.E006")]
    return []


@register()
def cache_is_not_the_broker(**_given: Any) -> list[CheckMessage]:
    """Whoever clears the cache would delete the queue."""
    broker = settings.REDIS_URL or settings.CELERY_BROKER_URL
    if settings.CACHE_URL and redis_urls.is_same_database(settings.CACHE_URL, broker):
        text = "CACHE_URL is the database of REDIS_URL."
        return [Error(text, hint="Give it another number, as redis://host/1.", id="config.E007")]
    return []


@register(deploy=True)
def site_answers_to_its_address(**_given: Any) -> list[CheckMessage]:
    """Links in feeds and letters would answer 400."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    if validate_host(f"[{host}]" if ":" in host else host, settings.ALLOWED_HOSTS):
        return []
    text = f"SITE_URL is {settings.SITE_URL}, and ALLOWED_HOSTS does not name its host."
    return [Error(text, hint="Add it to ALLOWED_HOSTS.", id="config.E008")]


@register(deploy=True)
def subdomains_have_https(**_given: Any) -> list[CheckMessage]:
    if env.value("HSTS_SUBDOMAINS") and not settings.HTTPS:
        return [checks.Warning("HSTS_SUBDOMAINS does nothing without HTTPS.", hint="Set HTTPS=true.", id="config.W006")]
    return []


@register()
def findings_exist(**kwargs: Any) -> list[CheckMessage]:
    """A misspelt finding would never make a game suspicious."""
    if unknown := set(settings.JUDGE_FINDINGS or ()) - FINDING_CODES:
        text = f"JUDGE_FINDINGS: there is no finding {', '.join(sorted(unknown))}."
        return [Error(text, hint=f"There are {', '.join(sorted(FINDING_CODES))}.", id="config.E003")]
    return []


@register(deploy=True)
def queue_and_cache_ask_for_a_password(**_given: Any) -> list[CheckMessage]:
    """Whoever reaches the broker or the cache may queue tasks and change what pages show."""
    named = {"REDIS_URL": settings.REDIS_URL, "CACHE_URL": settings.CACHE_URL}
    return [
        checks.Warning(
            f"{name} has no password, and the server is on another machine.",
            hint="Set a password (redis://:password@host:6379/0), or use a socket file (unix:///path?db=0).",
            id="config.W003",
        )
        for name, url in named.items()
        if url and redis_urls.is_open_to_others(url)
    ]


@register(deploy=True)
def the_proxy_is_counted(**_given: Any) -> list[CheckMessage]:
    """A site under HTTPS is behind a proxy; uncounted, all its visitors share the limits of one address."""
    if settings.HTTPS and not settings.NUM_PROXIES:
        return [
            checks.Warning(
                "HTTPS is on, but NUM_PROXIES is 0: all visitors behind the proxy count as one address.",
                hint="Set NUM_PROXIES to the number of proxies that append to X-Forwarded-For.",
                id="config.W004",
            )
        ]
    return []


@register(deploy=True)
def data_has_a_licence(**_given: Any) -> list[CheckMessage]:
    """Nobody may use what the dumps offer unless they are told so."""
    if settings.DATA_LICENCE:
        return []
    return [
        Error(
            "DATA_LICENCE is empty: the dumps at /data/ tell nobody what they may do with them.",
            hint="Name CC0-1.0, CC-BY-4.0 or CC-BY-SA-4.0.",
            id="config.E004",
        )
    ]
