"""The ranks in the record history, before and after each record."""

from __future__ import annotations

import random
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import pytest

from analysis.recording import Level
from analysis.statistics import BY_NAME
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, COMBINED_NAMES, LOGGED_STATISTICS, board_key
from players.leaderboards.ranked_games import game_of
from players.leaderboards.ranks import checkpoints, page_at
from players.leaderboards.ranks.checkpoints import count_boards
from players.models import CombinedBest, PersonalBest, Player, RecordEvent
from replays.models import Replay
from tests.effort import seeds
from tests.factories import EPOCH, random_ranked_replay, rank_replays, stored_replay, unrank_replays
from tests.players.leaderboards.test_bests import DAY, added, delete, freeze, thaw
from tests.players.naive_boards import expected_boards, sum_of

pytestmark = pytest.mark.django_db

Event = tuple[Any, ...]
FIELDS = (
    "kind", "player_id", "statistic", "level", "style", "old_value", "new_value", "rank_before", "rank_after",
    "replay_id", "second_replay_id", "third_replay_id", "happened_at",
)  # fmt: skip


def stored_events(after: int = 0) -> list[Event]:
    return list(RecordEvent.objects.filter(id__gt=after).order_by("id").values_list(*FIELDS))


def ranks(level: str = "expert", statistic: str = "time", kind: str = "personal") -> list[tuple[Any, ...]]:
    rows = RecordEvent.objects.filter(kind=kind, statistic=statistic, style="all", level=level)
    return list(rows.order_by("id").values_list("player__name", "rank_before", "rank_after"))


# --- the slow twin ---


class NaiveHistory:
    """The boards as plain dictionaries, board -> player -> (rank keys, value, date, replay), and the records of games."""

    def __init__(self) -> None:
        self.boards: dict[tuple[str, str, str], dict[int, tuple[tuple[float, ...], float, Any]]] = {}
        bests, combined, _seconds = expected_boards()
        for (player, statistic, level, style), (value, key, date, replay) in bests.items():
            self.board(level, statistic, style)[player] = ((key,), value, date, replay)
        for (player, statistic, style), (value, key, expert, intermediate, date, *_replays) in combined.items():
            self.board(COMBINED, statistic, style)[player] = ((key, expert, intermediate), value, date, None)

    def board(self, *names: str) -> dict[int, Any]:
        return self.boards.setdefault((names[0], names[1], names[2]), {})

    def play(self, replays: Sequence[Replay]) -> list[Event]:
        """The records of ``replays``, added one by one in the order of their dates."""
        events = []
        for replay in sorted(replays, key=lambda replay: (replay.achieved_at, replay.player_id, replay.pk)):
            for (player, statistic, level, style), best in game_of(replay).bests():
                place = (best.rank_key,), best.value, best.achieved_at, replay.pk
                events += self._add((level, statistic, style), player, place, (replay.pk, None, None))
                if level in COMBINED_LEVELS and statistic in COMBINED_NAMES:
                    parts: list[Any] = [self.board(part, statistic, style).get(player) for part in COMBINED_LEVELS]
                    if None not in parts:
                        others = [part[3] for part, of in zip(parts, COMBINED_LEVELS, strict=True) if of != level]
                        games = (replay.pk, *others)
                        events += self._add((COMBINED, statistic, style), player, self._sum(parts), games)
        return events

    @staticmethod
    def _sum(parts: list[Any]) -> Any:
        _beginner, intermediate, expert = parts
        key, value = sum_of(*(part[0][0] for part in parts)), sum_of(*(part[1] for part in parts))
        return (key, expert[0][0], intermediate[0][0]), value, max(part[2] for part in parts), None

    def _add(self, names: tuple[str, str, str], player: int, place: Any, games: tuple[Any, ...]) -> list[Event]:
        board = self.board(*names)
        old, leader = board.get(player), min(board.values(), key=itemgetter(0), default=None)
        if old is not None and old[0][0] <= place[0][0]:
            if old[0][0] == place[0][0] and (names[0] == COMBINED or place[2] < old[2]):
                board[player] = place  # the same value with an earlier date or another part: no record
            return []
        before = None if old is None else self._rank(board, old)
        board[player] = place
        details = before, self._rank(board, place), *games, place[2]
        level, statistic, style = names
        events: list[Event] = []
        if statistic in LOGGED_STATISTICS:
            old_value = None if old is None else old[1]
            events.append(("personal", player, statistic, level, style, old_value, place[1], *details))
        if leader is None or place[0][0] < leader[0][0]:
            events.append(
                ("site", player, statistic, level, style, None if leader is None else leader[1], place[1], *details)
            )
        return events

    @staticmethod
    def _rank(board: dict[int, Any], place: Any) -> int:
        return 1 + len([other for other in board.values() if other[0] < place[0]])


@pytest.mark.long(
    beside="tests/players/leaderboards/records/test_ranks.py::test_a_batch_has_the_ranks_of_its_games_one_by_one"
)
@pytest.mark.parametrize("seed", seeds(1, 3))
def test_random_batches_are_ranked_as_if_games_were_added_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "ROWS_A_CHECKPOINT", 3)
    source = random.Random(seed)
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(9))
    compared = 0
    for _ in range(15):
        change = source.choice([delete, freeze, thaw, None, None])
        if change is not None:
            change(source, players, source.choice([1, 5]))
        if source.random() < 0.3:
            count_boards()
        history = NaiveHistory()
        batch = Replay.objects.bulk_create(
            random_ranked_replay(source, source.choice(players)) for _ in range(source.choice([1, 2, 25]))
        )
        last = RecordEvent.objects.order_by("-id").values_list("id", flat=True).first() or 0
        rank_replays(batch)
        expected = history.play(batch)
        assert stored_events(after=last) == expected
        compared += len(expected)
    assert compared > 500
    assert {row[3] for row in stored_events()} >= {COMBINED, *COMBINED_LEVELS}


def test_a_batch_has_the_ranks_of_its_games_one_by_one() -> None:
    source = random.Random(7)
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(5))
    games = Replay.objects.bulk_create(random_ranked_replay(source, source.choice(players)) for _ in range(60))
    rank_replays(games)
    batched = stored_events()
    for table in (RecordEvent, CombinedBest, PersonalBest):
        table._default_manager.all().delete()
    for game in sorted(games, key=lambda game: (game.achieved_at, game.player_id, game.pk)):
        rank_replays([game])
    assert stored_events() == batched


# --- examples ---


@pytest.fixture
def ada() -> Player:
    return Player.objects.create(name="Ada")


def test_ranks_before_and_after(ada: Player) -> None:
    crowd = [Player.objects.create(name=f"p{number}") for number in range(3)]
    for number, who in enumerate(crowd):
        added(who, time_ms=50_000 + 1_000 * number)
    added(ada, time_ms=60_000)
    added(ada, time_ms=51_500)
    added(ada, time_ms=51_000)  # shares its rank
    added(ada, time_ms=40_000)
    assert ranks()[3:] == [("Ada", None, 4), ("Ada", 4, 3), ("Ada", 3, 2), ("Ada", 2, 1)]
    assert ranks(kind="site") == [("p0", None, 1), ("Ada", 2, 1)]


def test_the_rank_after_is_the_one_on_the_board(ada: Player) -> None:
    for number in range(6):
        added(Player.objects.create(name=f"p{number}"), time_ms=50_000 + 700 * number)
    added(ada, time_ms=52_000)
    page = page_at(Board(*board_key("expert", "time")), viewer=ada)
    assert page.own_row is not None
    assert ranks()[-1] == ("Ada", None, page.own_row.rank)


def test_removed_games_are_not_counted(ada: Player) -> None:
    better = added(Player.objects.create(name="Bob"), time_ms=40_000)
    added(ada, time_ms=60_000)
    unrank_replays([better])
    better.delete()
    added(ada, time_ms=50_000)
    assert ranks() == [("Ada", None, 2), ("Ada", 1, 1)]


# --- sums ---


def sums(player: Player, *times_ms: int, day: int = 0) -> list[Replay]:
    levels = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)
    return [
        added(player, level, time_ms=time_ms, achieved_at=EPOCH + DAY * (day + number))
        for number, (level, time_ms) in enumerate(zip(levels, times_ms, strict=True))
    ]


def test_sums_have_records_of_their_own(ada: Player) -> None:
    bob = Player.objects.create(name="Bob")
    last = sums(bob, 5_000, 20_000, 60_000)[-1]
    sums(ada, 4_000, 30_000, 70_000, day=1)
    faster = added(ada, Level.INTERMEDIATE, time_ms=10_000, achieved_at=EPOCH)
    rows = RecordEvent.objects.filter(statistic="time", level=COMBINED, style="all").order_by("id")
    assert list(rows.values_list("kind", "player__name", "old_value", "new_value", "rank_before", "rank_after")) == [
        ("personal", "Bob", None, 85.0, None, 1),
        ("site", "Bob", None, 85.0, None, 1),
        ("personal", "Ada", None, 104.0, None, 2),
        ("personal", "Ada", 104.0, 84.0, 2, 1),
        ("site", "Ada", 85.0, 84.0, 2, 1),
    ]
    assert rows[0].replay_id == last.pk
    assert (rows[4].replay_id, rows[4].happened_at) == (faster.pk, EPOCH + DAY * 3)  # the day of its latest part


def test_ties_of_sums_are_broken_by_expert_and_share_a_rank_if_all_parts_are_equal(ada: Player) -> None:
    sums(ada, 5_000, 20_000, 60_000)
    sums(Player.objects.create(name="Bob"), 5_000, 19_000, 61_000)
    sums(Player.objects.create(name="Eve"), 5_000, 20_000, 60_000)
    assert ranks(COMBINED) == [("Ada", None, 1), ("Bob", None, 2), ("Eve", None, 1)]
    assert ranks(COMBINED, kind="site") == [("Ada", None, 1)]


def test_sums_of_higher_is_better_statistics(ada: Player) -> None:
    assert BY_NAME["bvs"].rank_key(1.0) < 0
    for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT, Level.EXPERT):
        stored = stored_replay(ada, level, values={"bvs": 2.5 if level is not Level.EXPERT else 3.5})
        rank_replays([stored])
    rows = RecordEvent.objects.filter(statistic="bvs", level=COMBINED, style="all", kind="site")
    assert list(rows.values_list("new_value", flat=True)) == [8.5]
