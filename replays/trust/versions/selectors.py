from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Count, Max, Min, QuerySet

from players.models import User
from replays.models import AcceptedVersion, Replay
from replays.trust.judging.permissions import may_judge
from replays.trust.judging.rules import VERSION_NEW, VERSION_UNKNOWN

#: Versions that the page lists; anybody can write any text into a file, so there may be many.
MOST_VERSIONS: Final = 100
CODES: Final = (VERSION_NEW, VERSION_UNKNOWN)
#: Fields by which a version is accepted.  A program writes few variants of its format; whoever names it in another one lies.
VERSION: Final = ("format", "format_variant", "software")


class SeenVersion(NamedTuple):
    """Version that waits; ``is_new``: later than all that are known of its program, so that its games are provisional."""

    format: str
    format_variant: str
    software: str
    is_new: bool
    files: int
    uploaders: int
    first: datetime
    last: datetime


def waiting_games() -> QuerySet[Replay]:
    """Return games that wait for a decision about their version."""
    waiting = Replay.objects.filter(status=Replay.Status.DONE, judgement_code__in=CODES)
    return waiting.exclude(judgement=Replay.Judgement.ACCEPTED)  # the condition of the partial index


def seen_versions() -> list[SeenVersion]:
    """Return versions that wait, new ones first, then by how many accounts sent their games: one alone can send any text."""
    groups = waiting_games().order_by().values_list(*VERSION, "judgement_code")
    found = groups.annotate(
        files=Count("id"), uploaders=Count("uploader", distinct=True), first=Min("uploaded_at"), last=Max("uploaded_at")
    ).order_by("judgement_code", "-uploaders", "-files", "software")
    return [
        SeenVersion(format_, variant, software, code == VERSION_NEW, files, uploaders, first, last)
        for format_, variant, software, code, files, uploaders, first, last in found[:MOST_VERSIONS]
    ]


def accepted_versions() -> list[AcceptedVersion]:
    """Return the latest first."""
    return list(AcceptedVersion.objects.select_related("accepted_by").order_by("-accepted_at")[:MOST_VERSIONS])


def new_version_count(viewer: User | None) -> int:
    """Return how many new versions wait for ``viewer``, at most :data:`MOST_VERSIONS`; 0 for others than moderators."""
    if not may_judge(viewer):
        return 0
    new = waiting_games().filter(judgement_code=VERSION_NEW).order_by().values(*VERSION).distinct()
    return len(new[:MOST_VERSIONS])


def accepted_among(replays: Iterable[Replay]) -> list[Replay]:
    """Return those of ``replays`` whose version is not on the list and was accepted here; no query if all are on the list."""
    asked = [replay for replay in replays if any(finding["code"] in CODES for finding in replay.findings)]
    if not asked:
        return []
    rows = AcceptedVersion.objects.filter(software__in={replay.software for replay in asked})
    accepted = set(rows.values_list(*VERSION))
    return [replay for replay in asked if (replay.format, replay.format_variant, replay.software) in accepted]
