"""A short run of the fuzzer, and proof that it would notice: ``make fuzz N=300000`` is the long one."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pytest

from analysis.errors import UnknownFormat
from analysis.formats import evfs
from tests.bench.fuzz.hunt import Counts, Plan, faults_of, hunt
from tests.bench.fuzz.judge import LARGE, MAX_MEMORY_BYTES, SET, SLOW, Judge, put_through
from tests.bench.fuzz.mutations import NOISE, Mill
from tests.bench.fuzz.seeds import SMALL_BYTES, own_seeds
from tests.effort import amount

_FORMATS = {seed.format for seed in own_seeds()} | {NOISE}


@pytest.mark.long(beside="tests/analysis/formats/test_fuzz.py::test_every_small_file_is_cut_at_every_byte")
def test_hostile_inputs_of_every_format() -> None:
    """A crash, an exception other than ``ReplayError``, 1 s or 200 MB for one of them is a fault."""
    plan = Plan(inputs=amount(long=4_000, usual=2_000), target=put_through, seed=2, real=False)
    counts = hunt(plan)
    faults = "\n".join(f"{fault.hostile.number} {fault.hostile.way}: {fault.text}" for fault in faults_of(plan, counts))
    assert not faults
    assert counts.inputs == plan.inputs
    outcomes = {(name, outcome) for name, outcome in counts.outcomes}
    assert {name for name, _ in outcomes} == _FORMATS
    for name in _FORMATS - {NOISE}:  # some inputs come through whole and others do not, or the run shows nothing
        assert {"truncated", "unknown_format"} <= {outcome for of, outcome in outcomes if of == name}
        assert {"won", "unfinished", "set"} & {outcome for of, outcome in outcomes if of == name}


# --- the fuzzer itself ------------------------------------------------------------------------------------------------


def test_an_input_follows_from_seed_and_number() -> None:
    first, second = (Mill(own_seeds(), seed=5) for _ in range(2))
    numbers = range(0, 3_000, amount(long=7, usual=70))
    assert [first.make(number) for number in numbers] == [second.make(number) for number in reversed(numbers)][::-1]
    assert [first.make(number) for number in numbers] != [Mill(own_seeds(), seed=6).make(number) for number in numbers]


def test_every_small_file_is_cut_at_every_byte() -> None:
    mill = Mill(own_seeds(), seed=5)
    cut = {mill.make(number).data for number in range(0, mill.cuts, 4)}
    expected = {seed.data[:at] for seed in own_seeds() if len(seed.data) <= SMALL_BYTES for at in range(len(seed.data))}
    assert cut == expected


def _refuse(_data: bytes) -> str:
    raise UnknownFormat


def _stumble(_data: bytes) -> str:
    raise IndexError("list index out of range")


def _tell_nothing(_data: bytes) -> str:
    raise UnknownFormat("")


def _overflow(_data: bytes) -> str:
    raise RecursionError


def _leave(_data: bytes) -> str:
    raise SystemExit


def _work_long(_data: bytes) -> str:
    ends = time.process_time() + 0.15
    while time.process_time() < ends:
        pass
    return "won"


def _take_much(_data: bytes) -> str:
    """64 MiB more than allowed, since the process may give back other memory meanwhile."""
    return str(np.ones(MAX_MEMORY_BYTES + 2**26, np.uint8).sum())


def test_a_refusal_is_no_fault() -> None:
    verdict = Judge(_refuse).judge(b"")
    assert (verdict.outcome, verdict.fault) == ("unknown_format", "")


@pytest.mark.parametrize("target", [_stumble, _overflow, _leave, _tell_nothing])
def test_any_other_exception_is_a_fault(target: object) -> None:
    assert Judge(target).judge(b"").fault  # type: ignore[arg-type]


def test_processor_time_is_limited() -> None:
    assert Judge(_work_long, max_seconds=0.1).judge(b"").outcome == SLOW
    assert Judge(_work_long, max_seconds=60).judge(b"").fault == ""


def test_what_was_slow_once_has_a_second_chance() -> None:
    calls: list[bytes] = []

    def slow_at_first(data: bytes) -> str:
        calls.append(data)
        return _work_long(data) if len(calls) == 1 else "won"

    verdict = Judge(slow_at_first, max_seconds=0.1).judge(b"x")
    assert (verdict.outcome, verdict.fault, calls) == ("won", "", [b"x", b"x"])


def _stumble_over_parts(data: bytes) -> str:
    if evfs.recognises(data):
        return SET
    raise ValueError(str(len(data)))


def test_the_parts_of_a_set_are_judged_too() -> None:
    data = next(seed.data for seed in own_seeds() if seed.name == "tiny evfs")
    verdict = Judge(_stumble_over_parts).judge(data)
    assert verdict.outcome == SET
    assert verdict.fault.startswith("one of 2 parts: ")
    assert Judge(put_through).judge(data).fault == ""


def test_memory_is_limited() -> None:
    assert Judge(_take_much).judge(b"").outcome == LARGE


def _die_now_and_then(data: bytes) -> str:
    if data[:1] == b"R" and len(data) % 5 == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return "won"


@pytest.mark.long(beside="tests/analysis/formats/test_fuzz.py::test_a_refusal_is_no_fault")
def test_a_process_that_dies_is_known_by_its_input_and_replaced() -> None:
    plan = Plan(inputs=60, target=_die_now_and_then, seed=3, real=False)
    counts = hunt(plan)
    mill = plan.mill()
    deadly = [number for number in range(60) if (data := mill.make(number).data)[:1] == b"R" and len(data) % 5 == 0]
    assert deadly
    assert sorted(number for number, _text in counts.faults) == deadly
    assert counts.inputs == plan.inputs
    assert all("signal 9" in text for _number, text in counts.faults)


def _hang_once(data: bytes) -> str:
    if data == Mill(own_seeds(), 3).make(7).data:
        time.sleep(3_600)
    return "won"


@pytest.mark.long(beside="tests/analysis/formats/test_fuzz.py::test_processor_time_is_limited")
def test_an_input_that_hangs_is_ended() -> None:
    counts = hunt(Plan(inputs=10, target=_hang_once, seed=3, real=False, hang_seconds=2))
    assert [(number, "hung" in text) for number, text in counts.faults] == [(7, True)]
    assert counts.inputs == 10


def test_counts_add_up() -> None:
    total = Counts(slowest=(1.0, 4), largest=(10, 5))
    total.outcomes["avf", "won"] = 2
    other = Counts(slowest=(0.5, 7), largest=(11, 8), faults=[(8, "bad")])
    other.outcomes["avf", "won"] = 3
    total.add(other)
    assert (total.inputs, total.slowest, total.largest, total.faults) == (5, (1.0, 4), (11, 8), [(8, "bad")])
