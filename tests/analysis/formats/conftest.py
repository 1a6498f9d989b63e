"""Hypothesis without deadlines, since the first call of a compiled function takes seconds."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no deadline")
settings.load_profile("no deadline")
