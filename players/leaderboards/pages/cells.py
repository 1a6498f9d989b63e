"""Cells of a row of a board: the distance to the first row, the age of the result, and the trend up to it.

Drawings are SVG without styles; colours come from the style sheet.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.statistics import Statistic
from analysis.time_convention import difference, value_text
from players.leaderboards.boards import BoardKey, games_in_value
from players.leaderboards.pages.axis import Axis, axis_of, axis_row
from players.leaderboards.pages.columns import Column
from players.leaderboards.ranks import BoardPage, BoardRow
from players.leaderboards.ranks.row_games import RowGames, row_games
from players.models import RecordEvent
from players.web.clock import shown_text

#: The last personal bests of a player that a trend shows.
TREND_VALUES: Final = 24
_DAYS_A_MONTH: Final = 30.44
_DAYS_A_YEAR: Final = 365.25
#: From how many days on an age is told in months, and in years.
_MONTHS_FROM, _YEARS_FROM = 60, 730
_WIDTH, _HEIGHT, _EDGE = 64.0, 18.0, 2.0


def gap(value: float, leader: float) -> float:
    return abs(difference(value, leader))


def gap_share(value: float, leader: float) -> float:
    """The distance to the leader from 0 to 1: how much the smaller value lacks to the larger.

    A time of 60 s behind one of 45 s is 0.25 away, and 3 3BV/s behind 4 as well; so it needs no scale of its own.
    """
    largest = max(abs(value), abs(leader))
    return min(1.0, gap(value, leader) / largest) if largest else 0.0


def gap_text(
    row: Statistic | None, value: float, leader: float, precision_ms: int | None, decimals: int | None
) -> str:  # fmt: skip
    """The distance with its sign; ``row``: None on sub-N boards, which count games.  The same on every clock."""
    if value == leader:
        return ""
    sign = "+" if value > leader else "−"
    away = gap(value, leader)
    return sign + (
        f"{away:.0f}" if row is None else value_text(row, away, precision_ms=precision_ms, decimals=decimals)
    )


def age_days(achieved_at: datetime, now: datetime) -> int:
    """Whole days since ``achieved_at``; 0 for a date that is still to come, as a wrong clock may write it."""
    return max(0, (now - achieved_at) // timedelta(days=1))


def age_text(days: int) -> str:
    if days < _MONTHS_FROM:
        return ngettext("%(count)s day", "%(count)s days", days) % {"count": days} if days else _("today")
    if days < _YEARS_FROM:
        months = round(days / _DAYS_A_MONTH)
        return ngettext("%(count)s month", "%(count)s months", months) % {"count": months}
    return _("%(count)s years") % {"count": f"{days / _DAYS_A_YEAR:.1f}"}


@dataclass(frozen=True, slots=True)
class BoardCells:
    """The cells of the rows of one page, for the tag ``board_rows``.

    ``row``: None on sub-N boards.  ``games``: of how many games a value is the sum.  ``trends``: by player id.
    ``is_average``: whether a value is the mean of several games.
    """

    row: Statistic | None
    leader: float | None
    decimals: int | None
    games: int
    now: datetime
    trends: Mapping[int, Sequence[float]]
    axis: Axis | None
    row_games: RowGames
    is_average: bool
    film_text: str = field(default_factory=lambda: _("Watch %(player)s's game"))

    @property
    def first_games(self) -> bool:
        """Whether the replay of a row is the first of several games: on sub-N boards."""
        return self.row is None

    def gap(self, one: BoardRow) -> SafeString:
        """Draw the distance to the first row as text and on the axis; nothing for the first itself."""
        if self.leader is None or one.value == self.leader:
            return SafeString("")
        text = gap_text(self.row, one.value, self.leader, one.precision_ms, self.decimals)
        return mark_safe(f"<span>{text}</span>{axis_row(self.axis, one.value)}")  # noqa: S308 - numbers

    def age(self, one: BoardRow) -> str:
        return age_text(age_days(one.achieved_at, self.now))

    def trend(self, one: BoardRow) -> SafeString:
        values = self.trends.get(one.player.pk, ())
        if self.row is None or not values:
            return SafeString("")
        first, last = (
            shown_text(self.row, value, precision_ms=one.precision_ms, games=self.games)
            for value in (values[0], values[-1])
        )
        return trend_svg(self.row, values, {"first": first, "last": last})

    def film_label(self, one: BoardRow) -> str:
        return self.film_text % {"player": one.player.shown_name}


def cells_of(page: BoardPage, columns: Collection[Column]) -> BoardCells:
    """The cells of ``page``; one statement if ``columns`` has trends, else none."""
    return BoardCells(
        page.board.row, page.leader, page.decimals, games_in_value(page.board.level),
        timezone.now(), trends_of(page, columns) or {}, axis_of(page), row_games(page.board),
        page.board.filters.best_of > 1,
    )  # fmt: skip


# --- trends -----------------------------------------------------------------------------------------------------------


def trends_of(page: BoardPage, columns: Collection[Column]) -> dict[int, list[float]] | None:
    """The trends of the players on ``page``; None, without a statement, if ``columns`` has none."""
    if not any(column.name == "trend" for column in columns):
        return None
    return trends(page.board.key, [one.player.pk for one in page.shown])


def trends(key: BoardKey, player_ids: Collection[int]) -> dict[int, list[float]]:
    """The last personal bests of these players on the board ``key``, in the order of upload; one statement.

    The index ``events_of_player_board`` holds a player's few steps side by side.
    """
    events = RecordEvent.objects.filter(
        kind=RecordEvent.Kind.PERSONAL, player__in=player_ids, statistic=key.statistic, level=key.level, style=key.style
    )  # fmt: skip
    found: dict[int, list[float]] = {}
    for player_id, value in events.order_by("player", "id").values_list("player_id", "new_value"):
        found.setdefault(player_id, []).append(value)
    return {player_id: values[-TREND_VALUES:] for player_id, values in found.items()}


def trend_svg(row: Statistic, values: Sequence[float], texts: Mapping[str, str]) -> SafeString:
    """A line through ``values``, one step wide each; up is better.  "" for fewer than two.

    ``texts``: ``first`` and ``last`` as a page shows them, for readers who do not see the line.
    """
    if len(values) < 2:
        return SafeString("")
    keys = [row.rank_key(value) for value in values]
    low, high = min(keys), max(keys)
    step = (_WIDTH - 2 * _EDGE) / (len(keys) - 1)
    scale = (_HEIGHT - 2 * _EDGE) / (high - low) if high > low else 0.0
    points = [(_EDGE + number * step, _EDGE + (key - low) * scale) for number, key in enumerate(keys)]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    x, y = points[-1]
    words = ngettext(
        "%(count)s personal best, from %(first)s to %(last)s",
        "%(count)s personal bests, from %(first)s to %(last)s",
        len(values),
    ) % {"count": len(values), **texts}
    return mark_safe(  # noqa: S308 - numbers, and an escaped text
        f'<svg class="trend-line" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img" aria-label="{escape(words)}">'
        f'<title>{escape(words)}</title><path d="M{line}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="1.8"/></svg>'
    )
