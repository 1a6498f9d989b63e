"""Definitions of filtered boards."""

from __future__ import annotations

from dataclasses import dataclass

from players.leaderboards.filters import BoardFilter


@dataclass(frozen=True, slots=True)
class LevelBoard:
    level: str
    statistic: str
    style: str
    board_filter: BoardFilter

    @property
    def name(self) -> str:
        return f"{self.level}:{self.statistic}:{self.style}:{_filter_name(self.board_filter)}"


@dataclass(frozen=True, slots=True)
class SubBoard:
    level: str
    n: int
    style: str
    board_filter: BoardFilter

    @property
    def name(self) -> str:
        return f"{self.level}:sub{self.n}:{self.style}:{_filter_name(self.board_filter)}"


def _filter_name(board_filter: BoardFilter) -> str:
    """Return a name made of datetimes and not of parameters: "active" means another period after two weeks."""
    limits = ("" if limit is None else f"{limit:%Y%m%d%H%M%S}" for limit in (board_filter.since, board_filter.until))
    lost = ("lost",) if board_filter.lost else ()
    return ":".join((*limits, board_filter.country, str(board_filter.min_bv), str(board_filter.best_of), *lost))
