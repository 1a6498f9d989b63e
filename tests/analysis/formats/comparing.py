"""Comparing recordings, and the results that a reader may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import numpy as np

from analysis.errors import ReplayError
from analysis.recording import EVENT, Recording

ARRAYS = ("board", "events")
WRAPPER = ("seal", "trailing_bytes", "converted")  # of one file, not of the game in it
HEADER = tuple(field.name for field in fields(Recording) if field.name not in ARRAYS + WRAPPER)


def assert_same(read: Recording, expected: Recording, *, but: tuple[str, ...] = ()) -> None:
    """Board, events and every header field not named in ``but`` are equal."""
    assert read.events.dtype == EVENT
    assert not read.events.flags.writeable
    np.testing.assert_array_equal(read.board.mines, expected.board.mines)
    np.testing.assert_array_equal(read.events, expected.events)
    for name in HEADER:
        if name not in but:
            assert getattr(read, name) == getattr(expected, name), name


def survives(read: Callable[[bytes], Recording], data: bytes) -> Recording | ReplayError:
    """The recording, or the ``ReplayError``, of ``read(data)``; any other exception fails the test."""
    try:
        recording = read(data)
    except ReplayError as error:
        return error
    assert np.all(np.diff(recording.events["time_ms"]) >= 0)
    assert recording.board.mine_count < recording.board.mines.size
    return recording
