"""The axis of a board: each value as a dot on one scale for all rows, from the leader at the left."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from analysis.statistics import Statistic
from players.leaderboards.ranks import BoardPage
from players.web.clock import shown_value

#: Where the leader and the last row are, in percent of the width.
_FIRST, _LAST = 2.0, 96.0
#: From this ratio of the values on, ticks double or follow 1, 2, 5; below, they are multiples of one step.
_WIDE: Final = 4.0
_LEAST_APART: Final = 20.0
_MOST_TICKS: Final = 4


@dataclass(frozen=True, slots=True)
class Axis:
    """The scale from the value ``leader`` to the value ``last``: logarithmic where both are positive, else linear."""

    leader: float
    last: float

    def at(self, value: float) -> float:
        """Return where ``value`` is, in percent; values outside are moved to the nearest end."""
        share = (self._scaled(value) - self._scaled(self.leader)) / (
            self._scaled(self.last) - self._scaled(self.leader)
        )
        return _FIRST + (_LAST - _FIRST) * min(1.0, max(0.0, share))

    def _scaled(self, value: float) -> float:
        return math.log(value) if self._is_log and value > 0 else value

    @property
    def _is_log(self) -> bool:
        return self.leader > 0 and self.last > 0

    def ticks(self, row: Statistic | None, *, offset: float = 0.0) -> list[tuple[float, str]]:
        """Return place and text of a few round values; ``offset``: what the reader's clock adds to a value."""
        low, high = sorted((self.leader + offset, self.last + offset))
        unit = gettext(row.shown_unit) if row is not None and row.shown_unit else ""
        found: list[tuple[float, str]] = []
        for number in _round_values(low, high, of_time=unit != "" and row is not None and row.name == "time"):
            x = self.at(number - offset)
            if not _FIRST + 4 <= x <= _LAST - 3 or any(abs(x - other) < _LEAST_APART for other, _text in found):
                continue
            found.append((x, f"{number:.10g} {unit}".rstrip()))
        return sorted(found)[:_MOST_TICKS]


def _round_values(low: float, high: float, *, of_time: bool) -> Iterator[float]:
    if low > 0 and high / low >= _WIDE:
        yield from _series(low, high, of_time=of_time)
        return
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= 5 if (high - low) / step > 10 else 2 if (high - low) / step > 5 else 1
    first = math.ceil(low / step)
    yield from (round(number * step, 12) for number in range(first, math.floor(high / step) + 1))


def _series(low: float, high: float, *, of_time: bool) -> Iterator[float]:
    """Return 1, 2, 4, 8, 15, 30, 60 … for seconds, else 1, 2, 5, 10 …, as far as they are inside."""
    if of_time:
        numbers: Iterable[float] = [*(2.0**power for power in range(-3, 4)), *(15 * 2.0**power for power in range(20))]
    else:
        numbers = (digit * 10.0**power for power in range(-9, 12) for digit in (1, 2, 5))
    yield from (number for number in numbers if low <= number <= high)


def axis_of(page: BoardPage) -> Axis | None:
    """Return the axis of the rows of ``page``; None if all their values are equal."""
    leader, values = page.leader, [one.value for one in page.shown]
    if leader is None or not values:
        return None
    last = max(values, key=lambda value: abs(value - leader))
    return None if last == leader else Axis(leader, last)


def axis_head(axis: Axis | None, row: Statistic | None, *, games: int) -> SafeString:
    """Draw the texts of the ticks, and the group ``#ticks`` of their lines, which every row uses; "" without an axis."""
    if axis is None:
        return SafeString("")
    offset = 0.0 if row is None else shown_value(row, 0.0, games)
    ticks = axis.ticks(row, offset=offset)
    texts = "".join(f'<text x="{x:.1f}%" y="17" text-anchor="middle">{escape(text)}</text>' for x, text in ticks)
    lines = "".join(f'<line x1="{x:.1f}%" x2="{x:.1f}%" y1="0" y2="24"/>' for x, _text in ticks)
    return mark_safe(  # noqa: S308 - numbers and escaped texts
        f'<svg class="axis" aria-hidden="true"><defs><g id="ticks">{lines}</g></defs>{texts}</svg>'
    )


def axis_row(axis: Axis | None, value: float) -> SafeString:
    if axis is None:
        return SafeString("")
    x = axis.at(value)
    return mark_safe(  # noqa: S308 - numbers
        f'<svg class="axis" aria-hidden="true"><use href="#ticks"/><line class="gap" x1="{_FIRST:.0f}%" x2="{x:.1f}%"'
        f' y1="12" y2="12"/><circle cx="{x:.1f}%" cy="12" r="4"/></svg>'
    )
