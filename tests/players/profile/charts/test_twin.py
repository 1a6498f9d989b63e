"""Every chart equals its slow twin on random histories with whatever a site may hold."""

from __future__ import annotations

import datetime
import random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from analysis.recording import Level
from players.models import Player
from replays.models import Replay
from tests.effort import amount
from tests.factories import rank_replays, replay_of
from tests.players.profile.charts.games import at
from tests.players.profile.charts.naive_charts import NaiveCharts
from tests.players.profile.charts.test_rows import built

pytestmark = pytest.mark.django_db

ZONES = ("UTC", "Pacific/Kiritimati", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns")
#: Days on which clocks change somewhere, years begin, or February has 29.
DAYS = ("2024-03-10", "2024-11-03", "2024-12-31", "2025-01-01", "2024-02-29", "2023-10-01", "2024-04-07", "1989-03-01")
MINUTE = datetime.timedelta(minutes=1)
LEVELS = (Level.EXPERT, Level.EXPERT, Level.EXPERT, Level.BEGINNER, Level.BEGINNER_9X9, Level.CUSTOM)


def some_game(source: random.Random, player: Player, when: datetime.datetime) -> Replay:
    """Any game that a site may hold: few different values, so that all kinds of ties are common."""
    level = source.choice(LEVELS)
    result = source.choices(["won", "lost", "unfinished"], [12, 4, 1])[0]
    status = source.choices(["done", "rejected", "queued"], [20, 1, 1])[0]
    ownership = source.choices(["", "confirmed", "vouched", "waiting", "disowned", "reported"], [20, 2, 2, 1, 1, 1])[0]
    mode = source.choices(["standard", "upk", "no-guess"], [10, 1, 1])[0]
    judgement = source.choices(["accepted", "suspicious", "frozen", "unverified"], [14, 1, 1, 1])[0]
    bv = source.randint(100, 112)
    solved = bv if result == "won" else source.choice([0, source.randrange(bv), bv // 10, bv // 2, bv - 1, bv])
    values: dict[str, float | None] = {"bvdone": solved, "completion": solved / bv}
    known = source.random() < 0.8
    values |= {
        "pluck": source.choice([0.0, 0.25, 1.5]) if known else None,
        "needless_guesses": source.randint(0, 3) if known else None,
        "accuracy": source.choice([50.0, 87.5, 100.0]) if known else None,
    }
    if source.random() < 0.1:
        values |= {"ioe": None, "path": None}
    uploaded = when + source.choice([0, 1, 30, 60 * 24, 60 * 24 * 40]) * MINUTE
    played = source.choices([when, None, uploaded + MINUTE], [10, 2, 1])[0]
    has_zone = played is None or source.random() < 0.6
    ranked = (
        result == "won" and status == "done" and mode == "standard" and judgement == "accepted"
        and ownership in ("", "confirmed", "vouched") and level is not Level.CUSTOM
    )  # fmt: skip
    options: dict[str, Any] = {
        "achieved_at": source.choice([uploaded, played or uploaded]), "uploaded_at": uploaded, "played_at": played,
        "played_at_has_zone": has_zone,
        "win": result == "won" if status == "done" else None, "result": result, "status": status, "ownership": ownership,
        "mode": mode, "judgement": judgement, "ranked": ranked,
    }  # fmt: skip
    time_ms = source.choice([source.randint(40, 60) * 500, 60_000, 59_999, 300_000 + source.randint(0, 9)])
    shape = Level.EXPERT if level is Level.CUSTOM else level
    style = source.choice(["NF", "FL"])
    replay = replay_of(player, shape, time_ms=time_ms, bv=bv, style=style, source=source, values=values, **options)
    replay.level = level.value
    return replay


def some_history(source: random.Random, players: list[Player], count: int) -> None:
    """``count`` games in sittings."""
    when = at(source.choice(DAYS))
    games = []
    for _ in range(count):
        if source.random() < 0.06:
            when = at(source.choice(DAYS)) + source.choice([0, 4, 5, 7, 10, 15, 18, 23]) * 60 * MINUTE
        when += source.choice([0, 1, 5, 29, 30, 31]) * MINUTE + datetime.timedelta(
            microseconds=source.choice([0, 0, 1, 500_000])
        )
        games.append(some_game(source, source.choice(players), when))
    Replay.objects.bulk_create(games)
    rank_replays([game for game in games if game.ranked])


def all_rows() -> list[dict[str, Any]]:
    columns = [field.attname for field in Replay._meta.concrete_fields if field.name != "board"]
    return list(Replay.objects.values(*columns))


def rows_of(player: Player, name: str, **query: Any) -> list[dict[str, Any]]:
    given = {key: str(value) for key, value in query.items() if value is not None}
    found: list[dict[str, Any]] = built(player, name, **given).rows
    return found


def assert_charts_are_right(player: Player, zone: str, level: str | None, style: str) -> None:
    twin = NaiveCharts(all_rows(), player.pk, ZoneInfo(zone), level, style)
    query: dict[str, Any] = {"zone": zone, "level": level}
    for name in ("hours", "wins", "accuracy"):
        assert rows_of(player, name, **query) == approx(getattr(twin, name)()), (name, query)
    assert rows_of(player, "losses", level=level) == twin.losses()
    for year in (1989, 2023, 2024, 2025):
        assert rows_of(player, "calendar", zone=zone, year=year) == twin.calendar(year), (year, zone)
    query["style"] = style
    assert rows_of(player, "rolling", **query) == approx(twin.rolling()), query
    assert rows_of(player, "time-by-3bv", level=level, style=style) == twin.time_by_3bv()
    assert rows_of(player, "speed", level=level, style=style) == twin.speed()
    assert rows_of(player, "distribution", level=level, style=style) == twin.distribution()
    for statistic in ("time", "bvs", "ioe", "path"):
        of_board = {"level": twin.one_level, "style": style, "statistic": statistic}
        shown = [(row["replay"], row["value"]) for row in rows_of(player, "progress", **of_board, zone=zone)]
        assert shown == [(row["id"], row[statistic]) for row in twin.steps(statistic)], of_board


def approx(rows: list[dict[str, Any]]) -> Any:
    """``rows`` with their floats but for rounding errors of means."""
    return [{name: pytest.approx(value, abs=2e-6) if isinstance(value, float) else value for name, value in row.items()} for row in rows]  # fmt: skip


@pytest.mark.parametrize("seed", range(amount(long=24, usual=1)))
def test_every_chart_equals_its_twin(seed: int, client: Client) -> None:
    source = random.Random(seed)
    players = [Player.objects.create(name=name) for name in ("Ada", "Ben")]
    some_history(source, players, source.choice([1, 7, 60, 150]) if seed else 150)
    for player in source.sample(players, 2):
        level, style = source.choice([None, "expert", "beginner", "beginner-9x9"]), source.choice(["all", "NF", "FL"])
        assert_charts_are_right(player, source.choice(ZONES), level, style)
