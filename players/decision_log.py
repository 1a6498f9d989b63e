"""The log of decisions: what moderators decided, on what, about whom and why.

Rows are only added.  Numbers stand in place of foreign keys, so that no deletion of anything changes a row, and the name
of the moderator is kept as a text.  A trigger refuses to change rows, and this module says so earlier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from django.db import models
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from players.choices import TextChoices

if TYPE_CHECKING:
    from players.models import User

    _QuerySet = models.QuerySet["Decision", "Decision"]
else:
    _QuerySet = models.QuerySet

MAX_REASON: Final = 255
_MAX_STATE: Final = 64


class AppendOnly(TypeError):
    """The log of decisions cannot be changed."""


class Rule(TextChoices):
    """Rules that something broke: short, so that everybody can read the reason of a decision in their language."""

    SPAM = "spam", _("Spam or advertising")
    ABUSE = "abuse", _("Insults or harassment")
    NAME = "name", _("Offensive or misleading name")
    CHEATING = "cheating", _("Cheating or an edited file")
    THEFT = "theft", _("Someone else's game")
    PRIVATE = "private", _("Private information")
    OTHER = "other", _("Something else")

    @property
    def sentence(self) -> str:
        """The rule in English, as it is stored where a reason is a text; it is translated where it is shown."""
        with translation.override("en"):
            return str(self.label)


class Kind(TextChoices):
    """Kinds of things that are reported and decided about.  A name is that of a player, with the player's number."""

    REPLAY = "replay", _("Replay")
    COMMENT = "comment", _("Comment")
    NAME = "name", _("Player name")
    ROOM = "room", _("Room")
    ACCOUNT = "account", _("Account")


class Action(TextChoices):
    """Kinds of decisions, as the person hears of them."""

    DISMISSED = "dismissed", _("Reports reviewed: nothing wrong")
    JUDGED = "judged", _("Replay judged")
    DATED = "dated", _("Replay date decided")
    REENCODED = "reencoded", _("Name encoding changed")
    OWNED = "owned", _("Game ownership decided")
    DELETED = "deleted", _("Replay deleted")
    HIDDEN = "hidden", _("Comment hidden")
    SHOWN = "shown", _("Comment restored")
    RENAMED = "renamed", _("Player renamed")
    MERGED = "merged", _("Players merged")
    GRANTED = "granted", _("Claim approved")
    REFUSED = "refused", _("Claim rejected")
    RELEASED = "released", _("Name released")
    CLOSED = "closed", _("Room closed")
    COMMANDED = "commanded", _("Room moderated")
    BANNED = "banned", _("Account banned")
    LIFTED = "lifted", _("Ban lifted")
    UPHELD = "upheld", _("Appeal rejected: the ban stays")
    ROLE_GIVEN = "role_given", _("Made a moderator")
    ROLE_TAKEN = "role_taken", _("No longer a moderator")
    MARKED_BOT = "marked_bot", _("Marked as a bot")
    UNMARKED_BOT = "unmarked_bot", _("No longer marked as a bot")
    DEACTIVATED = "deactivated", _("Account deactivated")
    REACTIVATED = "reactivated", _("Account reactivated")
    STAFF_GIVEN = "staff_given", _("Admin access granted")
    STAFF_TAKEN = "staff_taken", _("Admin access removed")
    SUPERUSER_GIVEN = "superuser_given", _("Made a superuser")
    SUPERUSER_TAKEN = "superuser_taken", _("No longer a superuser")
    FACTOR_DELETED = "factor_deleted", _("Two-factor method deleted")
    TOKEN_REVOKED = "token_revoked", _("API token revoked")


class _Rows(_QuerySet):
    def update(self, **values: Any) -> NoReturn:
        raise AppendOnly

    def delete(self) -> NoReturn:
        raise AppendOnly

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnly


class Decision(models.Model):
    """``about_number``: the account whose thing it is.  ``by_number`` is None for the command line."""

    made_at = models.DateTimeField(auto_now_add=True)
    by_number = models.BigIntegerField(null=True)
    by_name = models.CharField(max_length=150, blank=True)
    action = models.CharField(max_length=16, choices=Action.options)
    kind = models.CharField(max_length=8, choices=Kind.options)
    number = models.BigIntegerField()
    about_number = models.BigIntegerField(null=True)
    rule = models.CharField(max_length=8, choices=Rule.options, blank=True)
    reason = models.CharField(max_length=MAX_REASON, blank=True)
    before = models.CharField(max_length=_MAX_STATE, blank=True)
    after = models.CharField(max_length=_MAX_STATE, blank=True)

    objects = models.Manager.from_queryset(_Rows)()

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["about_number", "-id"],
                name="decisions_about",
                condition=models.Q(about_number__isnull=False),
            ),
            models.Index(fields=["kind", "number"], name="decisions_on"),
        ]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d %H:%M} {self.by_name}: {self.kind} {self.number} {self.action}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise AppendOnly
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnly


def log_decision(
    by: User | None,
    action: Action,
    kind: Kind,
    number: int,
    *,
    about: int | None,
    rule: str = "",
    reason: str = "",
    before: str = "",
    after: str = "",
) -> Decision:
    """Add a decision; call it in the transaction that carries it out.  ``about``: the account whose thing it is."""
    return Decision.objects.create(
        by_number=None if by is None else by.pk, by_name="" if by is None else by.username, action=action, kind=kind,
        number=number, about_number=about, rule=rule, reason=reason[:MAX_REASON], before=before[:_MAX_STATE],
        after=after[:_MAX_STATE],
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Switch:
    """A switch of an account: the actions that turn it on and off, and what the log calls each state."""

    on: Action
    off: Action
    on_state: str
    off_state: str


SWITCHES: Final = {
    "is_active": _Switch(Action.REACTIVATED, Action.DEACTIVATED, "active", "deactivated"),
    "is_moderator": _Switch(Action.ROLE_GIVEN, Action.ROLE_TAKEN, "moderator", "account"),
    "is_staff": _Switch(Action.STAFF_GIVEN, Action.STAFF_TAKEN, "staff", "account"),
    "is_superuser": _Switch(Action.SUPERUSER_GIVEN, Action.SUPERUSER_TAKEN, "superuser", "account"),
}


def log_switch(user: User, field: str, by: User | None) -> Decision:
    """Log that ``field``, one of :data:`SWITCHES`, of ``user``, who has been saved, was turned on or off."""
    switch, is_on = SWITCHES[field], getattr(user, field)
    action, before, after = (
        (switch.on, switch.off_state, switch.on_state) if is_on else (switch.off, switch.on_state, switch.off_state)
    )
    return log_decision(by, action, Kind.ACCOUNT, user.pk, about=user.pk, before=before, after=after)
