"""Opinions of people on a replay: appeals, comments, likes."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from analysis.names import shown_name
from players.choices import TextChoices
from replays.models.replay import Replay


class Appeal(models.Model):
    class State(TextChoices):
        OPEN = "open", _("open")
        GRANTED = "granted", _("granted")
        DENIED = "denied", _("denied")

    MAX_CHARS: ClassVar = 1_000

    replay = models.ForeignKey(Replay, models.CASCADE, related_name="appeals")
    user = models.ForeignKey("players.User", models.SET_NULL, null=True, blank=True, related_name="appeals")
    text = models.TextField(max_length=MAX_CHARS)
    created_at = models.DateTimeField()
    state = models.CharField(max_length=7, choices=State.options, default=State.OPEN)
    answer = models.CharField(max_length=255, blank=True, default="")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["replay"], condition=Q(state="open"), name="one_open_appeal"),
        ]

    def __str__(self) -> str:
        return f"{self.replay_id} {self.state}"


class Comment(models.Model):
    """A comment on a game: plain text, deleted with the game and with the account of its author.

    ``hidden_at``: when staff hid it from everybody but its author, with the reason.
    """

    MAX_CHARS: ClassVar = 2_000

    replay = models.ForeignKey(Replay, models.CASCADE, related_name="comments", db_index=False)
    user = models.ForeignKey("players.User", models.CASCADE, related_name="comments", db_index=False)
    text = models.TextField(max_length=MAX_CHARS)
    created_at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(
        "players.User", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    hidden_reason = models.CharField(max_length=255, blank=True, default="")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["replay", "id"], name="comment_of_replay"),
            models.Index(fields=["user", "-id"], name="comment_of_user"),
            models.Index(fields=["hidden_by"], name="comment_hidden_by", condition=Q(hidden_by__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.replay_id}: {self.text[:40]}"

    @property
    def shown_text(self) -> str:
        """Hidden characters are made visible, line by line."""
        return "\n".join(map(shown_name, self.text.split("\n")))


class Like(models.Model):
    replay = models.ForeignKey(Replay, models.CASCADE, related_name="likes", db_index=False)
    user = models.ForeignKey("players.User", models.CASCADE, related_name="likes")
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["replay", "user"], name="one_like_each")]

    def __str__(self) -> str:
        return f"{self.replay_id} {self.user_id}"
