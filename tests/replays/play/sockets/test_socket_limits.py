"""Counts of sockets, messages and clicks, by a clock of our own."""

from __future__ import annotations

import pytest

from replays.play.sockets.socket_limits import Buckets, Limits


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limits(clock: Clock) -> Limits:
    return Limits(4, 20, clock)


def test_every_click_counts(limits: Limits, clock: Clock) -> None:
    """Not the seconds in which there was one: the first burst is used up, then as many come as time passes."""
    assert sum(limits.clicks("a", "here") for _ in range(1000)) == 120
    clock.now += 0.5
    assert sum(limits.clicks("a", "here") for _ in range(1000)) == 30
    clock.now += 3600
    assert sum(limits.clicks("a", "here") for _ in range(1000)) == 120


def test_clicks_at_a_steady_rate(limits: Limits, clock: Clock) -> None:
    """Sixty a second are allowed for ever; of seventy, sixty."""
    for rate, most in ((60, 3600), (70, 60 * 60 + 120)):
        clock.now += 10
        allowed = 0
        for _ in range(60 * rate):
            clock.now += 1 / rate
            allowed += limits.clicks("a", "here")
        assert allowed == pytest.approx(most, abs=2)


def test_many_clicks_at_once_count_each(limits: Limits) -> None:
    assert limits.clicks("a", "here", 100)
    assert not limits.clicks("a", "here", 21)
    assert limits.clicks("a", "here", 20)
    assert not limits.clicks("a", "here")


def test_accounts_do_not_share_and_addresses_do(limits: Limits) -> None:
    """Guests are made for nothing, so their address has a limit of its own."""
    allowed = sum(limits.clicks(f"guest-{number}", "here") for number in range(100) for _ in range(100))
    assert allowed == 600
    assert limits.clicks("guest-x", "elsewhere")


def test_messages_and_their_bytes(limits: Limits, clock: Clock) -> None:
    assert sum(limits.message("a", "here", 10) for _ in range(1000)) == 400
    clock.now += 100
    assert sum(limits.message("a", "here", 16_384) for _ in range(100)) == 4


def test_a_clock_that_stands_gives_nothing() -> None:
    buckets = Buckets(10, Clock())
    assert sum(buckets.take("a") for _ in range(100)) == 20


def test_those_who_have_their_whole_bucket_are_forgotten(clock: Clock) -> None:
    buckets = Buckets(10, clock)
    for number in range(10_000):
        buckets.take(f"old-{number}")
    clock.now += 60
    for number in range(50):
        buckets.take(f"new-{number}")
    assert len(buckets) <= 51


def test_sockets(limits: Limits) -> None:
    assert [limits.enter("account", "a") for _ in range(5)] == [True] * 4 + [False]
    assert limits.enter("account", "b")
    limits.leave("account", "a")
    assert limits.enter("account", "a")
    assert not limits.enter("account", "a")
    assert [limits.enter("address", "here") for _ in range(21)] == [True] * 20 + [False]
    assert limits.sockets("address", "here") == 20
