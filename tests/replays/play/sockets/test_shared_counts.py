"""Sockets of one account in several web processes."""

from __future__ import annotations

import pytest
from django.conf import settings as django_settings

from replays.play import wire
from replays.play.sockets import socket_limits
from replays.play.sockets.shared_counts import FORGOTTEN_SECONDS, Key, SharedCounts
from tests.replays.play.sockets.conftest import Dial, hello
from tests.replays.play.sockets.test_connection import ACCOUNT, answers, end_of
from tests.services import Broker, free_port, wait_until

KEYS: list[Key] = [("account", "account-7"), ("address", "192.0.2.1")]
MOST = {"account": 4, "address": 20}


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def processes(broker: Broker, clock: Clock) -> list[SharedCounts]:
    """Two web processes."""
    return [SharedCounts(django_settings.CACHE_URL, MOST, clock) for _ in range(2)]


def test_both_processes_count_together(processes: list[SharedCounts]) -> None:
    one, two = processes
    assert all(one.enter(KEYS, f"one-{number}") for number in range(2))
    assert all(two.enter(KEYS, f"two-{number}") for number in range(2))
    assert not one.enter(KEYS, "fifth")
    assert not two.enter(KEYS, "fifth")
    assert two.enter([("account", "account-8"), KEYS[1]], "other")
    one.leave(KEYS, "one-0")
    assert two.enter(KEYS, "fifth")


def test_a_refused_socket_is_counted_nowhere(processes: list[SharedCounts]) -> None:
    """Neither for the account nor for the address, however often it tries."""
    for number in range(4):
        assert processes[0].enter(KEYS, str(number))
    for number in range(100):
        assert not processes[0].enter(KEYS, f"more-{number}")
    others: list[Key] = [("account", "account-9"), KEYS[1]]
    assert [processes[0].enter(others, f"other-{number}") for number in range(5)] == [True] * 4 + [False]
    processes[0].leave(KEYS, "0")
    assert processes[0].enter(KEYS, "again")


def test_sockets_of_a_process_that_died_are_forgotten(processes: list[SharedCounts], clock: Clock) -> None:
    dead, alive = processes
    assert dead.enter(KEYS, "dead")
    assert all(alive.enter(KEYS, f"alive-{number}") for number in range(3))
    for _ in range(3):
        clock.now += FORGOTTEN_SECONDS / 2
        for number in range(3):
            alive.renew(KEYS, f"alive-{number}")
    assert alive.enter(KEYS, "new")
    assert not alive.enter(KEYS, "one more")


def test_an_emptied_server_fills_again(processes: list[SharedCounts], broker: Broker) -> None:
    one = processes[0]
    for number in range(4):
        assert one.enter(KEYS, str(number))
    one._client.flushall()
    for number in range(4):
        one.renew(KEYS, str(number))
    assert not one.enter(KEYS, "fifth")


def test_without_the_server_everything_is_allowed_here() -> None:
    counts = SharedCounts(f"redis://127.0.0.1:{free_port()}/0", MOST)
    assert all(counts.enter(KEYS, str(number)) for number in range(10))
    counts.renew(KEYS, "1")
    counts.leave(KEYS, "1")


def test_a_socket_counts_those_of_other_processes(broker: Broker, dial: Dial) -> None:
    most = {"account": socket_limits.SOCKETS_OF_ACCOUNT, "address": django_settings.PLAY_SOCKETS_OF_ADDRESS}
    elsewhere = SharedCounts(django_settings.CACHE_URL, most)
    account: list[Key] = [("account", "account-7")]
    for number in range(most["account"]):
        assert elsewhere.enter(account, str(number))
    hello(refused := dial(), ACCOUNT)
    assert end_of(refused) == ("too_many_sockets", 4429)
    elsewhere.leave(account, "0")
    hello(welcome := dial(), ACCOUNT)
    assert answers(welcome)
    assert not elsewhere.enter(account, "0")
    welcome.send(wire.Resync().encode())
    welcome.close()
    wait_until(lambda: elsewhere.enter(account, "0"), seconds=60)
