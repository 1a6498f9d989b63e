"""The history of boards by the dates of games, in whatever order they were uploaded."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterable
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.cache import cache

from analysis.statistics import BY_NAME, Better
from players.db.keyset import BadCursor
from players.leaderboards.boards import COMBINED, BoardKey, all_boards, board_key
from players.leaderboards.filtered import clear_memory, store
from players.leaderboards.history import selectors as history
from players.leaderboards.history.selectors import board_progression, history_page, player_progression
from players.models import Player, RecordEvent
from replays.models import Replay
from tests.effort import seeds
from tests.factories import EPOCH, random_ranked_replay, rank_replays, stored_replay, unrank_replays

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)
EXPERT_TIME = BoardKey("expert", "time", "all")
BOARDS = [key for key in all_boards() if key.level != COMBINED]


def naive(key: BoardKey, replays: Iterable[Replay]) -> list[tuple[int, float, float | None]]:
    """Replay, value and old value of each record: each game is compared with all games before it."""
    games = [
        game
        for game in replays
        if game.ranked and game.level == key.level and key.style in ("all", game.style)
        if game.statistic(key.statistic) is not None
    ]
    games.sort(key=lambda game: (game.achieved_at, game.player_id, game.pk))
    sign = -1 if BY_NAME[key.statistic].better is Better.HIGH else 1
    found: list[tuple[int, float, float | None]] = []
    for index, game in enumerate(games):
        value: Any = game.statistic(key.statistic)
        earlier: list[Any] = [other.statistic(key.statistic) for other in games[:index]]
        if all(sign * value < sign * other for other in earlier):
            found.append((game.pk, float(value), min(earlier, key=lambda other: sign * other) if earlier else None))
    return found


def steps_of(steps: Iterable[history.Step]) -> list[tuple[int, float, float | None]]:
    return [(step.replay_id, step.value, step.old_value) for step in steps]


def added(player: Player, time_ms: int, day: int, **options: Any) -> Replay:
    replay = stored_replay(player, time_ms=time_ms, achieved_at=EPOCH + DAY * day, **options)
    rank_replays([replay])
    return replay


@pytest.fixture
def ada(db: None) -> Player:
    return Player.objects.create(name="Ada")


@pytest.fixture
def bob(db: None) -> Player:
    return Player.objects.create(name="Bob")


def test_an_old_game_that_is_uploaded_late_is_a_step(ada: Player, bob: Player) -> None:
    """The record history does not have it: its player had a better one already when it was uploaded."""
    added(ada, 50_000, day=10)
    added(bob, 55_000, day=5)
    added(ada, 60_000, day=1)
    assert [step.value for step in history.board_progression(EXPERT_TIME)] == [60.0, 55.0, 50.0]
    assert [step.value for step in history.player_progression(ada, EXPERT_TIME)] == [60.0, 50.0]
    site = RecordEvent.objects.filter(kind="site", statistic="time", style="all")
    assert [event.new_value for event in site] == [50.0]


def test_after_a_record_is_deleted_the_next_result_is_a_step(ada: Player, bob: Player) -> None:
    first = added(ada, 50_000, day=1)
    added(bob, 55_000, day=2)
    unrank_replays([first])
    first.delete()
    assert [step.value for step in history.board_progression(EXPERT_TIME)] == [55.0]
    assert history.player_progression(ada, EXPERT_TIME) == []


def test_steps_have_the_gain(ada: Player) -> None:
    added(ada, 60_010, day=1)
    added(ada, 59_990, day=2)
    first, second = history.board_progression(EXPERT_TIME)
    assert (first.old_value, first.gain) == (None, None)
    assert (second.old_value, second.gain) == (60.01, 0.02)


def test_equal_results_and_the_same_instant(ada: Player, bob: Player) -> None:
    older = added(ada, 60_000, day=1)
    added(bob, 60_000, day=1)
    added(bob, 60_000, day=2)
    assert [step.replay_id for step in history.board_progression(EXPERT_TIME)] == [older.pk]


def test_styles_have_their_own_history(ada: Player) -> None:
    added(ada, 50_000, day=1, style="NF")
    added(ada, 60_000, day=2, style="FL")
    for style, values in (("all", [50.0]), ("NF", [50.0]), ("FL", [60.0])):
        key = board_key("expert", "time", style)
        assert [step.value for step in history.board_progression(key)] == values
        assert [step.value for step in history.player_progression(ada, key)] == values


@pytest.mark.parametrize("seed", seeds(1, 2))
def test_every_history_equals_the_naive_one(seed: int) -> None:
    """Uploads in random order, deletions and freezing."""
    source = random.Random(seed)
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(8))
    for _round in range(2):
        _add_games(source, players)
        _remove_games(source)
        replays = list(Replay.objects.all())
        for key in source.sample(BOARDS, 25):
            assert steps_of(history.board_progression(key)) == naive(key, replays), key
            player = source.choice(players)
            own = [replay for replay in replays if replay.player_id == player.pk]
            assert steps_of(history.player_progression(player, key)) == naive(key, own), key


@pytest.mark.long(beside="tests/players/leaderboards/history/test_history.py::test_every_history_equals_the_naive_one")
@pytest.mark.parametrize("seed", seeds(3, 4))
def test_the_cached_history_follows_each_change(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One game is added or removed between two reads; mostly only its player is read again."""
    made = Mock(side_effect=store._read_all)
    monkeypatch.setattr(store, "_read_all", made)
    source = random.Random(seed)
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(5))
    keys = source.sample(BOARDS, 4)
    for _change in range(60):
        if source.random() < 0.7 or not Replay.objects.filter(ranked=True).exists():
            replay = random_ranked_replay(source, source.choice(players))
            replay.achieved_at = EPOCH + DAY * source.randint(0, 30)
            replay.save()
            rank_replays([replay])
        else:
            _remove_games(source, 1)
        if source.random() < 0.1:
            clear_memory()
            cache.clear()
        replays = list(Replay.objects.all())
        for key in keys:
            assert steps_of(history.board_progression(key)) == naive(key, replays), key
    assert made.call_count < 60 * len(keys) / 3


def _add_games(source: random.Random, players: list[Player]) -> None:
    """Games of the past weeks in random order; better players may begin earlier or later."""
    made = [random_ranked_replay(source, source.choice(players)) for _number in range(40)]
    for replay in made:
        replay.achieved_at = EPOCH + DAY * source.randint(0, 30)
    for replay in Replay.objects.bulk_create(made):
        rank_replays([replay])


def _remove_games(source: random.Random, count: int = 8) -> None:
    removed = source.sample(list(Replay.objects.filter(ranked=True)), count)
    unrank_replays(removed)
    for replay in removed:
        if source.random() < 0.5:
            replay.delete()
        else:
            Replay.objects.filter(pk=replay.pk).update(ranked=False)


def test_pages_go_from_the_newest_to_the_oldest(ada: Player, bob: Player) -> None:
    for day in range(7):
        added((ada, bob)[day % 2], 60_000 - 1_000 * day, day=day)
    steps = history.board_progression(EXPERT_TIME)
    seen, cursor = [], None
    for _page in range(4):
        page = history.history_page(steps, cursor=cursor, size=2)
        seen += page.rows
        cursor = page.next_cursor
    assert cursor is None
    assert [row.step for row in seen] == steps[::-1]
    assert [row.player.name for row in seen[:2]] == ["Ada", "Bob"]
    with pytest.raises(BadCursor):
        history.history_page(steps, cursor="x")


def test_histories_take_a_fixed_number_of_statements(ada: Player, django_assert_num_queries: Any) -> None:
    for day in range(5):
        added(ada, 60_000 - day, day=day)
        added(Player.objects.create(name=f"p{day}"), 70_000, day=day)
    with django_assert_num_queries(3):  # the log position, the records, the steps
        steps = board_progression(EXPERT_TIME)
    added(ada, 50_000, day=9)
    with django_assert_num_queries(4):  # the log position, the changed players, their steps, the steps
        assert board_progression(EXPERT_TIME)[:-1] == steps
    with django_assert_num_queries(1):
        assert len(player_progression(ada, EXPERT_TIME)) == 6
    with django_assert_num_queries(1):
        history_page(steps)
