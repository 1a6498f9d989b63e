"""Sums in the record history are deleted with any of their games, and move to another player only as a whole."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from analysis.recording import Level
from players.accounts.claims.services import release_name
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS
from players.leaderboards.records.services import records_redate
from players.models import Player, RecordEvent, User
from replays.models import Replay
from tests.factories import EPOCH, give_name, random_ranked_replay, rank_replays, stored_replay, unrank_replays
from tests.players.accounts.claims.test_services import upload
from tests.players.leaderboards.test_bests import added

pytestmark = pytest.mark.django_db

SUMMED = tuple(Level(level) for level in COMBINED_LEVELS)


@pytest.fixture
def ada(django_user_model: type[User]) -> User:
    return django_user_model.objects.create_user("ada")


@pytest.fixture
def player() -> Player:
    return Player.objects.create(name="Ada")


def test_sums_keep_the_latest_of_three_dates(player: Player) -> None:
    rows = [stored_replay(player, level) for level in SUMMED]
    rank_replays(rows)
    records_redate({row.pk: EPOCH - timedelta(days=9) for row in rows})
    dates = RecordEvent.objects.order_by().values_list("level", "happened_at").distinct()
    assert dict(dates) == {COMBINED: EPOCH} | {level.value: EPOCH - timedelta(days=9) for level in SUMMED}


def remove(replay: Replay) -> None:
    unrank_replays([replay])
    replay.delete()


def sums(**conditions: Any) -> list[float]:
    rows = RecordEvent.objects.filter(level=COMBINED, statistic="time", style="all", kind="personal", **conditions)
    return list(rows.order_by("id").values_list("new_value", flat=True))


# --- removed games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", SUMMED)
def test_a_sum_is_deleted_with_each_of_its_games(player: Player, level: Level) -> None:
    games = {part: added(player, part, time_ms=50_000) for part in SUMMED}
    assert sums() == [150.0]
    remove(games[level])
    assert sums() == []


def test_sums_without_the_game_stay(player: Player) -> None:
    first = {level: added(player, level, time_ms=50_000) for level in SUMMED}
    better = added(player, Level.BEGINNER, time_ms=40_000)  # 140
    added(player, Level.EXPERT, time_ms=45_000)  # 135
    added(player, Level.BEGINNER, time_ms=30_000)  # 125
    remove(better)
    assert sums() == [150.0, 125.0]
    remove(first[Level.EXPERT])
    assert sums() == [125.0]


def test_a_best_without_a_record_deletes_its_sums(player: Player) -> None:
    """It was second, and became the best when the first one was removed."""
    for level in (Level.BEGINNER, Level.INTERMEDIATE):
        added(player, level, time_ms=50_000)
    best, second = added(player, time_ms=30_000), added(player, time_ms=40_000)
    remove(best)
    added(player, Level.BEGINNER, time_ms=45_000)
    assert sums() == [135.0]
    remove(second)
    assert sums() == []


def test_site_records_of_sums_are_deleted_too(player: Player) -> None:
    games = [added(player, level) for level in SUMMED]
    site = RecordEvent.objects.filter(kind="site", level=COMBINED)
    assert site.exists()
    remove(games[0])
    assert not site.exists()


def test_other_levels_and_players_are_left_alone(player: Player) -> None:
    for who in (player, Player.objects.create(name="Bob")):
        for level in SUMMED:
            added(who, level, time_ms=50_000)
    other_level = added(player, Level.BEGINNER_9X9, time_ms=50_000)
    remove(other_level)
    assert sums() == [150.0, 150.0]


@pytest.mark.long(
    beside="tests/players/leaderboards/records/test_sums.py::test_a_sum_is_deleted_with_each_of_its_games"
)
def test_only_ranked_games_are_in_the_record_history_after_random_removals() -> None:
    """The value of each event is the sum of three ranked games, by a plain loop over the rows."""
    source = random.Random(4)
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(3))
    seen = 0
    for _ in range(30):
        rank_replays(
            Replay.objects.bulk_create(
                random_ranked_replay(source, source.choice(players)) for _ in range(source.choice([1, 6]))
            )
        )
        ids = list(Replay.objects.values_list("pk", flat=True))
        gone = list(Replay.objects.filter(pk__in=source.sample(ids, min(len(ids), source.choice([0, 1, 3])))))
        unrank_replays(gone)
        Replay.objects.filter(pk__in=[replay.pk for replay in gone]).delete()
        sums_now = _sums_of_ranked_games()
        for event in RecordEvent.objects.filter(level=COMBINED, statistic="ioe"):
            assert round(event.new_value, 6) in sums_now[event.player_id, event.style], event
            seen += 1
    assert seen > 100


def _sums_of_ranked_games() -> dict[tuple[int, str], set[float]]:
    """The sums of all triples of ranked games, one of each level, by player and style."""
    values: dict[tuple[int, str], dict[str, set[float]]] = defaultdict(
        lambda: {level: set() for level in COMBINED_LEVELS}
    )
    for replay in Replay.objects.filter(ranked=True, level__in=COMBINED_LEVELS, ioe__isnull=False):
        for style in ("all", replay.style):
            values[replay.player_id or 0, style][replay.level].add(replay.statistic("ioe") or 0.0)
    return {place: {round(sum(parts), 6) for parts in product(*levels.values())} for place, levels in values.items()}


# --- claimed and released names ---------------------------------------------------------------------------------------


def test_a_claimed_name_brings_its_sums(ada: User) -> None:
    upload("Ada", ada)
    give_name(ada, "Ada")
    for level in SUMMED:
        upload("Lovelace", ada, level=level, time_ms=20_000)
    give_name(ada, "Lovelace")
    assert sums(player=ada.player) == [60.0]
    assert not RecordEvent.objects.exclude(player=ada.player).exists()


def test_a_released_name_takes_its_own_sums_and_deletes_shared_ones(ada: User) -> None:
    upload("Ada", ada, level=Level.EXPERT, time_ms=50_000)
    give_name(ada, "Ada")
    identity = None
    for level in (Level.BEGINNER, Level.INTERMEDIATE):
        upload("Lovelace", ada, level=level, time_ms=20_000)
    identity = give_name(ada, "Lovelace")
    upload("Ada", ada, level=Level.BEGINNER, time_ms=15_000)  # 85: shared
    upload("Lovelace", ada, level=Level.EXPERT, time_ms=40_000)  # 75: shared
    upload("Lovelace", ada, level=Level.BEGINNER, time_ms=14_000)  # 74: Lovelace's alone
    upload("Ada", ada, level=Level.EXPERT, time_ms=39_000)  # 73: shared
    upload("Ada", ada, level=Level.BEGINNER, time_ms=13_000)  # 72: shared
    upload("Ada", ada, level=Level.INTERMEDIATE, time_ms=10_000)  # 62: Ada's alone
    assert sums() == [85.0, 75.0, 74.0, 73.0, 72.0, 62.0]
    released = release_name(identity)
    assert sums(player=released.player) == [74.0]
    assert sums(player=ada.player) == [62.0]


def test_a_sum_knows_its_three_games(player: Player) -> None:
    games = [stored_replay(player, level, time_ms=50_000) for level in SUMMED]
    rank_replays(games)
    last = added(player, Level.EXPERT, time_ms=40_000)
    rows = RecordEvent.objects.filter(level=COMBINED, statistic="time", style="all", kind="personal").order_by("id")
    first, second = ({row.replay_id, row.second_replay_id, row.third_replay_id} for row in rows)
    assert first == {game.pk for game in games}
    assert second == {games[0].pk, games[1].pk, last.pk}


def test_the_database_deletes_a_sum_with_each_of_its_games(player: Player) -> None:
    games = [added(player, level) for level in SUMMED]
    assert sums()
    Replay.objects.filter(pk=games[1].pk).delete()
    assert sums() == []
