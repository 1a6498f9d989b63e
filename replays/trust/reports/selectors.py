from __future__ import annotations

from typing import Final

from django.db.models import Count, Prefetch, Q

from players.db.keyset import Page, page_of
from players.decision_log import Kind
from replays.models import Replay, Report, ReportedThing

PAGE_SIZE: Final = 30
#: So many of the first open reports of a thing are shown.
MOST_SHOWN: Final = 10


def is_reported(replay: Replay) -> bool:
    return ReportedThing.objects.filter(kind=Kind.REPLAY, number=replay.pk, closed_at=None).exists()


def cases_page(cursor: str | None, size: int = PAGE_SIZE, *, kind: str = "") -> Page[ReportedThing]:
    """Things with open reports, those that wait longest first; two statements.  Raises ``players.db.keyset.BadCursor``.

    Each has ``reporters`` (their number) and ``open_reports``, the first :data:`MOST_SHOWN` of them.
    """
    opened = Report.objects.filter(closed_at=None).select_related("user").order_by("id")
    rows = ReportedThing.objects.filter(closed_at=None).select_related("about")
    if kind:
        rows = rows.filter(kind=kind)
    rows = rows.annotate(reporters=Count("reports", filter=Q(reports__closed_at=None)))
    shown = Prefetch("reports", opened[:MOST_SHOWN], to_attr="open_reports")
    return page_of(rows.prefetch_related(shown), ("opened_at", "id"), cursor, size)
