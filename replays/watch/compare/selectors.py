"""Two games compared: made on request of their files, stored nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from analysis.film.moments import EffectiveClick, effective_clicks
from analysis.film.progress import Progress, Splits, progress_of, splits
from analysis.statistics import STORED, Better, Statistic
from analysis.time_convention import difference, difference_text
from replays.models import Replay
from replays.watch.film.selectors import film_of_replay

#: Numbers of which a difference tells nothing.
_LEFT_OUT: Final = frozenset({"time_ms"})
#: Numbers made to compare lost games: all others are better the sooner a game is lost.
_OF_LOST: Final = frozenset({"completion", "estime", "stnb", "stnb2023"})


@dataclass(frozen=True, slots=True)
class Difference:
    """One number of both games; ``difference``: the second less the first; ``precision_ms``: of the finer clock.

    ``judged``: one of them may be better: any number of two won games, of two others those made for such games.
    """

    row: Statistic
    first: float | int | None
    second: float | int | None
    precision_ms: int | None
    judged: bool

    @property
    def difference(self) -> float | int | None:
        return None if self.first is None or self.second is None else difference(self.second, self.first)

    @property
    def text(self) -> str:
        return "" if self.difference is None else difference_text(self.row, self.difference, self.precision_ms)

    @property
    def better(self) -> str:
        """``first`` or ``second``, or "" if neither is."""
        if self.first is None or self.second is None or not self.judged:
            return ""
        first, second = self.row.rank_key(self.first), self.row.rank_key(self.second)
        if self.row.better is Better.NONE or first == second:
            return ""
        return "first" if first < second else "second"


@dataclass(frozen=True, slots=True)
class CommonClick:
    """A cell on which both made the same effective click, and when each first did."""

    sort: str
    cell: int
    first_ms: int
    second_ms: int


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """``same_board``: progress is in 3BV and clicks are compared, else progress is a share of the 3BV.  ``clicks``: how
    many effective clicks each made.
    """

    first: Replay
    second: Replay
    same_board: bool
    progress: tuple[Progress, Progress]
    splits: Splits
    differences: list[Difference]
    common: list[CommonClick]
    clicks: tuple[int, int]


def compare(first: Replay, second: Replay) -> Comparison:
    """Raise ``Http404`` if a file is lost."""
    films = film_of_replay(first), film_of_replay(second)
    same = on_same_board(first, second)
    one, other = (progress_of(film, as_share=not same) for film in films)
    clicks = [effective_clicks(film) for film in films]
    return Comparison(
        first, second, same, (one, other), splits(one, other, as_share=not same), differences(first, second),
        _common(*clicks) if same else [], (len(clicks[0]), len(clicks[1])),
    )  # fmt: skip


def on_same_board(first: Replay, second: Replay) -> bool:
    """Return whether both were played on the same mines; a mirrored board is another one."""
    if first.board is None or second.board is None:
        return False
    return (first.rows, first.columns, bytes(first.board)) == (second.rows, second.columns, bytes(second.board))


def differences(first: Replay, second: Replay) -> list[Difference]:
    rows = (row for row in STORED if row.name not in _LEFT_OUT)
    precision_ms = min(first.time_precision_ms or 1, second.time_precision_ms or 1)
    won = bool(first.win), bool(second.win)
    return [
        Difference(
            row, first.statistic(row.name), second.statistic(row.name), precision_ms,
            judged=all(won) or (row.name in _OF_LOST and not any(won)),
        )
        for row in rows
    ]  # fmt: skip


def _common(first: Sequence[EffectiveClick], second: Sequence[EffectiveClick]) -> list[CommonClick]:
    times: list[dict[tuple[str, int], int]] = []
    for clicks in (first, second):
        seen: dict[tuple[str, int], int] = {}
        for click in clicks:
            seen.setdefault((click.sort, click.cell), click.time_ms)
        times.append(seen)
    both = (key for key in times[0] if key in times[1])
    return [CommonClick(sort, cell, times[0][sort, cell], times[1][sort, cell]) for sort, cell in both]
