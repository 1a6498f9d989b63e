"""Boards of a period and the most improved: only games that came and were played then, as far as their files say it."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest
from django.core.cache import cache
from django.utils import timezone

from analysis.recording import Level
from players.leaderboards.board import Board
from players.leaderboards.boards import BoardKey
from players.leaderboards.filtered import clear_memory
from players.leaderboards.ranks import page_at
from players.models import Player
from players.profile.top_lists.improvements import improvements
from replays.models import Replay
from replays.trust.evidence.dates import counted_from
from tests.factories import EPOCH, rank_replays, replay_of, stored_corpse, stored_replay
from tests.players.queries import filter_in

pytestmark = pytest.mark.django_db

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
LEVELS = {"expert": Level.EXPERT, "intermediate": Level.INTERMEDIATE}
PERIODS = ("2024", "2024-01", "2024-02", "2024-03", "2023")
BOARDS = [
    *((level, "time", "all") for level in LEVELS), ("expert", "bvs", "all"), ("intermediate", "bvs", "FL"),
    ("expert", "time", "NF"),
]  # fmt: skip
SUBS = [("expert", 6, "all"), ("intermediate", 7, "FL")]


class Raw(NamedTuple):
    player: int
    level: str
    style: str
    time: float
    bvs: float
    uploaded: datetime
    stated: datetime | None
    zoned: bool
    vouched: bool
    pk: int


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> datetime:
    now = EPOCH + 70 * DAY
    monkeypatch.setattr(timezone, "now", lambda: now)
    cache.clear()
    clear_memory()
    return now


def seeded_site(seed: int, count: int = 500) -> list[Raw]:
    """A site of many games near the borders of months: played at once, long before, on other clocks, or nobody knows when."""
    source = random.Random(seed)
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(12))
    replays = []
    for _ in range(count):
        border = source.choice([0, 31, 60]) * DAY
        uploaded = EPOCH + border + source.choice([timedelta(), 5 * DAY]) + source.uniform(-20, 20) * HOUR
        ago = source.choice([source.uniform(-14, 14) * HOUR, source.uniform(0, 60) * DAY, 900 * DAY])
        zoned, vouched = source.random() < 0.5, source.random() < 0.2
        stated = None if source.random() < 0.15 else uploaded - max(ago, timedelta() if zoned else -14 * HOUR)
        level = source.choice(list(LEVELS.values()))
        replays.append(
            replay_of(
                source.choice(players), level, time_ms=source.randint(3, 8) * 1000, bv=source.randint(20, 23),
                style=source.choice(["NF", "FL"]), source=source, uploaded_at=uploaded, played_at=stated,
                played_at_has_zone=zoned, date_trusted=vouched, evidence="sealed",
                achieved_at=counted_from(
                    played_at=stated, uploaded_at=uploaded, evidence="sealed", date_trusted=vouched
                ),
            )
        )  # fmt: skip
    Replay.objects.bulk_create(replays)
    rank_replays(replays)
    columns = (
        "player", "level", "style", "time", "bvs", "uploaded_at", "played_at", "played_at_has_zone", "date_trusted", "pk",
    )  # fmt: skip
    return [Raw(*row) for row in Replay.objects.values_list(*columns)]


def counted(game: Raw) -> datetime:
    return min(game.uploaded, game.stated) if game.vouched and game.stated else game.uploaded


def inside(game: Raw, since: datetime, until: datetime) -> bool:
    if not since <= counted(game) < until:
        return False
    says_nothing = game.stated is None or (not game.zoned and game.stated >= game.uploaded - 12 * HOUR)
    return says_nothing or (game.stated is not None and game.stated >= since)


def of_board(games: Iterable[Raw], level: str, style: str) -> list[Raw]:
    return [game for game in games if game.level == level and style in ("all", game.style)]


def month(period: str) -> tuple[datetime, datetime]:
    year, number = int(period[:4]), int(period[5:] or 1)
    first = datetime(year, number, 1, tzinfo=EPOCH.tzinfo)
    return first, first.replace(year=year + number // 12, month=number % 12 + 1) if period[5:] else first.replace(
        year=year + 1
    )


def board(games: list[Raw], statistic: str) -> list[tuple[int, int, float]]:
    by_player: dict[int, list[tuple[float, datetime]]] = defaultdict(list)
    for game in games:
        by_player[game.player].append(
            (-game.bvs if statistic == "bvs" else game.time, counted(game)),
        )
    rows = sorted((*min(values), player) for player, values in by_player.items())
    return [(1 + sum(other[0] < value for other in rows), player, abs(value)) for value, _at, player in rows]


@pytest.mark.long(
    beside="tests/players/leaderboards/filtered/test_periods.py::test_an_old_slow_game_is_no_earlier_result"
)
def test_forty_boards_are_those_of_the_raw_list(now: datetime) -> None:
    raw, boards = seeded_site(36), 0
    for period in PERIODS:
        span = month(period)
        assert any(span[0] <= counted(game) < span[1] and not inside(game, *span) for game in raw), period
        for level, statistic, style in BOARDS:
            page = page_at(Board(*BoardKey(level, statistic, style), filter_in({"period": period})), size=200)
            games = [game for game in of_board(raw, level, style) if inside(game, *span)]
            assert [(row.rank, row.player.pk, row.value) for row in page.rows] == board(games, statistic), (
                period, level, statistic, style,
            )  # fmt: skip
            boards += 1
        for level, n, style in SUBS:
            counts: dict[int, list[datetime]] = defaultdict(list)
            for game in of_board(raw, level, style):
                if game.time < n - 1 and inside(game, *span):
                    counts[game.player].append(counted(game))
            expected = sorted((-len(dates), min(dates), player) for player, dates in counts.items())
            rows = page_at(Board(level, f"sub{n}", style, filter_in({"period": period})), size=200).rows
            assert [(-row.value, row.achieved_at, row.player.pk) for row in rows] == expected, (period, level, n)
            boards += 1
    for level in LEVELS:
        for style in ("all", "NF", "FL"):
            rows_of_list = improvements(level, style, now)
            shown = {(row.player.pk, row.old_value, row.new_value) for row in rows_of_list}
            assert shown == most_improved(of_board(raw, level, style), now - 30 * DAY, now), (level, style)
            boards += 1
    assert boards >= 40


def most_improved(games: list[Raw], since: datetime, now: datetime) -> set[tuple[int, float, float]]:
    found = set()
    for player in {game.player for game in games}:
        own = [game for game in games if game.player == player]
        new = [game.time for game in own if inside(game, since, now)]
        old = [game.time for game in own if not inside(game, since, now)]
        known = any(counted(game) < since for game in own)
        if known and new and min(new) < min(old):
            found.add((player, min(old), min(new)))
    return found


def test_old_games_uploaded_now_do_not_lead(now: datetime) -> None:
    old, today = Player.objects.create(name="old"), Player.objects.create(name="today")
    common: dict[str, Any] = {"achieved_at": now - DAY, "uploaded_at": now - DAY}
    rank_replays(
        [
            stored_replay(old, time_ms=90_000, achieved_at=now - 40 * DAY),
            stored_replay(old, time_ms=40_000, played_at=now - 1500 * DAY, **common),
            stored_replay(today, time_ms=90_000, achieved_at=now - 40 * DAY),
            stored_replay(today, time_ms=60_000, played_at=now - DAY, **common),
        ]
    )
    stored_corpse(old, bvdone=140, played_at=now - 1500 * DAY, **common)
    for period in ("active", "2024-03"):
        rows = page_at(Board(*BoardKey("expert", "time", "all"), filter_in({"period": period})), size=9).rows
        assert [row.player.pk for row in rows] == [today.pk]
    assert [row.player.name for row in improvements("expert", "all", now)] == ["today"]


def test_an_old_slow_game_is_no_earlier_result(now: datetime) -> None:
    """An attack: who dates a slow game back would be listed with the difference."""
    player = Player.objects.create(name="forger")
    common: dict[str, Any] = {"achieved_at": now - DAY, "uploaded_at": now - DAY}
    games = [stored_replay(player, time_ms=ms, played_at=now - days * DAY, **common) for ms, days in ((300_000, 400), (50_000, 1))]  # fmt: skip
    rank_replays(games)
    assert improvements("expert", "all", now) == []
