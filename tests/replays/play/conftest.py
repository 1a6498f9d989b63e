"""Live play without a worker: what is asked of one is done at once."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import pytest
from django.db import connection

from replays.play.solo import services
from replays.play.tasks import hand_in


@pytest.fixture(autouse=True)
def _handed_in_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replays of decided games are stored where a worker is asked for them."""

    def hand_in_here(games: Sequence[uuid.UUID]) -> None:
        try:
            hand_in(list(map(str, games)))
        finally:
            connection.close()

    monkeypatch.setattr(services, "queue_hand_in", hand_in_here)
