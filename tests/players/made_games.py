"""Games without files that go through the services for files: receive, claim, analyse, settle.

Only the analysis is fake: its result is looked up by the hash of the file.  A corrected reader, which reads the file in
another way, is a changed entry.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np
from django.db.models import QuerySet

from analysis.analyse import Analysis
from analysis.click_machine import Result
from analysis.evidence import Evidence, EvidenceClass, History
from analysis.recording import LEVEL_SHAPES, Board, Finding, Level, Mode, Recording, digest, events_from
from analysis.statistics import BY_NAME, LEVEL_CODES, RANKED_LEVELS, derive, plain
from players.leaderboards.boards import COMBINED, BoardKey
from players.models import CombinedBest, PersonalBest
from replays.models import Replay
from replays.upload.processing import compute
from tests.factories import EPOCH, base_numbers

#: Few values of everything, so that ties are common.
TIMES_MS = range(1_000, 12_000, 250)
DAYS = 12
NAMES = tuple(f"name {number}" for number in range(40))
FINDING = "bv_differs"
_CUSTOM_SHAPE = (10, 12, 20)


@dataclass(frozen=True)
class MadeGame:
    """The analysis of a file, by one version of the readers."""

    game_hash: str
    name: str
    level: Level
    style: str
    mode: Mode
    result: Result
    played_at: datetime.datetime | None
    findings: tuple[Finding, ...]
    values: dict[str, float | int | None]
    evidence: EvidenceClass = EvidenceClass.SEALED

    def analysed(self) -> compute.Analysed:
        """Return the result of analysing its file."""
        unknown = History(None, None, None, None, None, None)
        return compute.Analysed(self.analysis(), Evidence(self.evidence, (), None, None, unknown))

    def analysis(self) -> Analysis:
        """Return the game as an ``Analysis``, without values that are not stored."""
        board = _board(self.level)
        recording = Recording(
            "avf", "made up", board, events_from([]), player=self.name, mode=self.mode, played_at=self.played_at,
            time_precision_ms=10,
        )  # fmt: skip
        unread: Any = None
        return Analysis(
            recording, unread, _Outcome(self.result), self.style, self.game_hash, self.values, self.findings  # type: ignore[arg-type]
        )  # fmt: skip


@dataclass(frozen=True)
class _Outcome:
    result: Result


@cache
def _board(level: Level) -> Board:
    rows, columns, mines = LEVEL_SHAPES.get(level, _CUSTOM_SHAPE)
    cells = np.zeros(rows * columns, dtype=bool)
    cells[:mines] = True
    return Board(cells.reshape(rows, columns))


def random_values(source: random.Random, level: Level, *, won: bool) -> dict[str, float | int | None]:
    """Every stored statistic of a game; derived ones by the registry."""
    bv = source.randint(20, 26)
    base = base_numbers(source, time_ms=source.choice(TIMES_MS), bv=bv)
    if not won:
        base["bvdone"] = bv - source.randint(1, 9)
    if source.random() < 0.1:
        base["path"] = float("nan")
    arrays = {name: np.array([value], dtype=np.float64) for name, value in base.items()}
    arrays |= {"win": np.array([float(won)]), "level": np.array([float(LEVEL_CODES[level])])}
    derived = {name: float(found[0]) for name, found in derive(arrays).items()}
    return {name: plain(BY_NAME[name], value) for name, value in {**base, **derived}.items()}


def random_game(source: random.Random, names: tuple[str, ...] = NAMES, *, plain_win: bool = False) -> MadeGame:
    """Mostly a won, ranked game; else lost, unfinished, of another mode or level, without a name, or with findings.

    ``plain_win``: always one that is ranked, whatever the limits on values are.
    """
    odd = 1.0 if plain_win else source.random()
    level = Level.CUSTOM if odd < 0.04 else source.choice(RANKED_LEVELS)
    result = source.choice([Result.LOST, Result.UNFINISHED]) if 0.04 <= odd < 0.12 else Result.WON
    other_modes = [mode for mode in Mode if mode is not Mode.STANDARD]
    when = EPOCH + datetime.timedelta(days=source.randrange(DAYS), hours=source.randrange(2))
    return MadeGame(
        game_hash=digest(source.randbytes(16)),
        name="" if 0.12 <= odd < 0.15 else source.choice(names),
        level=level,
        style=source.choice(["NF", "FL"]),
        mode=source.choice(other_modes) if 0.15 <= odd < 0.18 else Mode.STANDARD,
        result=result,
        played_at=None if 0.18 <= odd < 0.2 else when,
        findings=(Finding(FINDING, {"claimed": 2, "actual": 3}),) if 0.2 <= odd < 0.25 else (),
        evidence=EvidenceClass.OPEN if 0.25 <= odd < 0.3 else EvidenceClass.SEALED,
        values=random_values(source, level, won=result is Result.WON),
    )


def read_otherwise(source: random.Random, game: MadeGame, names: tuple[str, ...] = NAMES) -> MadeGame:
    """``game`` as a corrected reader or formula would give it."""
    what = source.choice(["values", "values", "date", "date", "name", "level", "style", "result", "mode", "findings"])
    other = random_game(source, names)
    if what in ("level", "result"):
        changed = replace(game, **{what: getattr(other, what)})
        return replace(changed, values=random_values(source, changed.level, won=changed.result is Result.WON))
    column = {"date": "played_at"}.get(what, what)
    if what == "values":
        return replace(game, values=random_values(source, game.level, won=game.result is Result.WON))
    return replace(game, **{column: getattr(other, column)})


@dataclass
class Shelf:
    """The stored files and their analyses."""

    games: dict[str, MadeGame] = field(default_factory=dict)  # by the hash of the file
    contents: dict[str, bytes] = field(default_factory=dict)

    def put_many(self, contents: dict[str, bytes]) -> None:
        self.contents |= contents

    def delete(self, sha256: str) -> None:
        self.contents.pop(sha256, None)
        self.games.pop(sha256, None)

    def compute_results(self, replays: Iterable[Replay]) -> list[tuple[Replay, compute.Result]]:
        """The twin of ``replays.upload.processing.compute.compute_results``."""
        return [(replay, self._read(replay.sha256)) for replay in replays]

    def _read(self, sha256: str) -> compute.Result:
        game = self.games.get(sha256)
        return compute.Rejection("file_missing") if game is None else game.analysed()


@contextmanager
def on_shelf(shelf: Shelf) -> Iterator[None]:
    """Make the services store and read files on ``shelf``; tasks are dropped, so their rows stay queued."""
    with ExitStack() as stack:
        for target, stand_in in (
            ("replays.models.file_store.put_many", shelf.put_many),
            ("replays.models.file_store.delete", shelf.delete),
            ("replays.upload.processing.services.compute_results", shelf.compute_results),
            ("replays.upload.processing.queue._publish", lambda _task, _ids: None),
        ):
            stack.enter_context(patch(target, stand_in))
        yield


def rows_of(key: BoardKey) -> QuerySet[Any, Any]:
    """All rows of the board ``key``, of ``PersonalBest`` or ``CombinedBest``, in no order."""
    if key.level == COMBINED:
        return CombinedBest.objects.filter(statistic=key.statistic, style=key.style)
    return PersonalBest.objects.filter(statistic=key.statistic, level=key.level, style=key.style)
