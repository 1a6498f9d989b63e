"""Passes over event records that every reader of a format needs."""

from __future__ import annotations

from numba import njit

from analysis.recording import EventArray


@njit(cache=True)
def raise_times(events: EventArray) -> int:
    """Give every event that is earlier than one before it the time of that one, in place.

    Parameters
    ----------
    events : dtype EVENT, shape (n,)

    Returns
    -------
    how many were raised
    """
    raised = 0
    if events.size == 0:
        return raised
    latest = events[0]["time_ms"]
    for event in range(events.size):
        if events[event]["time_ms"] < latest:
            events[event]["time_ms"] = latest
            raised += 1
        latest = events[event]["time_ms"]
    return raised
