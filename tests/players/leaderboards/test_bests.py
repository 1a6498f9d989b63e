"""Boards follow the ranked replays: added one by one and in batches, removed, and rebuilt."""

from __future__ import annotations

import datetime
import random
from typing import Any

import pytest
from django.core.management import call_command

from analysis.recording import Level
from analysis.statistics import ranked_on
from players.leaderboards.services import (
    rebuild_boards,
)
from players.models import CombinedBest, PersonalBest, Player, RecordEvent, SecondCount
from replays.models import Replay
from tests.effort import amount, seeds
from tests.factories import EPOCH, random_ranked_replay, rank_replays, stored_replay, unrank_replays
from tests.players.naive_boards import expected_boards, stored_boards

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)


@pytest.fixture
def player() -> Player:
    return Player.objects.create(name="Ada")


def best(player: Player, statistic: str = "time", level: str = "expert", style: str = "all") -> PersonalBest:
    return PersonalBest.objects.get(player=player, statistic=statistic, level=level, style=style)


def added(player: Player, level: Level = Level.EXPERT, **options: Any) -> Replay:
    replay = stored_replay(player, level, **options)
    rank_replays([replay])
    return replay


# --- adding ---


def test_a_first_game_is_best_everywhere_in_two_styles(player: Player) -> None:
    replay = added(player, style="NF", time_ms=61_230)
    rows = PersonalBest.objects.filter(player=player)
    assert {(row.statistic, row.style) for row in rows} == {
        (row.name, style)
        for row in ranked_on(Level.EXPERT)
        for style in ("all", "NF")
        if replay.statistic(row.name) is not None
    }
    assert {row.replay_id for row in rows} == {replay.pk}
    assert best(player).value == 61.23


def test_a_better_game_replaces_the_best_and_a_worse_one_does_not(player: Player) -> None:
    added(player, time_ms=60_000)
    faster = added(player, time_ms=50_000)
    added(player, time_ms=55_000)
    assert best(player).replay_id == faster.pk
    assert best(player, style="FL").value == 50.0
    assert not PersonalBest.objects.filter(style="NF").exists()


def test_higher_is_better_where_the_registry_says_so(player: Player) -> None:
    added(player, values={"bvs": 2.5})
    higher = added(player, values={"bvs": 3.5})
    row = best(player, "bvs")
    assert (row.replay_id, row.value, row.rank_key) == (higher.pk, 3.5, -3.5)


def test_what_is_not_defined_does_not_rank(player: Player) -> None:
    added(player, values={"ios": None})
    assert not PersonalBest.objects.filter(statistic="ios").exists()


@pytest.mark.parametrize("one_batch", [True, False])
def test_of_equal_values_the_earlier_then_the_older_replay_is_the_best(player: Player, one_batch: bool) -> None:
    late = stored_replay(player, achieved_at=EPOCH + DAY)
    twin = stored_replay(player, achieved_at=EPOCH)
    early = stored_replay(player, achieved_at=EPOCH)
    batches = [[early, late, twin]] if one_batch else [[late], [early], [twin]]
    for batch in batches:
        rank_replays(batch)
    assert twin.pk < early.pk
    assert {row.replay_id for row in PersonalBest.objects.all()} == {twin.pk}
    assert SecondCount.objects.get(style="all").first_replay_id == twin.pk


def test_an_empty_batch_needs_no_database(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        rank_replays([])
        unrank_replays([])


# --- combined ---


def test_the_sum_waits_for_all_three_levels(player: Player) -> None:
    added(player, Level.BEGINNER, time_ms=5_000)
    added(player, Level.BEGINNER_9X9, time_ms=1_000)
    added(player, Level.EXPERT, time_ms=60_000, achieved_at=EPOCH + DAY)
    assert not CombinedBest.objects.exists()
    added(player, Level.INTERMEDIATE, time_ms=20_000)
    row = CombinedBest.objects.get(statistic="time", style="all")
    assert (row.value, row.expert_key, row.intermediate_key) == (85.0, 60.0, 20.0)
    assert row.achieved_at == EPOCH + DAY
    added(player, Level.BEGINNER, time_ms=4_000)
    row.refresh_from_db()
    assert row.value == 84.0


def test_the_sum_is_deleted_with_a_part(player: Player) -> None:
    for level in (Level.BEGINNER, Level.INTERMEDIATE):
        added(player, level)
    only = added(player, Level.EXPERT)
    assert CombinedBest.objects.exists()
    unrank_replays([only])
    assert not CombinedBest.objects.exists()


# --- removing ---


def test_the_next_best_returns_before_the_row_is_deleted(player: Player) -> None:
    second_best, first = added(player, time_ms=55_000), added(player, time_ms=50_000)
    unrank_replays([first])
    first.delete()
    assert best(player).replay_id == second_best.pk
    assert stored_boards() == expected_boards()


def test_the_next_best_returns_when_a_replay_is_frozen(player: Player) -> None:
    second_best, first = added(player, time_ms=55_000), added(player, time_ms=50_000)
    first.ranked = False
    first.save(update_fields=["ranked"])
    unrank_replays([first])
    assert best(player).replay_id == second_best.pk
    assert stored_boards() == expected_boards()


def test_removing_twice_changes_nothing(player: Player) -> None:
    added(player, time_ms=55_500)
    first = added(player, time_ms=55_000)
    first.ranked = False
    first.save(update_fields=["ranked"])
    unrank_replays([first])
    unrank_replays([first])
    assert stored_boards() == expected_boards()
    assert SecondCount.objects.get(style="all").games == 1


def test_the_last_game_leaves_nothing(player: Player) -> None:
    only = added(player)
    unrank_replays([only])
    for table in (PersonalBest, CombinedBest, SecondCount, RecordEvent):
        assert not table._default_manager.exists()


# --- seconds ---


def test_seconds_are_counted_with_the_first_game(player: Player) -> None:
    later = added(player, time_ms=9_990, achieved_at=EPOCH + DAY)
    first = added(player, time_ms=9_000, achieved_at=EPOCH, style="NF")
    row = SecondCount.objects.get(style="all")
    assert (row.second, row.games, row.first_at, row.first_replay_id) == (10, 2, EPOCH, first.pk)
    assert SecondCount.objects.get(style="FL").first_replay_id == later.pk
    unrank_replays([first])
    row.refresh_from_db()
    assert (row.games, row.first_replay_id) == (1, later.pk)
    assert not SecondCount.objects.filter(style="NF").exists()


# --- records ---


def events(kind: str, statistic: str = "time", style: str = "all") -> list[tuple[Any, ...]]:
    rows = RecordEvent.objects.filter(kind=kind, statistic=statistic, style=style, level="expert")
    return list(rows.order_by("id").values_list("player__name", "old_value", "new_value"))


def test_records_are_logged_as_games_are_added(player: Player) -> None:
    rival = Player.objects.create(name="Bob")
    added(player, time_ms=60_000)
    added(rival, time_ms=70_000)
    added(rival, time_ms=60_000)  # equals the site record: not a new one
    added(rival, time_ms=50_000)
    added(player, time_ms=60_000, achieved_at=EPOCH - DAY)  # the same value, earlier: no improvement
    assert events("personal") == [("Ada", None, 60.0), ("Bob", None, 70.0), ("Bob", 70.0, 60.0), ("Bob", 60.0, 50.0)]
    assert events("site") == [("Ada", None, 60.0), ("Bob", 60.0, 50.0)]


def test_a_batch_logs_records_in_the_order_of_dates(player: Player) -> None:
    rival = Player.objects.create(name="Bob")
    added(Player.objects.create(name="Eve"), time_ms=58_000)
    batch = [
        stored_replay(who, time_ms=time_ms, achieved_at=EPOCH + DAY * day)
        for who, time_ms, day in [(player, 50_000, 3), (rival, 55_000, 2), (player, 60_000, 1), (rival, 51_000, 4)]
    ]
    rank_replays(batch)
    assert events("personal")[1:] == [
        ("Ada", None, 60.0),
        ("Bob", None, 55.0),
        ("Ada", 60.0, 50.0),
        ("Bob", 55.0, 51.0),
    ]
    assert events("site") == [("Eve", None, 58.0), ("Bob", 58.0, 55.0), ("Ada", 55.0, 50.0)]


def test_site_records_of_a_higher_is_better_statistic_show_the_old_value(player: Player) -> None:
    added(player, values={"bvs": 2.5})
    added(Player.objects.create(name="Bob"), values={"bvs": 3.5})
    assert events("site", "bvs") == [("Ada", None, 2.5), ("Bob", 2.5, 3.5)]


# --- batches ---


def chunk(source: random.Random, players: list[Player], count: int) -> list[Replay]:
    return Replay.objects.bulk_create(random_ranked_replay(source, source.choice(players)) for _ in range(count))


def test_a_chunk_takes_a_handful_of_statements(django_assert_max_num_queries: Any) -> None:
    source = random.Random(1)
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(20))
    rank_replays(chunk(source, players, 50))
    batch = chunk(source, players, 50)
    with django_assert_max_num_queries(13):
        rank_replays(batch)
    assert stored_boards() == expected_boards()


@pytest.mark.long(beside="tests/players/leaderboards/test_bests.py::test_removing_twice_changes_nothing")
@pytest.mark.parametrize("seed", seeds(1, 2))
def test_random_changes_equal_the_rebuild(seed: int) -> None:
    """Inserts, deletions and judgements in random batches; compared with the naive twin and with the rebuild."""
    source = random.Random(seed)
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(6))
    changes = 0
    while changes < amount(long=2_000, usual=250):
        size = source.choice([1, 1, 2, 5, 20, 50])
        change = source.choice([insert, insert, delete, freeze, thaw])
        changes += change(source, players, size)
        if source.random() < 0.03:
            assert stored_boards() == expected_boards()
    incremental = stored_boards()
    assert incremental == expected_boards()
    assert all(incremental)

    ids = list(PersonalBest.objects.order_by("id").values_list("id", flat=True))
    rebuild_boards()
    assert stored_boards() == incremental
    assert list(PersonalBest.objects.order_by("id").values_list("id", flat=True)) == ids

    CombinedBest.objects.all().delete()
    PersonalBest.objects.all().delete()
    SecondCount.objects.all().delete()
    call_command("personal_best_rebuild", verbosity=0)
    assert stored_boards() == incremental


def insert(source: random.Random, players: list[Player], size: int) -> int:
    rank_replays(chunk(source, players, size))
    return size


def delete(source: random.Random, players: list[Player], size: int) -> int:
    chosen = sample(source, Replay.objects.filter(ranked=True), size)
    unrank_replays(chosen)
    Replay.objects.filter(id__in=[replay.pk for replay in chosen]).delete()
    return len(chosen)


def freeze(source: random.Random, players: list[Player], size: int) -> int:
    chosen = sample(source, Replay.objects.filter(ranked=True), size)
    Replay.objects.filter(id__in=[replay.pk for replay in chosen]).update(ranked=False, judgement="frozen")
    unrank_replays(chosen)
    return len(chosen)


def thaw(source: random.Random, players: list[Player], size: int) -> int:
    chosen = sample(source, Replay.objects.filter(ranked=False), size)
    Replay.objects.filter(id__in=[replay.pk for replay in chosen]).update(ranked=True, judgement="accepted")
    rank_replays(chosen)
    return len(chosen)


def sample(source: random.Random, replays: Any, size: int) -> list[Replay]:
    """Mostly replays that hold bests, since the others change little."""
    ids = list(replays.order_by("id").values_list("id", flat=True))
    holders = sorted(set(ids) & set(PersonalBest.objects.values_list("replay_id", flat=True)))
    pool = holders if holders and source.random() < 0.7 else ids
    return list(replays.filter(id__in=source.sample(pool, min(size, len(pool)))))


# --- rebuilding ---


def test_a_rebuild_repairs_what_is_wrong_and_leaves_others_alone(player: Player) -> None:
    rival = Player.objects.create(name="Bob")
    added(player), added(rival)
    expected = stored_boards()
    PersonalBest.objects.update(value=1.0)
    SecondCount.objects.update(games=99)
    SecondCount.objects.create(
        player=player,
        level="expert",
        style="all",
        second=3,
        games=1,
        first_at=EPOCH,
        first_replay=Replay.objects.earliest("id"),
    )
    assert rebuild_boards([player.pk]) == 1
    assert best(player).value == 60.0
    assert best(rival).value == 1.0
    assert rebuild_boards() == 2
    assert stored_boards() == expected


def test_the_command_takes_players(player: Player, capsys: pytest.CaptureFixture[str]) -> None:
    added(player)
    PersonalBest.objects.all().delete()
    call_command("personal_best_rebuild", "--player", str(player.pk))
    assert stored_boards() == expected_boards()
    assert "1" in capsys.readouterr().out
