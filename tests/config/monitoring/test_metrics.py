"""/metrics adds up all processes, is read by this machine or with a token alone, and has a bounded number of series."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.test import Client
from pytest_django import Settings

from config import signs_of_life
from config.http import vitals
from players.web import counters
from tests.cases import check_each
from tests.services import Broker

pytestmark = pytest.mark.django_db(transaction=True)

#: A line of the format: a name, labels, a number.
SAMPLE = re.compile(r'([a-z_]+)(\{(?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*\})? (-?[\d.e+]+|\+Inf)')


@pytest.fixture(autouse=True)
def _nothing_counted(settings: Settings, tmp_path: Path) -> Iterator[None]:
    settings.METRICS_DIR = tmp_path / "metrics"
    counters.forget()
    yield
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


def test_the_format() -> None:
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


def test_buckets_are_cumulative() -> None:
    for seconds in (0.001, 0.005, 0.03, 99.0):
        counters.observe("request_seconds", seconds, route="x")
    found = samples(ask())
    bucket = 'sweepbook_request_seconds_bucket{{le="{}",route="x"}}'
    assert [found[bucket.format(bound)] for bound in ("0.005", "0.01", "0.05", "10.0", "+Inf")] == [2, 2, 3, 3, 4]
    assert found['sweepbook_request_seconds_count{route="x"}'] == 4
    assert found['sweepbook_request_seconds_sum{route="x"}'] == pytest.approx(99.036)


_PROCESS: Final = """
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

with mock.patch("django.conf.settings", SimpleNamespace(METRICS_DIR=Path(sys.argv[1]))):
    from players.web import counters
counters.start("web")
counters.count("requests", route="x", status=200)
counters.add_sockets(3)
print("counted", flush=True)
sys.stdin.read()
"""


def process(folder: Path) -> subprocess.Popen[str]:
    running = subprocess.Popen(
        [sys.executable, "-c", _PROCESS, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "counted\n"
    return running


def test_processes_add_up_and_what_they_counted_stays(settings: Settings) -> None:
    requests = 'sweepbook_requests_total{route="x",status="200"}'
    processes = [process(settings.METRICS_DIR) for _number in range(2)]
    found = samples(ask())
    assert (found[requests], found['sweepbook_sockets{kind="web"}'], found['sweepbook_processes{kind="web"}']) == (
        2,
        6,
        2,
    )
    for one in processes:
        one.kill()
        one.communicate()
    found = samples(ask())
    assert found[requests] == 2
    assert not [series for series in found if series.startswith(("sweepbook_sockets", "sweepbook_processes"))]
    files = set(settings.METRICS_DIR.glob("counter_*"))
    for one in [process(settings.METRICS_DIR) for _number in range(2)]:
        one.kill()
        one.communicate()
    assert samples(ask())[requests] == 4
    assert set(settings.METRICS_DIR.glob("counter_*")) == files, "the next processes take over the files"


def test_queues_are_measured(broker: Broker) -> None:
    server = signs_of_life.client()
    server.rpush("luck", "a", "b")
    try:
        assert samples(ask())['sweepbook_queue_length{queue="luck"}'] == 2
    finally:
        server.delete("luck")


def test_the_number_of_series_is_bounded() -> None:
    """Also if a label had the text of a stranger."""
    for number in range(counters.MOST_SERIES + 500):
        counters.count("refusals", reason=f"{number}" + "x" * 10_000)
    found = [series for series in samples(ask()) if series.startswith("sweepbook_refusals_total")]
    assert len(found) == counters.MOST_SERIES + 1
    assert max(map(len, found)) < 200
    assert samples(ask())['sweepbook_refusals_total{reason="other"}'] == 500


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


def test_it_is_read_only_and_kept_by_nobody() -> None:
    assert Client().post("/metrics").status_code == 405
    assert "no-store" in Client().get("/metrics")["Cache-Control"]
