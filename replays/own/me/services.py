from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import Max
from django.utils import timezone

from players.models import RecordEvent, User
from replays.models import HomeVisit

#: Looking again within this time is the same visit.
SAME_VISIT: Final = timedelta(hours=1)
#: The time is stored so exactly; a reload writes nothing.
_EXACT: Final = timedelta(minutes=1)


def visit_home(user: User) -> HomeVisit:
    """Note that ``user`` looks at their start page now; returns the visit with what it is compared with.

    Two tabs that are opened at the same time write the same.
    """
    now = timezone.now()
    visit = HomeVisit.objects.filter(user=user).first()
    if visit is None:
        first = {"seen_at": now, "seen_event": _newest_event()}
        return HomeVisit.objects.get_or_create(user=user, defaults=first)[0]
    if now - visit.seen_at < _EXACT:
        return visit
    if now - visit.seen_at >= SAME_VISIT:
        visit.since_at, visit.since_event = visit.seen_at, visit.seen_event
    visit.seen_at, visit.seen_event = now, _newest_event()
    visit.save()
    return visit


def _newest_event() -> int:
    return RecordEvent.objects.aggregate(newest=Max("id"))["newest"] or 0
