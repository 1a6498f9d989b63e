"""The date of a game that counts for records, streaks and "as of": one function decides."""

from __future__ import annotations

from datetime import datetime

from replays.models import Replay


def counted_from(*, played_at: datetime | None, uploaded_at: datetime, evidence: str, date_trusted: bool) -> datetime:
    """The date that counts: ``played_at`` where somebody vouches for it, else ``uploaded_at``.

    Anybody can write any date into a file.  So it counts for games played here, for archives that staff imported with
    ``--trust-dates``, and for games whose date staff confirmed (``date_trusted``).
    """
    trusted = date_trusted or evidence == Replay.Evidence.HERE
    return min(played_at, uploaded_at) if trusted and played_at is not None else uploaded_at
