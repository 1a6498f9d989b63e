"""Every chart of a player by plain loops over all replays: the slow twin of ``players.profile.charts``.

It uses nothing of ``players`` or ``replays``: each function takes the rows of all replays and returns what the API must.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, median
from typing import Any
from zoneinfo import ZoneInfo

from analysis.statistics import BY_NAME, Better

Row = Mapping[str, Any]
Rows = list[dict[str, Any]]

_NOT_OWNED = ("waiting", "disowned", "reported")
_WINDOW, _POINTS, _BEST_OF, _WINS = 100, 200, 5, 100


@dataclass(frozen=True)
class NaiveCharts:
    """The charts of one player.  ``level``: None for all; those that need one take the hardest with ranked games."""

    replays: Sequence[Row]
    player: int
    zone: ZoneInfo
    level: str | None = None
    style: str = "all"

    # --- which games ---

    @property
    def games(self) -> list[Row]:
        """The analysed games of the player, in the order in which they were played."""
        own = [
            row for row in self.replays
            if row["player_id"] == self.player and row["status"] == "done" and row["ownership"] not in _NOT_OWNED
        ]  # fmt: skip
        return sorted(own, key=lambda row: (at(row), row["id"]))

    @property
    def games_of_level(self) -> list[Row]:
        return [row for row in self.games if self.level in (None, row["level"])]

    @property
    def one_level(self) -> str:
        if self.level is not None:
            return self.level
        played = {row["level"] for row in self.games if row["ranked"]}
        return next(
            (level for level in ("expert", "intermediate", "beginner", "beginner-9x9") if level in played), "expert"
        )

    @property
    def ranked(self) -> list[Row]:
        return ranked_of(self.replays, self.player, self.one_level, self.style)

    def local(self, row: Row) -> datetime.datetime:
        return at(row).astimezone(self.zone) if row["played_at_has_zone"] else at(row).replace(tzinfo=None)

    # --- of all games ---

    def calendar(self, year: int) -> Rows:
        return self._counted(self.games, lambda when: {"day": when.date().isoformat()}, lambda when: when.year == year)

    def hours(self) -> Rows:
        return with_rate(
            self._counted(self.games_of_level, lambda when: {"weekday": when.isoweekday(), "hour": when.hour})
        )

    def wins(self) -> Rows:
        period = self._period(self.games_of_level)
        return with_rate(self._counted(self.games_of_level, lambda when: {"period": period(when)}))

    def losses(self) -> Rows:
        lost = [row for row in self.games_of_level if row["result"] == "lost" and row["completion"] is not None]
        tenths = Counter(min(9, int(Fraction(10 * row["bvdone"], row["bv"]))) for row in lost)
        if not lost:
            return []
        return [
            {"from_percent": 10 * tenth, "to_percent": 10 * tenth + 10, "games": tenths[tenth]} for tenth in range(10)
        ]

    # --- of ranked games ---

    def accuracy(self) -> Rows:
        return [
            {"period": period, "games": len(some), "accuracy": round(fmean(row["accuracy"] for row in some), 6)}
            for period, some in self._known_luck()
        ]

    def _known_luck(self) -> list[tuple[str, list[Row]]]:
        found = [
            row for row in ranked_of(self.replays, self.player, self.one_level, "all") if row["accuracy"] is not None
        ]
        period = self._period(found)
        by_period: dict[str, list[Row]] = {}
        for row in sorted(found, key=at):
            by_period.setdefault(period(self.local(row)), []).append(row)
        return sorted(by_period.items())

    def distribution(self) -> Rows:
        seconds = [row["time_ms"] // 1000 for row in self.ranked]
        if not seconds:
            return []
        width = next((width for width in (1, 2, 5, 10, 20, 50) if max(seconds) + 1 - min(seconds) <= 60 * width), 100)
        bars = Counter(second - second % width for second in seconds)
        return [{"from_second": bar, "to_second": bar + width, "games": bars[bar]} for bar in sorted(bars)]

    def time_by_3bv(self) -> Rows:
        names = ("bv", "time", "bvs")
        return [{**{name: row[name] for name in names}, "replay": row["id"]} for row in self._wins("time_ms", 1)]

    def speed(self) -> Rows:
        names = ("cls", "ioe", "bvs")
        wins = [row for row in self._wins("bvs", -1) if row["cls"] is not None and row["ioe"] is not None]
        return [{**{name: row[name] for name in names}, "replay": row["id"]} for row in wins]

    def _wins(self, statistic: str, sign: int) -> list[Row]:
        """The newest wins, and the best one after them if it is older."""
        wins = sorted(self.ranked, key=lambda row: -int(row["id"]))
        known = [row for row in wins if row[statistic] is not None]
        best = sorted(known, key=lambda row: (sign * row[statistic], row["achieved_at"], row["id"]))[:1]
        return [*wins[:_WINS], *(row for row in best if row not in wins[:_WINS])]

    def rolling(self) -> Rows:
        games = sorted(self.ranked, key=lambda row: (at(row), row["id"]))
        ends = range(_BEST_OF, len(games) + 1)
        assert len(ends) <= _POINTS, "the twin shows every game"
        rows = []
        for end in ends:
            times = [row["time_ms"] / 1000 for row in games[max(0, end - _WINDOW) : end]]
            day = self.local(games[end - 1]).date().isoformat()
            rows.append({"number": end, "day": day, "mean_of_best_five": round(fmean(sorted(times)[:5]), 6), "median": round(median(times), 6)})  # fmt: skip
        return rows

    def steps(self, statistic: str) -> list[Row]:
        """The games that were better than all before them, by the dates that count."""
        return steps_of(self.ranked, statistic)

    # --- help ---

    def _period(self, games: Iterable[Row]) -> Callable[[datetime.datetime], str]:
        """Months, or years where the first and the last month are ten years apart."""
        months = [when.year * 12 + when.month for when in map(self.local, games)]
        yearly = bool(months) and max(months) - min(months) >= 120
        return lambda when: f"{when:%Y}" if yearly else f"{when:%Y-%m}"

    def _counted(
        self,
        games: Iterable[Row],
        place: Callable[[datetime.datetime], dict[str, Any]],
        keeps: Callable[[datetime.datetime], bool] = lambda _when: True,
    ) -> Rows:
        found: dict[tuple[Any, ...], list[Row]] = {}
        places: dict[tuple[Any, ...], dict[str, Any]] = {}
        for row in games:
            when = self.local(row)
            if keeps(when):
                key = tuple(place(when).values())
                places[key] = place(when)
                found.setdefault(key, []).append(row)
        return [places[key] | counts(found[key]) for key in sorted(found)]


def at(row: Row) -> datetime.datetime:
    """When a game was played: what the file says, but never after the upload; as UTC what was written without a zone."""
    uploaded: datetime.datetime = row["uploaded_at"]
    if not row["played_at_has_zone"]:
        written: datetime.datetime = row["played_at"]
        return written
    return uploaded if row["played_at"] is None else min(row["played_at"], uploaded)


def ranked_of(replays: Iterable[Row], player: int | None, level: str, style: str) -> list[Row]:
    """The ranked games of a player (None: of everybody)."""
    return [
        row for row in replays
        if row["ranked"] and player in (None, row["player_id"]) and row["level"] == level and style in ("all", row["style"])
    ]  # fmt: skip


def steps_of(games: Iterable[Row], statistic: str) -> list[Row]:
    """Those of ``games`` that are better than all before them."""
    found: list[Row] = []
    for row in sorted(games, key=lambda row: (row["achieved_at"], row["id"])):
        if row[statistic] is not None and (
            not found or not better_or_equal(found[-1][statistic], row[statistic], statistic)
        ):
            found.append(row)
    return found


def better_or_equal(value: float, than: float, statistic: str) -> bool:
    return value <= than if BY_NAME[statistic].better is Better.LOW else value >= than


def counts(games: Sequence[Row]) -> dict[str, int]:
    return {
        "games": len(games),
        "won": sum(bool(row["win"]) for row in games),
        "undated": sum(row["played_at"] is None for row in games),
    }


def with_rate(rows: Rows) -> Rows:
    return [row | {"win_rate": row["won"] / row["games"]} for row in rows]
