"""No rate limit, except in tests that set it."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "1000000/second")
    monkeypatch.setattr("replays.odds.positions.budget.TIME_LIMIT._rate", "1000000/second")
