"""No rate limit, except in tests that set it."""

from __future__ import annotations

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _no_limit(settings: Settings) -> None:
    settings.POSITION_RATE = settings.POSITION_CPU_RATE = "1000000/second"
