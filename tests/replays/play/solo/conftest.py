"""Live games become replays at once: the worker is this process."""

from __future__ import annotations

import pytest

from players.models import User
from replays.play.sockets import limits
from replays.play.sockets.visitors import Visitor, guest_of
from replays.play.solo import consumer
from replays.processing.services import analyse_replays
from tests.replays.conftest import store as store

GUEST = guest_of("0123456789abcdef")


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """Counts of games and sockets of one test do not affect another."""
    limits.limits_of_process.cache_clear()
    consumer._new_games.cache_clear()


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests without a worker do not wait for it."""
    monkeypatch.setattr("replays.play.solo.playing.ending._PATIENCE_SECONDS", 0.5)


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replays are analysed where they are queued, after the commit."""
    monkeypatch.setattr("replays.processing.queue._publish", analyse_replays)
    monkeypatch.setattr("replays.processing.queue._publish_luck", lambda ids: None)


@pytest.fixture
def visitor(owner: User) -> Visitor:
    """The account ``owner`` at the socket."""
    return Visitor(owner.pk, "", owner.username)
