"""Clone 0.97 writes the timer of the computer it runs on: any steady one is honest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.evidence.lattice import scaled_share, steady_share
from analysis.recording import Level, Recording
from tests.analysis.evidence.honest import codes_in, recording
from tests.analysis.evidence.test_evidence import scaled
from tests.effort import rest_long
from tests.encoders import native
from tests.shared_files import SHARED, needs_shared

WINDOWS_MS = (15.6001, 15.625)
#: Timers of other Windows, of computers on which another program asked for a faster one, of other systems, and of none.
OTHER_MS = (0.5, 1.0, 5.0, 10.0, 10.0144, 11.3, 13.28, 14.0625, 14.84, 15.0, 16.0, 16.667, 20.0, 31.25, 54.925)


def on_timer(step_ms: float, phase_ms: float = 0.0) -> Recording:
    """A game as Clone 0.97 would have recorded it on a timer of that step."""
    events = recording("mvf 2007", Level.EXPERT).events.copy()  # in milliseconds
    ticks = np.floor((events["time_ms"] + phase_ms) / step_ms) * step_ms
    events["time_ms"] = np.floor(np.maximum(ticks - ticks[0], 0) / 10) * 10
    return replace(recording("mvf 0.97", Level.EXPERT), events=events)


@pytest.mark.parametrize("step_ms", rest_long(*WINDOWS_MS, *OTHER_MS, usual=3))
def test_no_honest_timer_is_remarked_upon(step_ms: float) -> None:
    phases = (0.0, step_ms / 3)
    assert [codes_in(native.write(on_timer(step_ms, phase_ms))) for phase_ms in phases] == [[], []]


@pytest.mark.long(beside="tests/analysis/evidence/test_timers.py::test_one_game_on_two_timers")
@pytest.mark.parametrize("factor", [0.8, 0.85, 0.9, 0.95, 0.97])
@pytest.mark.parametrize("step_ms", WINDOWS_MS)
def test_a_whole_game_that_was_multiplied_is(step_ms: float, factor: float) -> None:
    game = on_timer(step_ms)
    assert codes_in(native.write(scaled(game, factor))) == ["lattice"]


def random_times(step_ms: float, seed: int) -> NDArray[np.int64]:
    """Hundredths in which a timer may tick, 190 to 1,700 of them."""
    random = np.random.default_rng(seed)
    count, seconds = ((1_700, 38), (500, 12), (190, 7))[seed % 3]
    ticks = np.arange(int(seconds * 1_000 / step_ms)) * step_ms + random.random() * step_ms
    return np.unique(ticks[random.random(len(ticks)) < count / len(ticks)] // 10).astype(np.int64)


def steps() -> Iterator[tuple[float, int]]:
    random = np.random.default_rng(7)
    yield from ((float(step), seed) for seed, step in enumerate(random.uniform(1, 60, 12)))


@pytest.mark.parametrize(("step_ms", "seed"), list(steps()))
def test_a_steady_timer_explains_its_times_or_no_factor_does(step_ms: float, seed: int) -> None:
    times = random_times(step_ms, seed)
    assert steady_share(times) >= 0.985 or scaled_share(times) < 0.95


@needs_shared
@pytest.mark.shared
def test_one_game_on_two_timers() -> None:
    files = sorted((SHARED / "cases").glob("clone097_timer_*.mvf"))
    assert [codes_in(path.read_bytes()) for path in files] == [[], []]
