"""The time that ranks: honest players on simulated networks, and players who lie, hold back and pad."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.live import ClockWatch, jitter_of, ranked_time
from analysis.live.ranked_time import MAX_JITTER_MS, MAX_SPAN_GAP_MS
from tests.analysis.live.networks import Network, Played, any_network, play_over
from tests.effort import amount, examples

SPANS = st.floats(0, 10**7)
ROUND_TRIPS = st.lists(st.floats(0, 10**6), max_size=60)


# --- the guarantee ----------------------------------------------------------------------------------------------------


@given(st.integers(-(2**40), 2**40), SPANS, st.floats(-10, 10**6))
@settings(max_examples=examples(1_000))
def test_no_claim_gains_more_than_the_allowance(client_ms: int, server_ms: float, jitter_ms: float) -> None:
    ranked = ranked_time(client_ms, server_ms, jitter_ms)
    allowed_ms = min(max(jitter_ms, 0), MAX_JITTER_MS)
    assert ranked.time_ms >= server_ms - allowed_ms
    assert ranked.time_ms >= client_ms
    assert ranked.time_ms == client_ms + ranked.shift_ms
    if client_ms >= 0 and server_ms - client_ms <= allowed_ms:
        assert ranked.shift_ms == 0
    assert ranked.suspicious == (abs(client_ms - server_ms) > MAX_SPAN_GAP_MS)


@given(
    thinking_ms=st.integers(0, 10**6),
    claimed_ms=st.integers(-(2**31), 2**31),
    held_opening_ms=st.floats(0, 10_000),
    held_deciding_ms=st.floats(0, 10_000),
    up_ms=st.floats(0, 300),
    down_ms=st.floats(0, 300),
    padded=ROUND_TRIPS,
)
@settings(max_examples=examples(1_000))
def test_holding_back_and_padding_gain_no_more_either(
    thinking_ms: int,
    claimed_ms: int,
    held_opening_ms: float,
    held_deciding_ms: float,
    up_ms: float,
    down_ms: float,
    padded: list[float],
) -> None:
    """Only the time between seeing the answer to the opening and deciding counts: the ranked time is never more than
    the allowance below it, however messages were held back and pongs padded.
    """
    arrived_ms = held_opening_ms + up_ms
    seen_ms = arrived_ms + down_ms
    decided_ms = seen_ms + thinking_ms
    server_ms = decided_ms + held_deciding_ms + up_ms - arrived_ms
    ranked = ranked_time(claimed_ms, server_ms, jitter_of(padded))
    assert ranked.time_ms >= thinking_ms - MAX_JITTER_MS


@given(ROUND_TRIPS)
@settings(max_examples=examples(300))
def test_padded_pongs_raise_the_allowance_to_its_limit_only(round_trips: list[float]) -> None:
    assert 0 <= jitter_of(round_trips) <= MAX_JITTER_MS


def test_the_allowance_is_the_spread_of_round_trips() -> None:
    assert jitter_of([]) == jitter_of([50]) == jitter_of([50, 50, 50]) == 0
    assert jitter_of([100 + number / 10 for number in range(101)]) == pytest.approx(9)
    assert jitter_of([0, 1_000] * 5) == MAX_JITTER_MS


# --- honest players ---------------------------------------------------------------------------------------------------


def ranked_error(played: Played) -> int:
    jitter_ms = jitter_of(played.round_trips_ms.tolist())
    return abs(ranked_time(played.client_span, played.server_span, jitter_ms).time_ms - played.client_span)


def test_honest_players_on_any_network() -> None:
    """5 to 300 ms, jitter to 50 ms: p50 <= 2 ms, p99 <= 20 ms."""
    rng = np.random.default_rng(20)
    games = [play_over(any_network(rng, loss=0.0), rng) for _ in range(amount(long=20_000, usual=1_000))]
    errors = [ranked_error(game) for game in games]
    assert np.percentile(errors, 50) <= 2
    assert np.percentile(errors, 99) <= 20
    assert not any(watched(game).suspicious for game in games)


@pytest.mark.parametrize("loss", [0.001, 0.005, 0.01])
def test_honest_players_whose_messages_come_twice(loss: float) -> None:
    """With lost packets too: p50 <= 2 ms, p99 <= 20 ms, if the earlier of two connections counts."""
    rng = np.random.default_rng(24)
    games = [play_over(any_network(rng, loss), rng, copies=True) for _ in range(amount(long=20_000, usual=1_500))]
    errors = [ranked_error(game) for game in games]
    assert np.percentile(errors, 50) <= 2
    assert np.percentile(errors, 99) <= 20


@pytest.mark.parametrize("loss", [0.001, 0.01])
def test_a_lost_segment_costs_what_it_held_up(loss: float) -> None:
    """It happens to the deciding event in about six times as many games as segments are lost, and cannot be told from
    a player who decides later and blames the network; nobody else is touched.
    """
    rng = np.random.default_rng(21)
    errors = []
    for _ in range(amount(long=20_000, usual=1_000)):
        game = play_over(any_network(rng, loss), rng)
        held_ms = game.server_span - game.client_span
        errors.append(ranked_error(game))
        assert errors[-1] <= max(0.0, held_ms) + 1
    assert np.percentile(errors, 50) <= 2
    assert np.mean(np.array(errors) > 20) <= 8 * loss + 0.005


# --- clocks -----------------------------------------------------------------------------------------------------------


def watched(game: Played) -> ClockWatch:
    watch = ClockWatch()
    for client_ms, server_ms in zip(game.client_ms.tolist(), game.server_ms.tolist(), strict=True):
        watch.note(client_ms, server_ms)
    return watch


@pytest.mark.parametrize("rate", [0.995, 1.005])
def test_a_clock_that_runs_half_a_percent_apart_is_found(rate: float) -> None:
    rng = np.random.default_rng(22)
    for _ in range(amount(long=500, usual=50)):
        watch = watched(play_over(any_network(rng, loss=0.001), rng, rate=rate, seconds=20))
        assert watch.suspicious
        assert watch.rate_gap() == pytest.approx(rate - 1, abs=0.001)


@pytest.mark.parametrize("rate", [0.9995, 1.0, 1.0005])
def test_a_clock_that_is_being_set_right_is_not(rate: float) -> None:
    rng = np.random.default_rng(23)
    for _ in range(amount(long=500, usual=50)):
        seconds = rng.uniform(5, 60)
        assert not watched(play_over(any_network(rng, loss=0.005), rng, rate=rate, seconds=seconds)).suspicious


def test_short_games_say_nothing_of_clocks() -> None:
    game = play_over(Network(20, 0, 0), np.random.default_rng(24), rate=2.0, seconds=2)
    assert watched(game).rate_gap() is None
    assert ClockWatch().rate_gap() is None


@pytest.mark.parametrize(("early_ms", "future"), [(0, False), (59, False), (61, True)])
def test_events_from_the_future(early_ms: int, future: bool) -> None:
    watch = ClockWatch()
    for second in range(5):
        assert not watch.note(1_000 * second, 1_000 * second + 40, 10)
    assert watch.note(5_000 + early_ms, 5_040, 10) is future


def test_messages_that_were_held_up_do_not_make_later_ones_early() -> None:
    watch = ClockWatch()
    assert not watch.note(0, 30)
    for time_ms, arrived_ms in ((100, 500), (200, 500), (300, 500), (400, 500), (500, 530)):
        assert not watch.note(time_ms, arrived_ms)


# --- the limits, in numbers -------------------------------------------------------------------------------------------


def test_at_most_20_ms_of_delay_are_believed() -> None:
    assert ranked_time(1_000, 1_100.0, 1_000).time_ms == 1_080
    assert ranked_time(1_000, 1_100.0, 5).time_ms == 1_095
    assert ranked_time(1_000, 1_100.25, 5).time_ms == 1_096  # rounded up: no rounding gains anything
    assert jitter_of([0, 1_000] * 5) == 20


def test_spans_more_than_250_ms_apart_are_no_ordinary_network() -> None:
    assert [ranked_time(1_000, server_ms, 0).suspicious for server_ms in (750, 1_250, 749, 1_251)] == [
        False, False, True, True,
    ]  # fmt: skip


@pytest.mark.parametrize(("rate", "suspicious"), [(1.0039, False), (0.9961, False), (1.0042, True), (0.9958, True)])
def test_clocks_may_run_four_thousandths_apart(rate: float, suspicious: bool) -> None:
    watch = ClockWatch()
    for tenth in range(200):
        watch.note(100 * tenth * rate, 100.0 * tenth)
    assert watch.suspicious is suspicious


@pytest.mark.parametrize(("seconds", "compared"), [(6, False), (9, True)])
def test_rates_are_compared_over_five_seconds(seconds: int, compared: bool) -> None:
    """From the first half second to the first of the last five."""
    watch = ClockWatch()
    for tenth in range(10 * seconds):
        watch.note(100.0 * tenth, 100.0 * tenth)
    assert (watch.rate_gap() is not None) is compared
