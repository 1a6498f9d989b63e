"""Reports of things, one open case for each thing, and bans of accounts with their appeals."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from analysis.names import shown_name
from players.choices import TextChoices
from players.decision_log import MAX_REASON, Kind, Rule


class ReportedThing(models.Model):
    """A replay, comment, player name or room that somebody reported.  The number is no foreign key: what is gone waits too.

    ``clicks``: of the play (``PlayTrace``) of a replay; an open case without its file waits for the next one of it.
    ``opened_at``: the first of the reports that are open; ``closed_at``: when a moderator decided about them.
    """

    kind = models.CharField(max_length=8, choices=Kind.options)
    number = models.BigIntegerField()
    clicks = models.BinaryField(max_length=16, null=True)
    #: The account whose thing it was at the last report.
    about = models.ForeignKey("players.User", models.SET_NULL, null=True, blank=True, related_name="reported_things")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["kind", "number"], name="one_case_a_thing")]
        indexes: ClassVar = [
            models.Index(fields=["opened_at", "id"], name="cases_open", condition=Q(closed_at__isnull=True)),
            models.Index(
                fields=["clicks"], name="cases_of_plays", condition=Q(closed_at__isnull=True, clicks__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class Report(models.Model):
    """One person's report of one thing; a second one changes the first."""

    thing = models.ForeignKey(ReportedThing, models.CASCADE, related_name="reports", db_index=False)
    user = models.ForeignKey("players.User", models.CASCADE, related_name="reports")
    rule = models.CharField(max_length=8, choices=Rule.options)
    text = models.CharField(max_length=MAX_REASON, blank=True, default="")
    made_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["thing", "user"], name="one_report_a_person")]
        indexes: ClassVar = [
            models.Index(fields=["thing", "id"], name="reports_open", condition=Q(closed_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.thing_id}: {self.rule} {self.text[:40]}"

    @property
    def shown_text(self) -> str:
        return shown_name(self.text)


class Ban(models.Model):
    """``until`` is None for a ban without an end; ``ended_at``: when it was lifted, or another took its place."""

    user = models.ForeignKey("players.User", models.CASCADE, related_name="bans", db_index=False)
    by = models.ForeignKey("players.User", models.SET_NULL, null=True, blank=True, related_name="+")
    rule = models.CharField(max_length=8, choices=Rule.options)
    reason = models.CharField(max_length=MAX_REASON, blank=True, default="")
    made_at = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user"], condition=Q(ended_at__isnull=True), name="one_ban_at_a_time"),
            models.CheckConstraint(condition=Q(until=None) | Q(until__gt=F("made_at")), name="ban_ends_after_it_began"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "-id"], name="bans_of_user"),
            models.Index(fields=["-id"], name="bans_in_force", condition=Q(ended_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} until {self.until or '–'}"

    @property
    def is_in_force(self) -> bool:
        return self.ended_at is None and (self.until is None or self.until > timezone.now())


class BanAppeal(models.Model):
    class State(TextChoices):
        OPEN = "open", _("open")
        GRANTED = "granted", _("granted")
        DENIED = "denied", _("denied")

    MAX_CHARS: ClassVar = 1_000

    ban = models.ForeignKey(Ban, models.CASCADE, related_name="appeals")
    text = models.TextField(max_length=MAX_CHARS)
    made_at = models.DateTimeField()
    state = models.CharField(max_length=7, choices=State.options, default=State.OPEN)
    answer = models.CharField(max_length=MAX_REASON, blank=True, default="")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ban"], condition=Q(state="open"), name="one_open_appeal_a_ban"),
        ]
        indexes: ClassVar = [models.Index(fields=["id"], name="ban_appeals_open", condition=Q(state="open"))]

    def __str__(self) -> str:
        return f"{self.ban_id} {self.state}"
