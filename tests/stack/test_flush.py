"""All keys of Redis are deleted during traffic: they are made again, and no page shows anything wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import redis
from django.test import Client

from analysis.bots import demo_games
from analysis.formats import rawvf
from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import LUCK_IS_WANTED, Replay
from tests.effort import amount
from tests.players.naive_boards import expected_boards, stored_boards
from tests.players.site_check import naive_of_now
from tests.services import Broker, wait_until
from tests.stack.web import Visitor, Web
from tests.worker import Worker

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

UPLOADS = amount(long=90, usual=45)
FLUSHES_AFTER = (UPLOADS // 6, UPLOADS // 3, UPLOADS // 2)
LOST_FROM = 2 * UPLOADS // 3  # from here on no worker takes the messages before they are dropped
BOARDS = [("beginner", "time"), ("intermediate", "bvs"), ("expert", "ioe")]


@pytest.fixture(scope="module")
def files() -> list[bytes]:
    return [rawvf.write(game) for game in demo_games(11, UPLOADS, until=datetime(2024, 6, 1, tzinfo=UTC))]


@pytest.fixture
def web(worker: Worker, tmp_path: Path) -> Iterator[Web]:
    """A web server on the database and broker of ``worker``."""
    made = Web(tmp_path / "web.log", worker.environment())
    made.start()
    yield made
    made.stop()


def flush(broker: Broker) -> None:
    """Drop every key of every database of the server: queue, bindings, cache, counters."""
    with redis.Redis.from_url(broker.url) as server:
        server.flushall()


def send(visitor: Visitor, files: Sequence[bytes], start: int) -> None:
    for number, data in enumerate(files, start):
        answer = visitor.upload(f"{number}.rawvf", data)
        assert answer.status == 202, (answer.status, answer.body)
        (receipt,) = answer.json()["receipts"]
        assert receipt["outcome"] == "stored"


def settled() -> int:
    return Replay.objects.filter(status__in=[Replay.Status.DONE, Replay.Status.REJECTED]).count()


def wait_for(count: int, worker: Worker) -> None:
    wait_until(lambda: settled() == count, seconds=180, what=f"{count} settled replays:\n{worker.text()[-2000:]}")


class Reader(threading.Thread):
    """Reads boards and pages without a pause, and notes whatever is wrong with them."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.visitor = Visitor(port)
        self.wrong: list[str] = []
        self.read = 0
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.is_set():
            for level, statistic in BOARDS:
                self.look(f"/api/v1/leaderboards/{level}/{statistic}/?size=200")
            for page in ("/", "/leaderboards/combined/time/", "/replays/", "/api/v1/records/"):
                self.look(page)
        self.visitor.close()

    def look(self, path: str) -> None:
        answer = self.visitor.get(path)
        self.read += 1
        if answer.status != 200:
            self.wrong.append(f"{path}: {answer.status}")
        elif "/leaderboards/" in path and path.startswith("/api/"):
            board = answer.json()
            ranks = [row["rank"] for row in board["rows"]]
            players = [row["player"]["id"] for row in board["rows"]]
            if any(one > other for one, other in pairwise(ranks)) or len(set(players)) < len(players):
                self.wrong.append(f"{path}: ranks {ranks} of players {players}")


def signed_in(user: User, port: int) -> Visitor:
    client = Client()
    client.force_login(user)
    return Visitor(port, {"Cookie": f"sessionid={client.cookies['sessionid'].value}"})


def with_token(user: User, port: int) -> Visitor:
    return Visitor(port, {"Authorization": f"Token {token_create(user, 'stack', [Scope.READ, Scope.UPLOAD])[1]}"})


def shown_boards(visitor: Visitor) -> list[list[tuple[Any, ...]]]:
    boards = []
    for level, statistic in BOARDS:
        rows = visitor.get(f"/api/v1/leaderboards/{level}/{statistic}/?size=200").json()["rows"]
        boards.append(sorted((row["rank"], row["player"]["id"], row["value"]) for row in rows))
    return boards


@pytest.mark.long(
    beside="tests/replays/upload/processing/test_analyse.py::test_a_worker_that_lost_its_claim_saves_nothing"
)
def test_every_key_is_dropped_in_the_middle_of_traffic(
    worker: Worker, broker: Broker, web: Web, files: list[bytes], owner: User
) -> None:
    uploader, person = with_token(owner, web.port), signed_in(owner, web.port)
    worker.start()
    reader = Reader(web.port)
    reader.start()
    try:
        done = 0
        for until in (*FLUSHES_AFTER, LOST_FROM):
            send(uploader, files[done:until], done)
            done = until
            if until in FLUSHES_AFTER:
                flush(broker)
        wait_for(LOST_FROM, worker)
        assert person.get("/upload/").status == 200, "a session lives in the database, and outlives the cache"

        worker.stop()
        send(uploader, files[LOST_FROM:], LOST_FROM)
        flush(broker)
        assert Replay.objects.filter(status=Replay.Status.QUEUED).count() == UPLOADS - LOST_FROM
        with redis.Redis.from_url(broker.url) as server:
            assert server.llen("celery") == 0, "a message is left: this test shows nothing of the sweep"
        worker.start()
        wait_for(UPLOADS, worker)
        wait_until(
            lambda: not Replay.objects.filter(LUCK_IS_WANTED).exists(),
            seconds=180, what=f"the luck of all replays, which the boards hold too:\n{worker.text()[-2000:]}",
        )  # fmt: skip
    finally:
        reader.ended.set()
        reader.join(60)
    assert reader.wrong == []
    assert reader.read > len(BOARDS)
    assert Replay.objects.filter(status=Replay.Status.DONE).count() == UPLOADS
    assert stored_boards() == expected_boards()

    site = naive_of_now()
    expected = [
        sorted((row.rank, row.player, row.value) for row in site.board(level, statistic, "all"))
        for level, statistic in BOARDS
    ]
    assert any(expected)
    assert shown_boards(uploader) == expected
    flush(broker)
    assert shown_boards(uploader) == expected
    assert "Traceback" not in web.text()
    uploader.close()
    person.close()
