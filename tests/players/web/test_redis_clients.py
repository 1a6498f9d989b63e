"""Every client of Redis waits as long as every other, and a server that hangs holds no lock."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.core.cache.backends.redis import RedisCache
from django.urls import reverse
from pytest_django import Settings

from config.site import broker
from players.models import User
from players.web import rate_limits, redis_clients
from players.web.rate_limits import RateLimit
from replays.models import Comment, Replay
from replays.play.rooms import services as room_services
from replays.play.rooms.hub import Hub
from replays.play.sockets.shared_counts import SharedCounts
from replays.watch.comments.services import comment_create, like_set
from tests.config.test_project import ROOT
from tests.factories import comment_report, rank_replays
from tests.pages.conftest import game as game
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.transactions import holds_locks, undone

SECONDS = 2
MAKES = re.compile(r"\bRedis(\.from_url)?\(|ConnectionPool\(")


class HungServer:
    """It takes connections and never answers; ``connections`` counts them."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(0)
        self.port = self._listening.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def connections(self) -> int:
        """Accept and close the connections that came since the last call, and return their number."""
        taken: list[socket.socket] = []
        while True:
            try:
                taken.append(self._listening.accept()[0])
            except BlockingIOError:
                break
        for one in taken:
            one.close()
        return len(taken)

    def close(self) -> None:
        self._listening.close()


@pytest.fixture
def hung(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[HungServer]:
    """The counts are on a server that hangs; clients that are made from now on are less patient than usual."""
    server = HungServer()
    short = {"socket_timeout": 0.05, "socket_connect_timeout": 0.05}
    monkeypatch.setattr(redis_clients, "_TIMEOUTS", short)
    settings.RATE_LIMITS_URL = server.url
    rate_limits._limiter.cache_clear()
    yield server
    rate_limits._limiter.cache_clear()
    server.close()


def patience(client: Any) -> tuple[object, object]:
    """Return how long ``client`` waits for an answer and for a connection."""
    made = client.connection_pool.connection_kwargs
    return made["socket_timeout"], made["socket_connect_timeout"]


def test_every_client_waits_two_seconds(settings: Settings, tmp_path: Any) -> None:
    url = settings.PLAY_BUS_URL = "redis://127.0.0.1:1/0"
    room_services._client.cache_clear()
    cache = RedisCache(url, {"OPTIONS": redis_clients.options()})
    clients = {
        "any": redis_clients.client(url),
        "of a loop": redis_clients.async_client(url),
        "rooms": room_services._client(),
        "sockets": SharedCounts(url, {})._client,
        "the broker": broker._client(tmp_path / "socket"),
        "the cache": cache._cache.get_client(),
    }
    room_services._client.cache_clear()
    assert {name: patience(client) for name, client in clients.items()} == dict.fromkeys(clients, (SECONDS, SECONDS))


def test_the_clients_of_the_hub_wait_two_seconds() -> None:
    async def both() -> list[tuple[object, object]]:
        hub = Hub("redis://127.0.0.1:1/0")
        found = [patience(hub._client), patience(hub._subscriber)]
        hub._task.cancel()
        await asyncio.gather(hub._task, return_exceptions=True)
        return found

    assert asyncio.run(both()) == [(SECONDS, SECONDS)] * 2


def test_the_counts_wait_two_seconds(settings: Settings) -> None:
    settings.RATE_LIMITS_URL = "redis://127.0.0.1:1/0"
    rate_limits._limiter.cache_clear()
    found = patience(rate_limits._limiter().storage.storage)  # type: ignore[attr-defined]  # of Redis
    rate_limits._limiter.cache_clear()
    assert found == (SECONDS, SECONDS)


def test_no_other_place_makes_clients() -> None:
    """A client that is made elsewhere would wait as long as redis-py does by default."""
    sources = [path for folder in ("config", "players", "replays") for path in (ROOT / folder).rglob("*.py")]
    found = [path.name for path in sources if MAKES.search(path.read_text())]
    assert found == ["redis_clients.py"]


def test_a_server_that_hangs_is_asked_once(hung: HungServer) -> None:
    with pytest.raises(redis.exceptions.TimeoutError):
        redis_clients.client(hung.url).ping()
    assert hung.connections() == 1


@pytest.mark.django_db
def test_nothing_is_locked_while_counts_are_awaited(
    hung: HungServer, game: Replay, owner: User, other_player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comments, reports and likes are written with a server that hangs, and no transaction waits for it."""
    counted: list[tuple[str, bool]] = []
    count = RateLimit.count

    def spied(self: RateLimit, visitor: str, number: int = 1) -> bool:
        counted.append((self.name, holds_locks()))
        return count(self, visitor, number)

    monkeypatch.setattr(RateLimit, "count", spied)
    rank_replays([game])
    comment = comment_create(game, owner, "Well played.")
    comment_report(comment, other_player, "Rude.", "203.0.113.1")
    like_set(game, owner, liked=True)
    names = ("comments", "comments-a-day", "reports", "reports-of-an-address", "likes")
    assert counted == [(name, False) for name in names]
    assert hung.connections() >= 1
    assert Comment.objects.count() == 1


@pytest.mark.django_db
def test_the_guard_of_the_tests_sees_transactions(owner: User) -> None:
    from django.db import transaction

    with undone():
        RateLimit("x", "1/hour").allows("y")
        with transaction.atomic(), pytest.raises(AssertionError, match="locks wait"):
            RateLimit("x", "1/hour").allows("y")


@pytest.mark.django_db
def test_a_comment_on_the_page_is_written_while_the_server_hangs(
    hung: HungServer, game: Replay, owner_client: Any
) -> None:
    answer = owner_client.post(reverse("replay-comments", args=[game.pk]), {"text": "Well played."})
    assert answer.status_code == 302
