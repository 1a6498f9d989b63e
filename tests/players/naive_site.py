"""Every board computed by plain loops over rows: the slow twin of ``players``.

It uses nothing of ``players`` or ``replays``: one loop over all replays decides which count, and each method sorts and
counts for itself.  Only the registry says which statistics are ranked, and in which direction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from analysis.statistics import RANKED, STATISTICS, Better

LEVELS = ("beginner", "beginner-9x9", "intermediate", "expert")
SUMMED = ("expert", "intermediate", "beginner")  # the harder level decides a tie first
STYLES = ("all", "NF", "FL")
DIRECTION = {row.name: 1 if row.better is Better.LOW else -1 for row in STATISTICS}
#: Boards of lost games.
CORPSES = [
    (level, name, style) for level in LEVELS for name in ("stnb", "estime") for style in STYLES
    if name == "estime" or level != "beginner-9x9"
]  # fmt: skip
BOARDS = [(level, row.name, style) for row in RANKED for level in LEVELS if level in row.levels for style in STYLES]
SUMS = [
    (row.name, style) for row in RANKED if all(level in row.levels for level in SUMMED) for style in STYLES
]  # fmt: skip

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Rules:
    """The settings of the site that decide what counts."""

    minimum_3bv: Mapping[str, int]
    minimum_completion: int
    findings: Sequence[str]
    limits: Sequence[tuple[str, str, str, float]]
    open_formats: Sequence[str] = ()


class Place(NamedTuple):
    """One row of a board; ``replays`` of a combined board are those of its three parts."""

    rank: int
    player: int
    value: float
    achieved_at: datetime
    replays: tuple[int, ...]


class SubPlace(NamedTuple):
    rank: int
    player: int
    games: int
    since: datetime
    replay: int


class Step(NamedTuple):
    replay: int
    achieved_at: datetime
    value: float
    old_value: float | None


class Site:
    """The boards of a site, from all rows of replays and the player of each name."""

    def __init__(self, replays: Iterable[Row], owners: Mapping[str, int], rules: Rules) -> None:
        self.replays = list(replays)
        self.owners = owners
        self.rules = rules

    # --- which games count ---

    def judgement(self, row: Row) -> str:
        """Return the decision of staff, else that of the rules."""
        if row["judgement_code"] == "staff":
            return str(row["judgement"])
        won, lost = bool(row["win"]), self._went_far(row)
        if not ((won or lost) and row["mode"] == "standard" and row["level"] in LEVELS):
            return "accepted"
        doubtful = any(finding["code"] in self.rules.findings for finding in row["findings"])
        for level, statistic, sign, bound in self.rules.limits:
            value = row["estime" if lost and statistic == "time" else statistic]
            if level == row["level"] and value is not None:
                doubtful = doubtful or (value < bound if sign == "<" else value > bound)
        if doubtful:
            return "suspicious"
        if row["evidence"] == "open" and row["format"] not in self.rules.open_formats:
            return "unverified"
        if row["judgement"] in ("disputed", "linked"):  # for the sake of another file that is there
            equal = [
                other for other in self.replays if other["game_hash"] == row["game_hash"] and other["status"] == "done"
            ]
            return str(row["judgement"]) if len(equal) > 1 else "accepted"
        # Which games are provisional depends on what the boards were when they came.
        return "provisional" if row["judgement"] == "provisional" else "accepted"

    def counts(self, row: Row) -> bool:
        """Return whether a replay is ranked."""
        return bool(row["win"]) and self._may_count(row)

    def counts_as_corpse(self, row: Row) -> bool:
        """Return whether a lost game is on boards of lost games."""
        return self._went_far(row) and self._may_count(row)

    def _went_far(self, row: Row) -> bool:
        return row["result"] == "lost" and (row["completion"] or 0) >= self.rules.minimum_completion / 100

    def _may_count(self, row: Row) -> bool:
        if row["status"] != "done" or row["mode"] != "standard" or row["level"] not in LEVELS:
            return False
        if row["identifier"] not in self.owners or self.judgement(row) not in ("accepted", "provisional"):
            return False
        if row["ownership"] in ("waiting", "disowned", "reported"):
            return False
        return bool((row["bv"] or 0) >= self.rules.minimum_3bv[row["level"]])

    @cached_property
    def games(self) -> dict[tuple[str, str], list[Row]]:
        """The ranked games by level and style."""
        found = defaultdict(list)
        for row in self.replays:
            if self.counts(row):
                found[row["level"], "all"].append(row)
                found[row["level"], row["style"]].append(row)
        return found

    def player(self, row: Row) -> int:
        return self.owners[row["identifier"]]

    # --- boards ---

    @cached_property
    def corpses(self) -> dict[tuple[str, str], list[Row]]:
        """The lost games that count, by level and style."""
        found = defaultdict(list)
        for row in self.replays:
            if self.counts_as_corpse(row):
                found[row["level"], "all"].append(row)
                found[row["level"], row["style"]].append(row)
        return found

    def bests(self, level: str, statistic: str, style: str, *, lost: bool = False) -> dict[int, Row]:
        """The best game of each player; of equal ones the earlier, then the older replay."""
        best: dict[int, Row] = {}
        for row in (self.corpses if lost else self.games).get((level, style), []):
            if row[statistic] is None:
                continue
            player = self.player(row)
            if player not in best or self._order(row, statistic) < self._order(best[player], statistic):
                best[player] = row
        return best

    @staticmethod
    def _order(row: Row, statistic: str) -> tuple[float, datetime, int]:
        return DIRECTION[statistic] * row[statistic], row["achieved_at"], row["id"]

    def board(self, level: str, statistic: str, style: str, *, lost: bool = False) -> list[Place]:
        """The rows; full ties in the order of players."""
        best = self.bests(level, statistic, style, lost=lost)
        rows = [
            (DIRECTION[statistic] * row[statistic], row["achieved_at"], player, row) for player, row in best.items()
        ]
        rows.sort(key=lambda one: one[:3])
        return [
            Place(1 + sum(other[0] < key for other in rows), player, float(row[statistic]), achieved_at, (row["id"],))
            for key, achieved_at, player, row in rows
        ]

    def combined(self, statistic: str, style: str) -> list[Place]:
        """The rows of the combined board; sums are rounded once."""
        parts = {level: self.bests(level, statistic, style) for level in SUMMED}
        rows = []
        for player in set.intersection(*(set(best) for best in parts.values())):
            games = [parts[level][player] for level in SUMMED]
            total = round(float(sum(Fraction(game[statistic]) for game in games)), 9)
            keys = [DIRECTION[statistic] * float(game[statistic]) for game in games]
            order = (DIRECTION[statistic] * total, keys[0], keys[1])
            rows.append((order, max(game["achieved_at"] for game in games), player, total, games))
        rows.sort(key=lambda one: one[:3])
        return [
            Place(
                1 + sum(other[0] < order for other in rows), player, total, achieved_at,
                tuple(game["id"] for game in games),
            )
            for order, achieved_at, player, total, games in rows
        ]  # fmt: skip

    # --- sub-N ---

    def sub(self, level: str, style: str, n: int) -> list[SubPlace]:
        """The players by games whose second, counted from 1, is at most n - 1."""
        games = defaultdict(list)
        for row in self.games.get((level, style), []):
            if row["time_ms"] // 1000 + 1 <= n - 1:
                games[self.player(row)].append(row)
        rows = []
        for player, won in games.items():
            first = min(won, key=lambda row: (row["achieved_at"], row["id"]))
            rows.append((-len(won), first["achieved_at"], player, first["id"]))
        rows.sort()
        return [
            SubPlace(1 + sum(other[0] < fewer for other in rows), player, -fewer, since, replay)
            for fewer, since, player, replay in rows
        ]

    # --- history ---

    def history(self, level: str, statistic: str, style: str, player: int | None = None) -> list[Step]:
        """Every result better than all before it, of all players or of one; of equal dates that of the lower player first."""
        steps: list[Step] = []
        rows = [row for row in self.games.get((level, style), []) if row[statistic] is not None]
        for row in sorted(rows, key=lambda row: (row["achieved_at"], self.player(row), row["id"])):
            if player is not None and self.player(row) != player:
                continue
            if player is None and self.judgement(row) == "provisional":
                continue
            old = steps[-1].value if steps else None
            if old is None or DIRECTION[statistic] * row[statistic] < DIRECTION[statistic] * old:
                steps.append(Step(row["id"], row["achieved_at"], float(row[statistic]), old))
        return steps

    def by_3bv(self, player: int, level: str, statistic: str, style: str) -> list[tuple[int, float, int, int]]:
        """3BV, best value, its replay and the number of games."""
        games = defaultdict(list)
        for row in self.games.get((level, style), []):
            if self.player(row) == player and row[statistic] is not None:
                games[row["bv"]].append(row)
        found = []
        for bv in sorted(games):
            best = min(games[bv], key=lambda row: self._order(row, statistic))
            found.append((bv, float(best[statistic]), best["id"], len(games[bv])))
        return found
