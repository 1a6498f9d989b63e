"""The largest and strangest files that the limits allow, of every format: what reading and analysing them takes.

``python -m tests.bench.fuzz --worst`` prints the same inputs with their seconds.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from analysis import formats
from analysis.analyse import analyse
from analysis.errors import LimitExceeded, ReplayError
from analysis.formats import evfs
from analysis.limits import MAX_EVENTS, MAX_REPLAY_BYTES
from analysis.recording import Recording
from tests.bench.fuzz.judge import MAX_MEMORY_BYTES, MAX_READ_BYTES, MIB, peak_bytes, reset_peak, resident_bytes
from tests.bench.fuzz.seeds import own_seeds
from tests.bench.fuzz.worst import worst_inputs

FORMATS = ("avf", "rawvf", "mvf 0.97", "mvf 2007", "mvf old96", "rmv 1", "rmv 2", "evf 3", "evf 4", "evfs")


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Compile the kernels first, which takes more memory than any file."""
    for seed in own_seeds():
        if not evfs.recognises(seed.data):
            analyse(formats.read(seed.data))


@pytest.fixture(scope="module")
def inputs() -> dict[str, bytes]:
    return dict(worst_inputs())


class _Meter:
    """Peak memory of a piece of work: as allocated by Python and numpy, and as the resident memory of the process.

    The first misses what kernels allocate, the second what fits into memory that was freed before.
    """

    def __init__(self) -> None:
        self.most_bytes = 0

    def of(self, work: Callable[[bytes], object], data: bytes) -> object:
        reset_peak()
        before = resident_bytes()
        tracemalloc.start()
        try:
            result = work(data)
            self.most_bytes = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        self.most_bytes = max(self.most_bytes, peak_bytes() - before)
        return result


@pytest.fixture
def meter() -> _Meter:
    return _Meter()


def _read(data: bytes) -> Recording | int | str:
    """The recording, the number of cells of a set, or why it is refused."""
    try:
        return len(evfs.cells(data)) if evfs.recognises(data) else formats.read(data)
    except ReplayError as error:
        return error.code


@pytest.mark.long(beside="tests/analysis/formats/test_memory.py::test_a_file_beyond_the_limit_is_not_looked_at")
def test_reading_stays_within_its_memory(inputs: dict[str, bytes], meter: _Meter) -> None:
    taken = {}
    for name, data in inputs.items():
        assert len(data) <= MAX_REPLAY_BYTES
        meter.of(_read, data)
        taken[name] = meter.most_bytes
    assert {name: taken_bytes // MIB for name, taken_bytes in taken.items() if taken_bytes > MAX_READ_BYTES} == {}


@pytest.mark.long(beside="tests/analysis/formats/test_memory.py::test_a_file_beyond_the_limit_is_not_looked_at")
def test_analysing_stays_within_its_memory(inputs: dict[str, bytes], meter: _Meter) -> None:
    taken = {}
    for name, data in inputs.items():
        recording = _read(data)
        if isinstance(recording, Recording):
            meter.of(lambda _data, recording=recording: analyse(recording), data)  # type: ignore[misc]
            taken[name] = meter.most_bytes
    assert {name: taken_bytes // MIB for name, taken_bytes in taken.items() if taken_bytes > MAX_MEMORY_BYTES} == {}


@pytest.mark.long(beside="tests/analysis/formats/test_memory.py::test_a_file_beyond_the_limit_is_not_looked_at")
@pytest.mark.parametrize("name", FORMATS)
def test_the_inputs_are_as_large_as_they_may_be(inputs: dict[str, bytes], name: str) -> None:
    """They have nearly as many bytes or events as allowed; else the tests above would prove nothing."""
    sizes = [
        max(len(data) / MAX_REPLAY_BYTES, (len(read.events) if isinstance(read, Recording) else 0) / MAX_EVENTS)
        for kind, data in inputs.items()
        if kind.startswith(name) and not isinstance(read := _read(data), str)
    ]
    assert max(sizes) > 0.95


def test_the_meter_sees_what_is_taken(meter: _Meter) -> None:
    meter.of(lambda data: np.zeros(len(data), np.uint8), bytes(50 * MIB))
    assert 50 * MIB <= meter.most_bytes <= 60 * MIB
    meter.of(len, b"")
    assert meter.most_bytes < MIB


def test_a_file_beyond_the_limit_is_not_looked_at(meter: _Meter) -> None:
    data = bytes(MAX_REPLAY_BYTES + 1)

    def refused(data: bytes) -> None:
        with pytest.raises(LimitExceeded):
            formats.read(data)

    meter.of(refused, data)
    assert meter.most_bytes < MIB
