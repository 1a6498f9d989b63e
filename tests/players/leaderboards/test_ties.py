"""Results that are equal to the microsecond: one order on whole and on filtered boards, whatever left and came back."""

from __future__ import annotations

from itertools import permutations

import pytest

from analysis.recording import Level
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED, BoardKey
from players.leaderboards.filters import BoardFilter
from players.leaderboards.history.selectors import board_progression
from players.leaderboards.ranks import page_at
from players.leaderboards.ranks.count import place_of_player
from players.leaderboards.records.holders import record_holders
from players.models import PersonalBest, Player, RecordEvent
from replays.models import Replay
from tests.effort import rest_long
from tests.factories import rank_replays, stored_replay, unrank_replays

pytestmark = pytest.mark.django_db

LEVELS = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)
TIME = BoardKey("expert", "time", "all")
KEYS = [TIME, BoardKey("expert", "corr", "all"), BoardKey(COMBINED, "time", "all")]
#: Lets every game through, and is answered from the games and not from the stored board.
EVERYTHING = BoardFilter(min_bv=1)


@pytest.fixture
def tied() -> list[list[Replay]]:
    """Five players with equal games of one moment on all levels; the later players' games were stored first."""
    players = [Player.objects.create(name=f"p{number}") for number in range(5)]
    games = [[stored_replay(player, level) for level in LEVELS] for player in reversed(players)]
    rank_replays([game for theirs in games for game in theirs])
    return games[::-1]


def order_of(key: BoardKey, board_filter: BoardFilter) -> list[int]:
    """The players of a board, read page by page, each of whom is rank 1."""
    found, cursor = [], None
    while True:
        page = page_at(Board(*key, board_filter), cursor=cursor, size=2)
        assert {row.rank for row in page.rows} == {1}
        found += [row.player.pk for row in page.rows]
        cursor = page.next_cursor
        if cursor is None:
            return found


def check(games: list[list[Replay]]) -> None:
    players = [theirs[0].player_id for theirs in games]
    for key in KEYS:
        assert order_of(key, BoardFilter()) == players
        assert order_of(key, EVERYTHING) == players
        for index, player in enumerate(players):
            assert player is not None
            found = place_of_player(key, player)
            assert found is not None
            assert (found.place.rank, found.place.index) == (1, index)
    held = {holder.key: holder.player.pk for holder in record_holders()}
    assert {held[key] for key in KEYS} == {players[0]}
    first = games[0][LEVELS.index(Level.EXPERT)].pk
    assert [step.replay_id for step in board_progression(TIME)] == [first]


def test_both_engines_list_full_ties_alike(tied: list[list[Replay]]) -> None:
    check(tied)


@pytest.mark.parametrize(
    "leaving", rest_long((4, 0, 2), (0,), *((one,) for one in permutations(range(3), 2)), usual=2), ids=str
)
def test_who_leaves_and_returns_has_the_same_place(tied: list[list[Replay]], leaving: tuple[int, ...]) -> None:
    before = set(PersonalBest.objects.values_list("pk", flat=True))
    for index in leaving:
        Replay.objects.filter(pk__in=[game.pk for game in tied[index]]).update(ranked=False)
        unrank_replays(tied[index])
    for index in leaving:
        Replay.objects.filter(pk__in=[game.pk for game in tied[index]]).update(ranked=True)
        rank_replays(tied[index])
    assert before != set(PersonalBest.objects.values_list("pk", flat=True))  # their rows are new ones
    check(tied)


def test_the_first_of_a_batch_of_ties_has_the_record(tied: list[list[Replay]]) -> None:
    events = RecordEvent.objects.filter(kind="site", statistic="time", level="expert", style="all")
    assert [event.player_id for event in events] == [tied[0][0].player_id]
