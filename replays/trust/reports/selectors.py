from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Count, Prefetch, Q, QuerySet

from players.db.keyset import Page, page_of
from players.decision_log import Kind
from replays.models import Report, ReportedThing

PAGE_SIZE: Final = 30
#: Open reports of a thing that are shown, the first ones.
MOST_SHOWN: Final = 10


def open_cases(replays: Collection[int]) -> QuerySet[ReportedThing]:
    """The cases of ``replays`` that wait for moderators."""
    return ReportedThing.objects.filter(kind=Kind.REPLAY, number__in=replays, closed_at=None)


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
