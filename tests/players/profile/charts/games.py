"""Games of a player for tests of charts."""

from __future__ import annotations

import datetime
import random
from typing import Any

from analysis.recording import Level
from players.models import Player
from replays.models import Replay
from tests.factories import replay_of
from tests.pages.conftest import rank

UTC = datetime.UTC
LEVELS = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)


def at(text: str) -> datetime.datetime:
    """A datetime of UTC."""
    return datetime.datetime.fromisoformat(text).replace(tzinfo=UTC)


def played(
    player: Player, when: datetime.datetime, level: Level = Level.EXPERT, *, won: bool = True, **options: Any
) -> Replay:
    """A game that its file dates ``when``, not saved; a lost one is not ranked."""
    lost: dict[str, Any] = {} if won else {"win": False, "result": Replay.Result.LOST, "ranked": False}
    return replay_of(player, level, **{"achieved_at": when, "played_at": when, **lost, **options})


def save(*games: Replay) -> None:
    """Store the games, and let the ranked ones count on the boards."""
    Replay.objects.bulk_create(games)
    rank(*(game for game in games if game.ranked))


def random_games(player: Player, count: int, seed: int = 1) -> list[Replay]:
    """Games over two years with a gap of one, some of them lost, some without a date."""
    source = random.Random(seed)
    games = []
    for _ in range(count):
        year = source.choice((2022, 2024))
        when = at(f"{year}-01-01") + datetime.timedelta(minutes=source.randrange(365 * 24 * 60))
        undated = source.random() < 0.1
        won = source.random() < 0.7
        bv = source.randint(100, 180)
        values: dict[str, float | None] = {
            "pluck": source.random(), "needless_guesses": source.randint(0, 3), "accuracy": source.uniform(50, 100),
        }  # fmt: skip
        if not won:
            solved = source.randrange(bv)
            values |= {"bvdone": solved, "completion": solved / bv}
        games.append(
            played(
                player, when, source.choice(LEVELS), won=won, time_ms=source.randint(40_000, 80_000), bv=bv,
                style=source.choice(["NF", "FL"]), source=source, values=values,
                uploaded_at=when + datetime.timedelta(days=1), **({"played_at": None} if undated else {}),
            )
        )  # fmt: skip
    return games
