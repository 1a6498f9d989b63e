"""One pass over the events of a game, for what they tell of the mouse and the hand (``analysis.evidence``)."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.kernels.click_machine import LEFT_PRESS, LEFT_RELEASE, MOVE, PREFLAG
from analysis.recording import EventArray

# Slots of the counts.
EVENTS, EQUAL_STEPS, ACTS, JUMPS, HOLDS, HELD_MS = 0, 1, 2, 3, 4, 5
SLOTS = 6


@njit(cache=True)
def follow(
    events: EventArray, end: int, longest_step_ms: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Count and measure from the first event to the one at ``end``; flags from before the first event are passed over.

    Parameters
    ----------
    events : EVENT, shape (n,)
    end : place of the deciding event
    longest_step_ms : a longer step from tick to tick is a pause and has no speed

    Returns
    -------
    counts : int64, shape (SLOTS,): events; those at the time of the one before; presses and releases with an event
        before them, and how many of them do not stand where that one stands; times the left button was pressed and
        released next, and for how many ms in all
    ticks : int64, the distinct times in their order
    speeds : float64, px a ms from the last event of each tick to the last of the next, where the cursor moved; without
        the last tick, which may go on behind the end
    """
    counts = np.zeros(SLOTS, np.int64)
    ticks = np.empty(end + 1, np.int64)
    speeds = np.empty(end + 1, np.float64)
    tick_count = speed_count = 0
    time_ms = x = y = 0
    tick_x = tick_y = 0  # where the tick before the current one ended
    pressed_ms = -1
    is_pressed = False
    for event in range(end + 1):
        kind = events[event]["kind"]
        if kind == PREFLAG:
            continue
        now, to_x, to_y = int(events[event]["time_ms"]), int(events[event]["x_px"]), int(events[event]["y_px"])
        first = counts[EVENTS] == 0
        counts[EVENTS] += 1
        if not first:
            counts[EQUAL_STEPS] += now == time_ms
            if kind != MOVE:
                counts[ACTS] += 1
                counts[JUMPS] += to_x != x or to_y != y
        if first or now != time_ms:
            if tick_count > 1:
                step_ms = ticks[tick_count - 1] - ticks[tick_count - 2]
                if (x != tick_x or y != tick_y) and 0 < step_ms <= longest_step_ms:
                    speeds[speed_count] = np.sqrt((x - tick_x) ** 2 + (y - tick_y) ** 2) / step_ms
                    speed_count += 1
            tick_x, tick_y = x, y
            ticks[tick_count] = now
            tick_count += 1
        if kind == LEFT_PRESS:
            is_pressed, pressed_ms = True, now
        elif kind == LEFT_RELEASE:
            if is_pressed:
                counts[HOLDS] += 1
                counts[HELD_MS] += now - pressed_ms
            is_pressed = False
        time_ms, x, y = now, to_x, to_y
    return counts, ticks[:tick_count], speeds[:speed_count]
