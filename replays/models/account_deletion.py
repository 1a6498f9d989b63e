from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class AccountDeletion(models.Model):
    """An account that its owner deleted: what becomes of its uploads, and how far the work is (``replays.own.leaving``).

    The row of the account stays as a number without a name, so that whatever is written at the same time, and the audit
    log, have something to refer to.  ``worked_at``: when a worker was last at it.
    """

    class Uploads(models.TextChoices):
        LEAVE = "leave", _("leave my replays, without the account")
        DELETE = "delete", _("delete my uploads")

    user = models.OneToOneField("players.User", models.CASCADE, primary_key=True, related_name="deletion")
    uploads = models.CharField(max_length=6, choices=Uploads)
    asked_at = models.DateTimeField()
    worked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["worked_at"], name="deletions_unfinished", condition=Q(finished_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.uploads}"
