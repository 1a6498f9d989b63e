"""Versions of programs that the staff of this site accepted; those known to everybody are in ``analysis.evidence.programs``."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class AcceptedVersion(models.Model):
    """Version of a program that staff accepted, for one variant of its format; the texts are as in ``Replay``."""

    format = models.CharField(max_length=8)
    format_variant = models.CharField(max_length=32, blank=True, default="")
    software = models.CharField(max_length=255)
    accepted_at = models.DateTimeField()
    accepted_by = models.ForeignKey("players.User", models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["format", "format_variant", "software"], name="accepted_version_once")
        ]

    def __str__(self) -> str:
        return f"{self.format} {self.software}"
