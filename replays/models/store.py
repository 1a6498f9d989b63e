from __future__ import annotations

from django.db import models


class StoreMark(models.Model):
    """The name of a file in the store of this site; there is one row, and none before ``manage.py prepare``."""

    name = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name
