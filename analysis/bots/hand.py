"""Simulates the hand of a bot: a clock, a cursor and two buttons, which make the events of a recording.

Movements are stored as line segments while the game runs; a vectorised pass at its end makes mouse moves of them.
Along a segment the cursor follows the minimum-jerk profile ``10 s^3 - 15 s^4 + 6 s^5`` that human reaching movements
have (Flash and Hogan 1985), on a slightly bent line with some tremor; its duration follows Fitts's law.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from analysis.bots.profiles import BotProfile
from analysis.recording import EVENT, EventArray, Kind

CELL_PX = 16
_EDGE_PX = 2  # how far inside a cell every click lands
_SWEEP_PX = 60.0  # from this distance on a movement may miss and need a correction
_DRIFT_FROM_MS = 120  # a shorter rest leaves the cursor where it is
_SET_OFF_MS = 300.0  # at most so much of the thinking happens on the way

Segment = tuple[int, int, int, int, int, int, float]  # start ms, end ms, x0, y0, x1, y1, bend px


class Hand:
    """The cursor of one game on a board of ``columns`` by ``rows`` cells; the clock starts at 0 ms over ``cell``."""

    def __init__(self, profile: BotProfile, rng: Generator, rows: int, columns: int, cell: int) -> None:
        self.profile = profile
        self.clock_ms = 0
        self._rng = rng
        self._spare_ms = 0.0
        self._columns = columns
        self._width_px, self._height_px = columns * CELL_PX, rows * CELL_PX
        self._segments: list[Segment] = []
        self._buttons: list[tuple[int, int, int, int]] = []
        row, column = divmod(cell, columns)
        self.x_px, self.y_px = self._point_in(column), self._point_in(row)

    def wait(self, duration_ms: float) -> None:
        self.clock_ms += max(1, round(duration_ms))

    def ponder(self, duration_ms: float) -> None:
        """Spend time thinking: a part at rest, the rest during the next movement.

        In a long rest the cursor may drift, even into another cell.
        """
        self._spare_ms = min(_SET_OFF_MS, 0.6 * duration_ms)
        rest_ms = duration_ms - self._spare_ms
        if rest_ms <= _DRIFT_FROM_MS:
            self.wait(rest_ms)
            return
        drift = self._rng.normal(0.0, 2.0 * self.profile.tremor_px + 1.0, 2)
        self._glide(*self._on_board(self.x_px + drift[0], self.y_px + drift[1]), rest_ms)

    def distance_cells(self, cell: int) -> float:
        row, column = divmod(cell, self._columns)
        return math.hypot(column + 0.5 - self.x_px / CELL_PX, row + 0.5 - self.y_px / CELL_PX)

    def point_at(self, cell: int) -> None:
        """Move the cursor into a cell; time that :meth:`ponder` left over makes the movement slower."""
        spare_ms, self._spare_ms = self._spare_ms, 0.0
        row, column = divmod(cell, self._columns)
        if (self.y_px // CELL_PX, self.x_px // CELL_PX) == (row, column):
            self.wait(spare_ms)
            return
        x, y = self._point_in(column), self._point_in(row)
        distance_px = math.hypot(x - self.x_px, y - self.y_px)
        profile = self.profile
        duration_ms = profile.move_base_ms + profile.move_bit_ms * math.log2(distance_px / CELL_PX + 1)
        duration_ms *= profile.pace * math.exp(0.14 * self._rng.standard_normal())
        duration_ms += spare_ms
        if distance_px > _SWEEP_PX and self._rng.random() < 0.5:
            self._sweep(x, y, distance_px, 0.8 * duration_ms)
            duration_ms *= 0.35
        self._glide(x, y, duration_ms)

    def act(self, kind: Kind) -> None:
        self._buttons.append((self.clock_ms, self.x_px, self.y_px, kind))

    def hold(self, share: float = 1.0) -> None:
        """Let the time pass for which a button stays down, or ``share`` of it."""
        self.wait(share * self.profile.press_ms * math.exp(0.13 * self._rng.standard_normal()))

    def click(self, press: Kind, release: Kind) -> None:
        self.act(press)
        self.hold()
        self.act(release)

    def events(self) -> EventArray:
        buttons = np.array(self._buttons, EVENT)
        moves = self._moves()
        events = np.concatenate([moves, buttons])
        # Stable, moves first: a movement that ends in the millisecond of a press led to it.
        return events[np.argsort(events["time_ms"], kind="stable")]

    def _point_in(self, index: int) -> int:
        offset = CELL_PX / 2 + self.profile.aim_px * self._rng.standard_normal()
        return index * CELL_PX + min(CELL_PX - 1 - _EDGE_PX, max(_EDGE_PX, int(offset)))

    def _sweep(self, x: int, y: int, distance_px: float, duration_ms: float) -> None:
        """The first part of a long movement, which ends near the target but not on it."""
        miss = self._rng.normal(0.0, 0.06 * distance_px, 2)
        self._glide(*self._on_board(x + miss[0], y + miss[1]), duration_ms)

    def _on_board(self, x: float, y: float) -> tuple[int, int]:
        return min(self._width_px - 1, max(0, round(x))), min(self._height_px - 1, max(0, round(y)))

    def _glide(self, x: int, y: int, duration_ms: float) -> None:
        end_ms = self.clock_ms + max(1, round(duration_ms))
        distance_px = math.hypot(x - self.x_px, y - self.y_px)
        bend_px = 0.05 * distance_px * self._rng.standard_normal()
        self._segments.append((self.clock_ms, end_ms, self.x_px, self.y_px, x, y, bend_px))
        self.clock_ms, self.x_px, self.y_px = end_ms, x, y

    def _moves(self) -> EventArray:
        """The mouse moves of all segments: one about every ``sample_ms``, the last of each exactly at its end."""
        segments = np.array(self._segments, np.float64).reshape(-1, 7)
        start, duration = segments[:, 0], segments[:, 1] - segments[:, 0]
        counts = np.maximum(1, np.rint(duration / self.profile.sample_ms)).astype(np.int64)
        owner = np.repeat(np.arange(len(segments)), counts)
        index = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts) + 1.0
        inner = index < counts[owner]
        share = (index + inner * self._rng.uniform(-0.25, 0.25, len(owner))) / counts[owner]
        # Whole ms after the start of the segment: a move never carries the time of the click before it.
        time_ms = np.maximum(1, np.rint(share * duration[owner])) + start[owner]
        x, y = self._way(segments[owner], share, inner)
        moves = np.zeros(len(owner), EVENT)
        moves["time_ms"], moves["x_px"], moves["y_px"], moves["kind"] = time_ms, x, y, Kind.MOVE
        moved = np.ones(len(moves), bool)
        moved[1:] = (np.diff(x) != 0) | (np.diff(y) != 0)
        return moves[moved]

    def _way(
        self, segments: NDArray[np.float64], share: NDArray[np.float64], inner: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Cursor points, px, at ``share`` (0 to 1) of the duration of each row's segment."""
        x0, y0, dx, dy = (
            segments[:, 2],
            segments[:, 3],
            segments[:, 4] - segments[:, 2],
            segments[:, 5] - segments[:, 3],
        )
        progress = share**3 * (10.0 + share * (6.0 * share - 15.0))
        length = np.maximum(1.0, np.hypot(dx, dy))
        arc = segments[:, 6] * 16.0 * (progress * (1.0 - progress)) ** 2 / length
        tremor = inner * self.profile.tremor_px * np.minimum(1.0, length / 16.0)
        noise = self._rng.standard_normal((2, len(share))) * tremor
        x = np.rint(x0 + dx * progress - dy * arc + noise[0])
        y = np.rint(y0 + dy * progress + dx * arc + noise[1])
        return np.clip(x, 0, self._width_px - 1), np.clip(y, 0, self._height_px - 1)
