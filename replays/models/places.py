"""Places of plays that came in several files, what is contested about them, and who sent the bytes of a file again."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.choices import TextChoices
from players.models import MAX_NAME_CHARS


class Place(models.Model):
    """The place of a play of which several files are here; the rules: ``replays.trust.places.place_rules``.

    ``holder``: the number of the game that holds it, which is that of its first file.  ``decided_at``: when staff chose it.
    """

    holder = models.BigIntegerField()
    held_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey("players.User", models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=255, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.pk}: {self.holder}"


class Contest(models.Model):
    """An account's word that ``game`` is the true one of a place; what ends without staff leaves no row.

    ``user``: NULL for the operator.  ``place``: NULL once nothing is left of it, for a stake that was conceded stays so.
    ``takes``: nothing of the place counts meanwhile.  ``lost_to``: the name for which staff decided against it.
    """

    class State(TextChoices):
        """``LINE``: waits until its account has a stake."""

        OPEN = "open", _("waits for a moderator")
        LINE = "line", _("in line")
        WON = "won", _("won")
        LOST = "lost", _("lost")
        EXCUSED = "excused", _("an honest mistake")
        CONCEDED = "conceded", _("taken back")

    UNFINISHED: ClassVar = (State.OPEN, State.LINE)

    place = models.ForeignKey(Place, models.SET_NULL, null=True, related_name="contests")
    user = models.ForeignKey("players.User", models.CASCADE, null=True, related_name="contests")
    game = models.BigIntegerField()
    takes = models.BooleanField()
    state = models.CharField(max_length=8, choices=State.options)
    lost_to = models.CharField(max_length=MAX_NAME_CHARS, blank=True, default="")
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["place", "user"], condition=models.Q(state__in=["open", "line"]), name="one_contest_a_place"
            )
        ]

    def __str__(self) -> str:
        return f"{self.place_id}: {self.user_id} {self.state}"


class Sending(models.Model):
    """An account that sent the bytes of a replay after its uploader."""

    replay = models.ForeignKey("replays.Replay", models.CASCADE, related_name="sendings", db_index=False)
    user = models.ForeignKey("players.User", models.CASCADE, related_name="sendings")
    sent_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["replay", "user"], name="sent_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.replay_id}"
