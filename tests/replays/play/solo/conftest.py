"""Live games become replays at once: the worker is this process."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client

from players.models import User
from replays.play.sockets import socket_limits
from replays.play.sockets.visitors import Visitor, guest_of, set_guest_cookie
from replays.play.solo import solo_consumer
from replays.upload.processing.queue import ANALYSE
from replays.upload.processing.services import analyse_replays
from tests.replays.conftest import store as store
from tests.replays.sent_tasks import on_task

GUEST = guest_of("0123456789abcdef")


def cookie_of(client: Client, guest: Visitor) -> None:
    """Give a browser the signed cookie of a guest."""
    response = HttpResponse()
    set_guest_cookie(response, guest)
    client.cookies.load({name: morsel.value for name, morsel in response.cookies.items()})


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """Counts of games and sockets of one test do not affect another."""
    socket_limits.limits_of_process.cache_clear()
    solo_consumer._new_games.cache_clear()


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests without a worker do not wait for it."""
    monkeypatch.setattr("replays.play.solo.playing.outcomes._PATIENCE_SECONDS", 0.5)


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replays are analysed where they are queued, after the commit, and players wait for them."""
    monkeypatch.setattr("replays.play.solo.playing.outcomes._PATIENCE_SECONDS", 30)
    on_task(monkeypatch, ANALYSE, analyse_replays)


@pytest.fixture
def visitor(owner: User) -> Visitor:
    """The account ``owner`` at the socket."""
    return Visitor(owner.pk, "", owner.username)
