"""Decisions of moderators about what was reported, by the services of the things themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.accounts.claims.merging import player_rename
from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.decision_log import Action, Kind, Rule, log_decision
from players.models import Player, User
from players.web.problems import Refused
from players.web.staff import own_matter_refusal
from replays.models import Comment, Replay, ReportedThing
from replays.moderation.bans import ban_make
from replays.moderation.things import ACTIONS, things_of
from replays.play.models import Room
from replays.play.rooms.services import room_take_down
from replays.trust.judging.services import replay_judge
from replays.trust.provisional.services import clock_resume
from replays.trust.reports.services import case_close
from replays.upload.processing.deletion import replay_delete
from replays.watch.comments.services import comment_moderate

NOTHING: Final = "nothing"
#: No action on the thing itself, which a ban goes with.
LEAVE: Final = "leave"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision of a moderator: ``action`` is :data:`NOTHING`, :data:`LEAVE` or one of ``ACTIONS``.

    ``bans``: whether the account is banned as well, until ``until`` (None: without an end).
    """

    action: str
    rule: str = ""
    reason: str = ""
    new_name: str = ""
    bans: bool = False
    until: datetime | None = None

    @property
    def public_reason(self) -> str:
        """The sentence that everybody reads: the moderator's, else the rule, stored in English and shown in each language."""
        return storable_text(self.reason) or Rule(self.rule).sentence


def report_decide(case: ReportedThing, by: User, verdict: Verdict) -> None:
    """Carry ``verdict`` out and close the reports.  Each service logs its part.

    Raises ``ValidationError``, also on a verdict that is none.
    """
    _check(case, by, verdict)
    _carry_out(case, by, verdict)


@retry_on_conflict
def _carry_out(case: ReportedThing, by: User, verdict: Verdict) -> None:
    with transaction.atomic():
        row = ReportedThing.objects.select_for_update(no_key=True, of=("self",)).get(pk=case.pk)
        if row.closed_at is not None:
            raise ValidationError(_("These reports have already been dealt with."), code="decided_already")
        if verdict.action == NOTHING:
            log_decision(
                by, Action.DISMISSED, Kind(row.kind), row.number, about=row.about_id, reason=storable_text(verdict.reason),
                before="reported", after="nothing wrong",
            )  # fmt: skip
        if verdict.bans and row.about is not None:
            ban_make(row.about, by, verdict.rule, verdict.reason, verdict.until)
        case_close(Kind(row.kind), row.number)
        if verdict.action == NOTHING and row.kind == Kind.REPLAY:
            clock_resume(row.number)
        if verdict.action in _DO:  # last, since a room that was told to close cannot be rolled back
            _DO[verdict.action](row.number, by, verdict)


def _check(case: ReportedThing, by: User, verdict: Verdict) -> None:
    possible = {NOTHING, LEAVE, *(name for name, _label in ACTIONS.get(case.kind, ()))}
    if verdict.action not in possible or (verdict.action == LEAVE and not verdict.bans):
        raise ValidationError(_("Choose an action."))
    if verdict.action == NOTHING and verdict.bans:
        raise ValidationError(_("You can't ban anyone if you found nothing wrong."))
    thing = things_of([(case.kind, case.number)]).get((case.kind, case.number))
    if refusal := own_matter_refusal(by, case.about_id, None if thing is None else thing.about_id):
        raise ValidationError(refusal, code="own_matter")
    if verdict.action == NOTHING:
        return
    if verdict.rule not in Rule.values:
        raise ValidationError(_("Choose a reason."))
    if verdict.rule == Rule.OTHER and not storable_text(verdict.reason):
        raise ValidationError(_("Give a reason."))
    if verdict.bans and case.about_id is None:
        raise ValidationError(
            _("This wasn't posted from an account, so there's nobody to ban."), code="decided_already"
        )


def _gone() -> ValidationError:
    return ValidationError(
        _("This content has already been deleted. Close the reports about it."), code="decided_already"
    )


def _freeze(number: int, by: User, verdict: Verdict) -> None:
    row = Replay.objects.filter(pk=number).first()
    if row is None:
        raise _gone()
    replay_judge(row, Replay.Judgement.FROZEN, verdict.public_reason, by, verdict.rule)


def _delete(number: int, by: User, verdict: Verdict) -> None:
    row = Replay.objects.filter(pk=number).first()
    if row is None or not replay_delete(row, by, verdict.rule, verdict.reason):
        raise _gone()


def _hide(number: int, by: User, verdict: Verdict) -> None:
    row = Comment.objects.filter(pk=number).first()
    if row is None:
        raise _gone()
    comment_moderate(row, by, hidden=True, reason=verdict.public_reason, rule=verdict.rule)


def _rename(number: int, by: User, verdict: Verdict) -> None:
    row = Player.objects.filter(pk=number).first()
    if row is None:
        raise _gone()
    player_rename(row, verdict.new_name, by, verdict.rule, verdict.reason)


def _close(number: int, by: User, verdict: Verdict) -> None:
    row = Room.objects.filter(pk=number).first()
    if row is None:
        raise _gone()
    try:
        room_take_down(row, by, verdict.rule, verdict.reason)
    except Refused as error:
        raise ValidationError(str(error), code=error.code) from error


_DO: Final[dict[str, Callable[[int, User, Verdict], None]]] = {
    "freeze": _freeze, "delete": _delete, "hide": _hide, "rename": _rename, "close": _close,
}  # fmt: skip
