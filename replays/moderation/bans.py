"""Bans of accounts, and appeals against them.

``User.banned_until`` follows the ban in force in the same transaction; when its end passes, nothing has to run.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.decision_log import Action, Kind, Rule, log_decision
from players.models import FOREVER, User
from players.web.staff import own_matter_refusal
from replays.models import Ban, BanAppeal

MAX_APPEALS: Final = 3


@retry_on_conflict
def ban_make(user: User, by: User, rule: str, reason: str, until: datetime | None) -> Ban:
    """Ban ``user`` from now on; a ban in force ends with it.  ``until``: None for no end.

    Raises ``ValidationError``, also without a rule, without the sentence that "something else" needs,
    or on an end that has passed.
    """
    words, now = storable_text(reason), timezone.now()
    _check_reason(rule, words)
    if until is not None and until <= now:
        raise ValidationError(_("The end of a ban must be in the future."))
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _check_may_be_banned(row, by)
        before = _state(row)
        Ban.objects.filter(user=row, ended_at=None).update(ended_at=now)
        ban = Ban.objects.create(user=row, by=by, rule=rule, reason=words, made_at=now, until=until)
        BanAppeal.objects.filter(ban__user=row, state=BanAppeal.State.OPEN).update(
            state=BanAppeal.State.DENIED, answered_at=now
        )
        row.banned_until = until or FOREVER
        row.save(update_fields=["banned_until"])
        log_decision(
            by, Action.BANNED, Kind.ACCOUNT, row.pk, about=row.pk, rule=rule, reason=words, before=before, after=_state(row)
        )  # fmt: skip
    return ban


def _check_reason(rule: str, words: str) -> None:
    if rule not in Rule.values:
        raise ValidationError(_("Choose a reason."))
    if rule == Rule.OTHER and not words:
        raise ValidationError(_("Give a reason."))


def _check_may_be_banned(row: User, by: User) -> None:
    if row.pk == by.pk:
        raise ValidationError(_("You can't ban yourself."), code="own_matter")
    if row.has_role or row.is_superuser:
        raise ValidationError(
            _("This is a moderator's account. Its moderator role has to be removed first."), code="moderator_account"
        )
    if not row.is_active:
        raise ValidationError(_("This account is closed."), code="decided_already")


@retry_on_conflict
def ban_lift(ban: Ban, by: User, reason: str) -> Ban:
    """End a ban in force; an open appeal is granted by that.  Raises ``ValidationError``."""
    with transaction.atomic():
        row, user = _locked(ban)
        _check_in_force(row)
        if refusal := own_matter_refusal(by, user.pk):
            raise ValidationError(refusal, code="own_matter")
        _lift(row, user, by, storable_text(reason))
        _answer(row, BanAppeal.State.GRANTED, storable_text(reason))
        return row


# --- appeals ----------------------------------------------------------------------------------------------------------


@retry_on_conflict
def ban_appeal(user: User, text: str) -> BanAppeal:
    """Appeal against the ban in force.  Raises ``ValidationError``, also on an empty or too long text."""
    words = "\n".join(storable_text(line, len(line)) for line in text.replace("\r\n", "\n").split("\n")).strip()
    if not words:
        raise ValidationError(_("Tell us why the ban is wrong."), code="empty_text")
    if len(words) > BanAppeal.MAX_CHARS:
        raise ValidationError(
            _("At most %(limit)s characters; you wrote %(count)s."),
            code="text_too_long",
            params={"limit": BanAppeal.MAX_CHARS, "count": len(words)},
        )
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        ban = Ban.objects.filter(user=user, ended_at=None).order_by("-id").first()
        refusal = appeal_refusal(ban)
        if ban is None or refusal is not None:
            raise refusal or ValidationError("", code="not_banned")
        return BanAppeal.objects.create(ban=ban, text=words, made_at=timezone.now())


def appeal_refusal(ban: Ban | None) -> ValidationError | None:
    """Return an error saying why ``ban`` cannot be appealed now; None if it can."""
    if ban is None or not ban.is_in_force:
        return ValidationError(_("Your account isn't banned, so there's nothing to appeal."), code="not_banned")
    states = [appeal.state for appeal in ban.appeals.all()]
    if BanAppeal.State.OPEN in states:
        return ValidationError(_("You've already appealed; a moderator will answer."), code="appeal_open")
    if len(states) >= MAX_APPEALS:
        return ValidationError(_("You've used all your appeals for this ban."), code="too_many_appeals")
    return None


@retry_on_conflict
def appeal_answer(ban: Ban, by: User, *, granted: bool, answer: str) -> BanAppeal:
    """Answer the open appeal against ``ban``: lift it, or let it stay.

    Not by who made the ban, while another moderator could.  Raises ``ValidationError``, also without a
    reason.
    """
    words = storable_text(answer)
    if not words:
        raise ValidationError(_("Give a reason."), code="empty_text")
    with transaction.atomic():
        row, user = _locked(ban)
        if refusal := own_matter_refusal(by, user.pk):
            raise ValidationError(refusal, code="own_matter")
        if row.by_id == by.pk and others_could_answer(by):
            raise ValidationError(
                _("You made this ban. Another moderator has to answer the appeal."), code="own_matter"
            )
        appeal = BanAppeal.objects.filter(ban=row, state=BanAppeal.State.OPEN).first()
        if appeal is None:
            raise ValidationError(_("This appeal has already been answered."), code="decided_already")
        if granted:  # also after the end of the ban, so that the log has the answer
            _lift(row, user, by, words)
        else:
            log_decision(
                by, Action.UPHELD, Kind.ACCOUNT, user.pk, about=user.pk, rule=row.rule, reason=words,
                before=_state(user), after=_state(user),
            )  # fmt: skip
        _answer(row, BanAppeal.State.GRANTED if granted else BanAppeal.State.DENIED, words)
        appeal.refresh_from_db()
        return appeal


def others_could_answer(by: User) -> bool:
    """Return whether another open account is a moderator, or a superuser."""
    role = Q(is_moderator=True) | Q(is_staff=True, is_superuser=True)
    return User.objects.filter(role, is_active=True).exclude(pk=by.pk).exists()


# --- parts ------------------------------------------------------------------------------------------------------------


def _locked(ban: Ban) -> tuple[Ban, User]:
    """Lock the account first, as :func:`ban_make` does."""
    user = User.objects.select_for_update(no_key=True).get(pk=ban.user_id)
    return Ban.objects.select_for_update(no_key=True, of=("self",)).get(pk=ban.pk), user


def _check_in_force(row: Ban) -> None:
    if not row.is_in_force:
        raise ValidationError(_("This ban has already ended."), code="not_banned")


def _lift(row: Ban, user: User, by: User, reason: str) -> None:
    before = _state(user)
    row.ended_at, user.banned_until = timezone.now(), None
    row.save(update_fields=["ended_at"])
    user.save(update_fields=["banned_until"])
    log_decision(
        by, Action.LIFTED, Kind.ACCOUNT, user.pk, about=user.pk, rule=row.rule, reason=reason, before=before, after=_state(user)
    )  # fmt: skip


def _answer(row: Ban, state: str, words: str) -> None:
    BanAppeal.objects.filter(ban=row, state=BanAppeal.State.OPEN).update(
        state=state, answer=words, answered_at=timezone.now()
    )


def _state(user: User) -> str:
    """The account as the log of decisions tells it."""
    if not user.is_banned:
        return "open"
    until = user.banned_until
    return "banned" if until is None or until >= FOREVER else f"banned until {until:%Y-%m-%dT%H:%MZ}"
