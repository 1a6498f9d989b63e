"""Hypothesis without a clock: the first call of a compiled function takes seconds, and no test is about time."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("no deadline")
settings.load_profile("no deadline")
