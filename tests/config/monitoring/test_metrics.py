"""/metrics adds up all processes, is read by this machine or with a token alone, and has a bounded number of series."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import redis
from django.conf import settings as site_settings
from django.test import Client
from pytest_django import Settings

from config.http import vitals
from players.web import counters, redis_clients
from tests.cases import check_each
from tests.services import Broker, free_port

pytestmark = pytest.mark.django_db(transaction=True)

#: A line of the format: a name, labels, a number.
SAMPLE = re.compile(r'([a-z_]+)(\{(?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*\})? (-?[\d.e+]+|\+Inf)')


@pytest.fixture
def server(broker: Broker) -> Iterator[redis.Redis]:
    counters.forget()
    client = redis_clients.client(site_settings.METRICS_URL)
    client.delete(counters._KEY, counters._PROCESSES_KEY)
    yield client
    client.close()
    counters.forget()


def ask(**headers: str) -> str:
    vitals.forget()
    answer = Client().get("/metrics", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def samples(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            match = SAMPLE.fullmatch(line)
            assert match is not None, line
            assert match[1] + (match[2] or "") not in found, "a series twice"
            found[match[1] + (match[2] or "")] = float(match[3])
    return found


def test_the_format(server: redis.Redis) -> None:
    counters.count("refusals", reason='a"b\\c\nd')
    counters.observe("request_seconds", 0.03, route="replays/<int:pk>/")
    text = ask()
    found = samples(text)
    assert found['sweepbook_refusals_total{reason="a\\"b\\\\c\\nd"}'] == 1
    assert found['sweepbook_up{part="database"}'] == 1
    assert found["sweepbook_rooms"] == found["sweepbook_queued_replays"] == 0
    types = re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE)
    assert len(types) == len(dict(types))
    assert ("sweepbook_request_seconds", "histogram") in types


def test_buckets_are_cumulative(server: redis.Redis) -> None:
    for seconds in (0.001, 0.005, 0.03, 99.0):
        counters.observe("request_seconds", seconds, route="x")
    found = samples(ask())
    bucket = 'sweepbook_request_seconds_bucket{{route="x",le="{}"}}'
    assert [found[bucket.format(bound)] for bound in ("0.005", "0.01", "0.05", "10", "+Inf")] == [2, 2, 3, 3, 4]
    assert found['sweepbook_request_seconds_count{route="x"}'] == 4
    assert found['sweepbook_request_seconds_sum{route="x"}'] == pytest.approx(99.036)


def test_processes_add_up(server: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "_kind", "web")
    monkeypatch.setattr(counters, "_sockets", 3)
    for name in ("a:1", "b:1"):
        monkeypatch.setattr(counters, "_own_name", lambda name=name: name)
        counters.count("requests", route="x", status=200)
        counters.flush()
    server.hset(counters._PROCESSES_KEY, "c:1", "web 50 1000")  # has ended long ago
    monkeypatch.setattr(counters, "_own_name", lambda: "a:1")
    found = samples(ask())
    assert found['sweepbook_requests_total{route="x",status="200"}'] == 2
    assert (found["sweepbook_sockets"], found['sweepbook_processes{kind="web"}']) == (6, 2)


def test_queues_are_measured(server: redis.Redis) -> None:
    server.rpush("luck", "a", "b")
    try:
        assert samples(ask())['sweepbook_queue_length{queue="luck"}'] == 2
    finally:
        server.delete("luck")


def test_counts_wait_for_a_server_that_is_away(server: redis.Redis, settings: Settings) -> None:
    there = settings.METRICS_URL
    settings.METRICS_URL = f"redis://127.0.0.1:{free_port()}/0"
    counters.count("requests", route="x", status=200)
    counters.flush()
    assert "sweepbook_up" in ask(), "what needs no server is told all the same"
    settings.METRICS_URL = there
    assert samples(ask())['sweepbook_requests_total{route="x",status="200"}'] == 1


def test_what_an_older_version_counted_is_left_out(server: redis.Redis) -> None:
    for field in ("gone\x1fx", "requests\x1fx", "request_seconds\x1fx"):
        server.hset(counters._KEY, field, 5)
    assert not any("total{" in series for series in samples(ask()))


def test_the_number_of_series_is_bounded(server: redis.Redis) -> None:
    """Also if a label had the text of a stranger."""
    for number in range(counters.MOST_SERIES + 500):
        counters.count("refusals", reason=f"{number}" + "x" * 10_000)
    assert len(counters._counts) <= counters.MOST_SERIES + 1
    assert max(map(len, counters._counts)) < 200
    assert counters._counts[f"refusals\x1f{counters.OTHER}"] == 500


# --- who may ask ---


@pytest.mark.parametrize("proxies", [0, 1, 2])
def test_strangers_are_refused_whatever_they_write(settings: Settings, proxies: int) -> None:
    settings.NUM_PROXIES = proxies

    def is_answered(remote: str, forwarded: str, status: int) -> None:
        given = {"X-Forwarded-For": forwarded} if forwarded else {}
        answer = Client(REMOTE_ADDR=remote).get("/metrics", headers=given)
        assert answer.status_code == status
        assert status == 200 or b"sweepbook" not in answer.content

    cases = [
        ("127.0.0.1", "", 200),
        ("::1", "", 200),
        ("", "", 200),  # a socket file
        ("", "127.0.0.1", 200),  # through the proxy of this machine
        ("192.0.2.7", "", 403),
        ("192.0.2.7", "127.0.0.1", 403),
        ("127.0.0.1", "192.0.2.7", 403),
        ("", "127.0.0.1, 192.0.2.7", 403),
        ("127.0.0.1", "192.0.2.7, 127.0.0.1", 403),
        ("127.0.0.1", "localhost", 403),
    ]
    check_each(is_answered, cases)


def test_a_token_opens_it(settings: Settings) -> None:
    for token, given, status in (
        ("", "", 403), ("", "Bearer ", 403), ("", "Bearer", 403), ("right", "Bearer right", 200),
        ("right", "Bearer wrong", 403), ("right", "Bearer righ", 403), ("right", "Basic right", 403), ("right", "", 403),
        ("right", "Bearer é", 403),
    ):  # fmt: skip
        settings.METRICS_TOKEN = token
        headers = {"Authorization": given} if given else {}
        answer = Client(REMOTE_ADDR="192.0.2.7").get("/metrics", headers=headers)
        assert answer.status_code == status, (token, given)


def test_it_is_read_only_and_kept_by_nobody(server: redis.Redis) -> None:
    assert Client().post("/metrics").status_code == 405
    assert "no-store" in Client().get("/metrics")["Cache-Control"]
