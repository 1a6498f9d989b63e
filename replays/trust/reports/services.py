from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.decision_log import Kind, Rule
from players.models import User
from players.web.rate_limits import RateLimit
from replays.models import PlayTrace, Replay, Report, ReportedThing
from replays.trust.reports.selectors import open_cases

#: Of one account, and of one address whatever the accounts.
REPORT_LIMIT: Final = RateLimit("reports", "20/day")
ADDRESS_REPORT_LIMIT: Final = RateLimit("reports-of-an-address", "60/day")


def report_make(
    kind: Kind, number: int, about_id: int | None, user: User, address: str, rule: str, text: str
) -> Report:
    """Tell moderators of a thing; a second report of the same person changes the first, and opens it again.

    A provisional game stays provisional until they decide.
    ``about_id``: the account that the thing belongs to.  Raises ``ValidationError``, also on an unknown rule
    or without the sentence that "something else" needs.
    """
    words = storable_text(text)
    if rule not in Rule.values:
        raise ValidationError(_("Choose a reason."), code="empty_text")
    if rule == Rule.OTHER and not words:
        raise ValidationError(_("Tell us what's wrong."), code="empty_text")
    if about_id == user.pk:
        raise ValidationError(_("You can't report your own content."), code="own_thing")
    for limit, visitor in ((REPORT_LIMIT, str(user.pk)), (ADDRESS_REPORT_LIMIT, address)):
        if not limit.count(visitor):
            raise ValidationError(_("You've sent a lot of reports today. Try again tomorrow."), code="too_many_reports")
    return _store(kind, number, about_id, user, rule, words)


@retry_on_conflict
def _store(kind: Kind, number: int, about_id: int | None, user: User, rule: str, words: str) -> Report:
    now = timezone.now()
    clicks = None
    with transaction.atomic():
        if kind == Kind.REPLAY:
            Replay.objects.filter(pk=number).update(provisional_until=None)
            clicks = PlayTrace.objects.filter(replay=number).values_list("clicks", flat=True).first()
        case, _made = ReportedThing.objects.select_for_update(no_key=True, of=("self",)).get_or_create(
            kind=kind, number=number, defaults={"about_id": about_id, "opened_at": now}
        )
        if case.closed_at is not None:
            case.opened_at, case.closed_at = now, None
        case.about_id, case.clicks = about_id, clicks
        case.save(update_fields=["opened_at", "closed_at", "about", "clicks"])
        values = {"rule": rule, "text": words, "made_at": now, "closed_at": None}
        return Report.objects.update_or_create(thing=case, user=user, defaults=values)[0]


def case_close(kind: Kind, number: int) -> None:
    """Close what is reported about a thing, since a moderator has decided about it; call it in that transaction."""
    now = timezone.now()
    case = ReportedThing.objects.select_for_update(no_key=True).filter(kind=kind, number=number, closed_at=None).first()
    if case is not None:
        Report.objects.filter(thing=case, closed_at=None).update(closed_at=now)
        ReportedThing.objects.filter(pk=case.pk).update(closed_at=now)


def reported_plays(replays: Collection[int]) -> set[bytes]:
    """The clicks of those of ``replays`` that are reported."""
    found = open_cases(replays).values_list("clicks", flat=True)
    return {bytes(clicks) for clicks in found if clicks is not None}


def reports_follow(plays: Collection[bytes]) -> None:
    """Give open reports without a file to the first one of the play that is here again; ``plays``: by clicks."""
    cases = ReportedThing.objects.filter(kind=Kind.REPLAY, clicks__in=plays, closed_at=None) if plays else ()
    for case in cases:
        if Replay.objects.filter(pk=case.number).exists():
            continue
        reported = ReportedThing.objects.filter(kind=Kind.REPLAY, number=OuterRef("pk"))
        files = Replay.objects.filter(~Exists(reported), trace__clicks=case.clicks, status=Replay.Status.DONE)
        row = files.order_by("pk").first()
        if row is not None:
            Replay.objects.filter(pk=row.pk).update(provisional_until=None)
            ReportedThing.objects.filter(pk=case.pk).update(number=row.pk, about=row.uploader_id)
