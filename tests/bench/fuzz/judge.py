"""Reads, analyses and writes one input, under limits of time and memory.  Runs inside a process of :mod:`hunt`.

``python -m tests.bench.fuzz.judge FILE…`` does it to files, in this process.
"""

from __future__ import annotations

import resource
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from analysis import formats
from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.formats import evfs, rawvf
from analysis.limits import MAX_REPLAY_BYTES
from analysis.recording import Recording

MIB = 1024 * 1024
#: Of everything; as address space, so that memory that is taken and never touched counts too.
MAX_MEMORY_BYTES = 200 * MIB
#: Of reading alone, as resident memory.
MAX_READ_BYTES = 64 * MIB
MAX_SECONDS = 1.0  # of processor time: a busy machine is not our fault

SLOW, LARGE, SET = "slow", "large", "set"  # outcomes beside results of games, error codes and names of exceptions

#: What an input goes through: returns the outcome, raises ``ReplayError`` for a refused file.
Target = Callable[[bytes], str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one input; ``fault`` is empty unless it broke a rule."""

    outcome: str
    seconds: float
    memory_bytes: int
    fault: str = ""


def put_through(data: bytes) -> str:
    """Read, analyse, write as RawVF, read again; a set of replays is taken apart, and :class:`Judge` takes its parts."""
    if evfs.recognises(data):
        evfs.cells(data)
        _refuse_set(data)
        return SET
    return _one(data)


def _refuse_set(data: bytes) -> None:
    """A set is no recording: the reader of recordings must say so."""
    try:
        formats.read(data)
    except ReplayError:
        return
    raise AssertionError("a set of replays was read as one recording")


def _one(data: bytes) -> str:
    reset_peak()
    before = resident_bytes()
    recording = formats.read(data)
    taken = peak_bytes() - before
    if taken > MAX_READ_BYTES:
        raise MemoryError(f"reading {len(data)} bytes took {taken // MIB} MiB")
    analysis = analyse(recording)
    again = analyse(_exported(recording))
    if (again.game_hash, again.values) != (analysis.game_hash, analysis.values):
        raise AssertionError("the exported game differs")
    return str(analysis.game.result)


def _exported(recording: Recording) -> Recording:
    """``recording`` through RawVF.  The text of a legal binary file may pass the limit of a file; then as it is."""
    text = rawvf.write(recording)
    return formats.read(text) if len(text) <= MAX_REPLAY_BYTES else recording


class Judge:
    """Puts inputs through ``target`` and holds them to the limits."""

    def __init__(self, target: Target, max_seconds: float = MAX_SECONDS) -> None:
        self._target = target
        self._max_seconds = max_seconds

    def limit_memory(self) -> None:
        """From now on this process cannot take more than :data:`MAX_MEMORY_BYTES` beyond what it has."""
        limit = _status_bytes("VmSize") + MAX_MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))

    def judge(self, data: bytes) -> Verdict:
        """Never raises, whatever the target does in Python; what it does to the process is for :mod:`hunt`.

        The parts of a set are files of their own: each is held to the limits by itself, and the worst one counts.
        """
        verdict = self._fairly(data)
        if verdict.outcome != SET:
            return verdict
        parts = [self._fairly(part) for part in dict.fromkeys(cell.data for cell in evfs.cells(data))]
        worst = max(parts, key=lambda part: (bool(part.fault), part.seconds), default=verdict)
        return replace(
            verdict,
            fault=worst.fault and f"one of {len(parts)} parts: {worst.fault}",
            seconds=max(verdict.seconds, worst.seconds),
            memory_bytes=max(one.memory_bytes for one in (verdict, *parts)),
        )

    def _fairly(self, data: bytes) -> Verdict:
        """Even processor time grows on a machine that does much else, so what seems slow has a second chance."""
        verdict = self._once(data)
        return self._once(data) if verdict.outcome == SLOW else verdict

    def _once(self, data: bytes) -> Verdict:
        reset_peak()
        before = resident_bytes()
        started = time.process_time()
        fault = ""
        try:
            outcome = self._target(data)
        except ReplayError as error:
            outcome = error.code
            fault = _unfit_to_store(error)
        except BaseException as error:  # every other exception is what is looked for
            outcome = type(error).__name__
            fault = "".join(traceback.format_exception(error))
        seconds = time.process_time() - started
        memory_bytes = max(0, peak_bytes() - before)
        if not fault and seconds > self._max_seconds:
            outcome, fault = SLOW, f"took {seconds:.2f} s for {len(data)} bytes"
        if not fault and memory_bytes > MAX_MEMORY_BYTES:
            outcome, fault = LARGE, f"took {memory_bytes // MIB} MiB for {len(data)} bytes"
        return Verdict(outcome, seconds, memory_bytes, fault)


def _unfit_to_store(error: ReplayError) -> str:
    """The site keeps code and parameters, and shows the sentence."""
    if not error.code or not str(error) or len(str(error)) > 1_000:
        return f"an error that cannot be shown: {error!r}"
    return ""


# --- the memory of this process (Linux) -------------------------------------------------------------------------------


def reset_peak() -> None:
    """Start the measuring of :func:`peak_bytes` anew."""
    Path("/proc/self/clear_refs").write_text("5")


def peak_bytes() -> int:
    """The most resident memory since the last :func:`reset_peak`."""
    return _status_bytes("VmHWM")


def resident_bytes() -> int:
    """Resident memory now."""
    return _status_bytes("VmRSS")


def _status_bytes(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {field}")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(name, Judge(put_through).judge(Path(name).read_bytes()))
