"""Positions may be asked for as often as tests like; those about the limit set it themselves."""

from __future__ import annotations

import pytest
from rest_framework.throttling import SimpleRateThrottle


@pytest.fixture(autouse=True)
def _no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "position", "1000000/second")
