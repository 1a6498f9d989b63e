from __future__ import annotations

from django.db import models


class TextChoices(models.TextChoices):
    @classmethod
    def options(cls) -> list[tuple[str, str]]:
        """Return the values and labels; as ``choices`` of a column it keeps the words out of the migrations."""
        return cls.choices
