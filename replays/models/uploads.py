from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.choices import TextChoices
from players.models import MAX_NAME_CHARS
from replays.models.replay import Replay


class DeletedGame(models.Model):
    """A replay that somebody else than its uploader deleted, so that the uploader can be told (``replays.own.me``)."""

    user = models.ForeignKey("players.User", models.CASCADE, related_name="deleted_games", db_index=False)
    replay_number = models.BigIntegerField()  # no foreign key: it does not exist any more
    original_name = models.CharField(max_length=MAX_NAME_CHARS, blank=True)
    deleted_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-deleted_at"], name="deleted_games_of_user")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.replay_number}"


class HomeVisit(models.Model):
    """When an account last looked at its start page, and before that visit: what has moved since is told.

    ``*_event``: the newest row of ``RecordEvent`` at that time; no foreign keys, since events are deleted with games.
    ``since_*`` are NULL during the first visit.
    """

    user = models.OneToOneField("players.User", models.CASCADE, primary_key=True, related_name="home_visit")
    seen_at = models.DateTimeField()
    seen_event = models.BigIntegerField()
    since_at = models.DateTimeField(null=True)
    since_event = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.seen_at}"


class AccountDeletion(models.Model):
    """An account that its owner deleted: what becomes of its uploads, and how far the work is (``replays.own.account_deletion``).

    The account stays for some minutes as a number without a name, so that what is written at the same time has something
    to refer to; then it goes, and this row with it.  ``worked_at``: when a worker was last at it.
    """

    class Uploads(TextChoices):
        LEAVE = "leave", _("keep my replays, without my account")
        DELETE = "delete", _("delete my uploads")

    user = models.OneToOneField("players.User", models.CASCADE, primary_key=True, related_name="deletion")
    uploads = models.CharField(max_length=6, choices=Uploads.options)
    asked_at = models.DateTimeField()
    worked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id}: {self.uploads}"


class UploadBatch(models.Model):
    """Files that an account sent from one upload page, so that their progress and outcome have an address.

    ``files``: how many rows of ``BatchFile`` were made; ``known``: files that were not sent, since they are here already.
    """

    user = models.ForeignKey("players.User", models.CASCADE, related_name="upload_batches", db_index=False)
    made_at = models.DateTimeField()
    files = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "-id"], name="upload_batches_of_user"),
            models.Index(fields=["made_at"], name="upload_batches_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.files} files"

    def get_absolute_url(self) -> str:
        return reverse("upload-batch", args=[self.pk])


class BatchFile(models.Model):
    """``message``: why it was not stored."""

    class Outcome(TextChoices):
        STORED = "stored", _("stored")
        DUPLICATE = "duplicate", _("duplicate")
        REFUSED = "refused", _("refused")

    batch = models.ForeignKey(UploadBatch, models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=MAX_NAME_CHARS, blank=True)
    outcome = models.CharField(max_length=9, choices=Outcome.options)
    message = models.TextField(blank=True)
    replay = models.ForeignKey(Replay, models.SET_NULL, null=True, related_name="+")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["batch", "id"], name="files_of_batch")]

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.name} {self.outcome}"
