"""Dates as files state them, which may name no zone; the table of replays stores such ones as if they were UTC."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import BooleanField, Case, F, Q, Value, When

#: No clock of the world is further behind.
MOST_BEHIND_UTC: Final = timedelta(hours=12)


def as_stated(at: datetime, has_zone: bool) -> datetime:
    """Return ``at``, or as it was written if that has no zone: naive."""
    return at if has_zone else at.replace(tzinfo=None)


def date_has_zone(of: str = "") -> Case:
    """Return an expression: false if the date that counts is a stated one without a zone, else true.

    ``of``: the lookup that leads to the game, "replay__".
    """
    as_written = Q((f"{of}played_at_has_zone", False), (f"{of}achieved_at", F(f"{of}played_at")))
    return Case(When(as_written, then=Value(False)), default=Value(True), output_field=BooleanField())


def stated_from(since: datetime, of: str = "") -> Q:
    """Return the games whose file states no date before ``since``; ``of``: the lookup that leads to the game, "replay__".

    A date without a zone may be that of the upload, written where clocks are behind UTC: then it says nothing of its own.
    """
    of_the_upload = {"played_at_has_zone": False, "played_at__gte": F(f"{of}uploaded_at") - MOST_BEHIND_UTC}
    return (
        Q((f"{of}played_at__isnull", True))
        | Q((f"{of}played_at__gte", since))
        | Q(*((f"{of}{name}", value) for name, value in of_the_upload.items()))
    )
