"""Cost of a replay in the database: statements and milliseconds, and how many replays a second can be ranked.

    python -m tests.bench.bench_writes [--players 200] [--single 100] [--chunks 10]

On PostgreSQL with its durable defaults, in one process, with games that no file holds (``tests.players.made_games``),
so that reading and analysing cost nothing.  Every player has games on all three levels.  Then each sends Expert games:
such that beat their best time (and with it every board that time has a part in), such that beat nothing, and lost
ones; one by one, and in chunks of 200 as imports send them.  ``saved`` is the whole way of a stored file in the worker:
claim, results, player, judgement, boards, records.  ``ranked`` is ``players.leaderboards.services.add_games`` alone, on replays that
are saved already.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.bench.import_shares import postgres

if TYPE_CHECKING:
    from tests.players.made_games import MadeGame, Shelf

CHUNK = 200
_SORTS = ("a personal best", "no personal best", "a lost game")


@dataclass
class Cost:
    """Cost of some replays together."""

    replays: int = 0
    statements: int = 0
    seconds: float = 0.0

    def line(self, name: str) -> str:
        """A row of the table."""
        return (
            f"  {name:<44}{self.statements / self.replays:9.2f} statements{1000 * self.seconds / self.replays:9.2f} ms"
            f"{self.replays / self.seconds:9.0f} replays/s\n"
        )


class Players:
    """Some players, and their next game of each sort."""

    def __init__(self, count: int) -> None:
        self.names = [f"player {number}" for number in range(count)]
        self.source = random.Random(1)
        self._best_ms = 200_000
        self._numbers = 0

    def first_games(self) -> list[MadeGame]:
        """One on each level for each of them, all equal but for the player."""
        from analysis.statistics import CLASSIC_LEVELS

        return [self._game(name, level, self._best_ms) for name in self.names for level in CLASSIC_LEVELS]

    def games(self, sort: str, count: int) -> list[MadeGame]:
        """``count`` Expert games of this sort, from one player after the other."""
        from analysis.click_machine import Result
        from analysis.recording import Level

        made = []
        for number in range(count):
            if number % len(self.names) == 0:
                self._best_ms -= 10
            time_ms = self._best_ms if sort == _SORTS[0] else 250_000
            name = self.names[number % len(self.names)]
            game = self._game(name, Level.EXPERT, time_ms, won=sort != _SORTS[2])
            made.append(game if sort != _SORTS[2] else replace(game, result=Result.LOST))
        return made

    def _game(self, name: str, level: Any, time_ms: int, *, won: bool = True) -> MadeGame:
        from analysis.recording import digest
        from analysis.statistics import BY_NAME, LEVEL_CODES, derive, plain
        from tests.factories import base_numbers
        from tests.players.made_games import random_game

        self._numbers += 1
        base = base_numbers(random.Random(0), time_ms=time_ms, bv=150)
        arrays = {key: np.array([value], dtype=np.float64) for key, value in base.items()}
        arrays |= {"win": np.array([float(won)]), "level": np.array([float(LEVEL_CODES[level])])}
        derived = {key: float(found[0]) for key, found in derive(arrays).items()}
        values = {key: plain(BY_NAME[key], value) for key, value in {**base, **derived}.items()}
        game = random_game(self.source, plain_win=True)
        game_hash = digest(b"%d" % self._numbers)
        return replace(game, game_hash=game_hash, name=name, level=level, style="FL", played_at=None, values=values)


@contextmanager
def counted(cost: Cost, replays: int) -> Iterator[None]:
    """Add what runs inside to ``cost``."""
    from django.db import connection

    def count(execute: Callable[..., Any], *arguments: Any) -> Any:
        cost.statements += 1
        return execute(*arguments)

    started = time.perf_counter()
    with connection.execute_wrapper(count):
        yield
    cost.seconds += time.perf_counter() - started
    cost.replays += replays


def stored(shelf: Shelf, games: Sequence[MadeGame]) -> list[int]:
    """Rows that wait for their analysis."""
    from replays.models.file_store import sha256_of
    from replays.upload.intake.services import receive_many

    files = [(f"{game.game_hash}.avf", game.game_hash.encode()) for game in games]
    for game, (_name, data) in zip(games, files, strict=True):
        shelf.games[sha256_of(data)] = game
    receipts = receive_many(files, uploader=None, enqueue=False)
    return [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]


def saved(shelf: Shelf, games: Sequence[MadeGame], size: int) -> Cost:
    """Analyse ``games`` ``size`` at a time."""
    from replays.upload.processing.services import analyse_replays

    ids, cost = stored(shelf, games), Cost()
    for start in range(0, len(ids), size):
        part = ids[start : start + size]
        with counted(cost, len(part)):
            analyse_replays(part)
    return cost


def ranked(shelf: Shelf, games: Sequence[MadeGame], size: int) -> Cost:
    """Rank ``games`` ``size`` at a time; their rows are saved without ranking them first."""
    from unittest.mock import patch

    from django.db import transaction

    from replays.models import Replay
    from replays.upload.processing.services import analyse_replays
    from tests.factories import rank_replays

    ids, cost = stored(shelf, games), Cost()
    with patch("replays.upload.processing.save.add_games", lambda _replays: None):
        analyse_replays(ids)
    for start in range(0, len(ids), size):
        rows = list(Replay.objects.filter(pk__in=ids[start : start + size], ranked=True).order_by("pk"))
        with counted(cost, len(rows)), transaction.atomic():
            rank_replays(rows)
    return cost


def measure(players: int, single: int, chunks: int) -> None:
    """Print both tables."""
    from players.models import RecordEvent
    from tests.players.made_games import Shelf, on_shelf

    shelf, people = Shelf(), Players(players)
    with on_shelf(shelf):
        saved(shelf, people.first_games(), CHUNK)
        for title, work, sorts in (("saved", saved, _SORTS), ("ranked", ranked, _SORTS[:2])):
            sys.stdout.write(f"{title}\n")
            for sort in sorts:
                for size, count in ((1, single), (CHUNK, chunks * CHUNK)):
                    work(shelf, people.games(sort, size), size)  # warm
                    before = RecordEvent.objects.count()
                    cost = work(shelf, people.games(sort, count), size)
                    events = (RecordEvent.objects.count() - before) / cost.replays
                    how = "one by one" if size == 1 else f"in chunks of {size}"
                    sys.stdout.write(cost.line(f"{sort}, {how} ({events:.0f} records each)"))
                    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description="Statements and milliseconds of a replay.")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--single", type=int, default=100, help="replays of each sort one by one")
    parser.add_argument("--chunks", type=int, default=10, help="chunks of 200 of each sort")
    options = parser.parse_args()
    folder = "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108 - a short path for the socket of PostgreSQL
    with tempfile.TemporaryDirectory(prefix="sweepbook-writes-", dir=folder) as name, postgres(Path(name)):
        from django.conf import settings

        settings.JUDGE_FINDINGS, settings.JUDGE_LIMITS = [], []
        measure(options.players, options.single, options.chunks)
    return 0


if __name__ == "__main__":
    sys.exit(main())
