"""One board with its filters: what it ranks, and its addresses in pages, API and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from django.urls import reverse
from django.utils.http import urlencode

from analysis.statistics import BY_NAME, Statistic
from players.leaderboards.boards import (
    COMBINED,
    CORPSES_ON,
    LEVEL_ORDER,
    OFFERED_N,
    BoardKey,
    board_key,
    checked_level,
    checked_sub_n,
    statistics_on,
)
from players.leaderboards.filters import LOST_GAMES, UNFILTERED, BoardFilter, board_filter
from players.models import ALL_STYLES
from players.web.parameters import Parsed

_SUB: Final = "sub"


@dataclass(frozen=True, slots=True)
class Board:
    """A board: ``level`` is "combined" for sums of three levels, ``statistic`` is "sub" with N on sub-N boards, and
    ``filters`` say which games count, those of boards of lost games too.
    """

    level: str
    statistic: str
    style: str = ALL_STYLES
    filters: BoardFilter = UNFILTERED

    @property
    def key(self) -> BoardKey:
        return BoardKey(self.level, self.statistic, self.style)

    @property
    def name(self) -> str:
        """A name made of datetimes and not of parameters: "active" means another period after two weeks."""
        limits = (self.filters.since, self.filters.until)
        lost = ("lost",) if self.filters.lost else ()
        parts = (*("" if limit is None else f"{limit:%Y%m%d%H%M%S}" for limit in limits), self.filters.country)
        return ":".join((*self.key, *parts, str(self.filters.min_bv), str(self.filters.best_of), *lost))

    @property
    def row(self) -> Statistic | None:
        """The statistic; None on sub-N boards, which count games."""
        return BY_NAME.get(self.statistic)

    @property
    def n(self) -> int | None:
        """The N of a sub-N board."""
        return int(self.statistic.removeprefix(_SUB)) if self.statistic.startswith(_SUB) else None

    @property
    def is_sum(self) -> bool:
        return self.level == COMBINED

    @property
    def is_stored(self) -> bool:
        """Storage in a table; other boards are sorted in memory (``players.leaderboards.filtered``)."""
        return self.filters.is_empty and self.n is None

    @property
    def takes_min_bv(self) -> bool:
        return not self.is_sum

    @property
    def takes_best_of(self) -> bool:
        return self.n is None

    def rank_key(self, value: float) -> float:
        """Return what sorts ``value``, the smaller the better; it is its own inverse."""
        return -value if self.row is None else self.row.rank_key(value)

    # --- other boards ---

    def with_parameters(self, values: Parsed) -> Board:
        """Return it with the style and the filters of parsed parameters; raises ``BadParameter``."""
        filters = board_filter(values, combined=self.is_sum, lost=self.filters.lost)
        return replace(
            self, style=values["style"], filters=filters if self.takes_best_of else replace(filters, best_of=1)
        )

    def filtered(self, **changes: Any) -> Board:
        return replace(self, filters=replace(self.filters, **changes))

    def unfiltered(self) -> Board:
        return replace(self, filters=LOST_GAMES if self.filters.lost else UNFILTERED)

    def sub(self, n: int) -> Board:
        return replace(self, statistic=f"{_SUB}{n}")

    def on_levels(self) -> list[Board]:
        """Return the board of each level, with the same filters as far as it takes them.

        A level without the statistic has that which every level has.
        """
        if self.n is not None:
            return [replace(self, level=level).sub(OFFERED_N[level][1]) for level in LEVEL_ORDER if level in OFFERED_N]
        levels = [level for level in LEVEL_ORDER if not self.filters.lost or level in CORPSES_ON]
        return [self._on_level(level) for level in levels]

    def _on_level(self, level: str) -> Board:
        rows = CORPSES_ON[level] if self.filters.lost else statistics_on(level)
        others = "estime" if self.filters.lost else "time"
        statistic = self.statistic if any(row.name == self.statistic for row in rows) else others
        found = replace(self, level=level, statistic=statistic)
        return found if found.takes_min_bv else found.filtered(min_bv=0)

    # --- addresses ---

    @property
    def path(self) -> str:
        """The page of all styles and without a filter; boards of lost games have addresses of their own."""
        name, arguments = self._address()
        return _reversed(name, *arguments)

    @property
    def api_path(self) -> str:
        name, arguments = self._address()
        return _reversed(f"api-{name}", *arguments)

    def query(self, columns: str = "") -> str:
        """Return style, filters and ``columns`` (as ``columns_text`` writes them) as a query; "" if there are none."""
        query = ({} if self.style == ALL_STYLES else {"style": self.style}) | self.filters.parameters()
        query |= {"columns": columns} if columns else {}
        return f"?{urlencode(query)}" if query else ""

    def url(self, columns: str = "") -> str:
        return self.path + self.query(columns)

    def file_urls(self, kinds: Sequence[str], columns: str = "") -> list[tuple[str, str]]:
        """Return each of the ``kinds`` of files with its address."""
        name, arguments = self._address()
        return [(kind, _reversed(f"api-{name}-rows", *arguments, kind) + self.query(columns)) for kind in kinds]

    def _address(self) -> tuple[str, tuple[str | int, ...]]:
        if self.n is not None:
            return "board-sub", (self.level, self.n)
        if self.filters.lost:
            return "board-corpses", (self.level, self.statistic)
        if self.is_sum:
            return "board-combined", (self.statistic,)
        return "board", (self.level, self.statistic)


def board_at(level: str, statistic: str = "", n: int | None = None, *, lost: bool = False) -> Board:
    """Return the board of an address, of all styles; raise ``UnknownBoard`` if there is none."""
    if n is not None:
        return Board(checked_level(level), f"{_SUB}{checked_sub_n(n)}")
    return Board(*board_key(level, statistic, lost=lost), LOST_GAMES if lost else UNFILTERED)


def board_address(level: str, statistic: str) -> str:
    """Return the page of the board of all styles, for templates; ``level`` is "combined" for sums."""
    return Board(level, statistic).path


@cache
def _reversed(name: str, *arguments: str | int) -> str:
    return reverse(name, args=arguments)
