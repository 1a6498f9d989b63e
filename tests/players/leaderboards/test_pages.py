"""Boards as visitors read them: ranks, ties, pages, one's own place, and the number of statements."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django import DjangoDbBlocker

from analysis.recording import Level
from analysis.statistics import CLASSIC_LEVELS, RANKED
from players.accounts.claims.selectors import identities_of_account, names_to_claim
from players.db.keyset import BadCursor
from players.leaderboards.board import Board, board_at
from players.leaderboards.boards import MAX_SUB, STYLES, UnknownBoard, all_boards, board_key
from players.leaderboards.filtered import clear_memory
from players.leaderboards.ranks import BoardPage, page_at
from players.leaderboards.ranks.stored import first_rows
from players.leaderboards.records.selectors import records_of_player, records_page
from players.leaderboards.sub_n.selectors import sub_ladders
from players.models import CombinedBest, Identity, PersonalBest, Player, RecordEvent, SecondCount, User
from players.people.player_refs import PlayerRef
from players.people.selectors import PlayerRow, player_of_account, player_of_id, players_page
from players.people.services import index_names
from players.profile.page.selectors import player_bests
from replays.models import Replay
from tests.cases import check_each_on_site
from tests.factories import EPOCH, rank_replays, replay_of, stored_replay
from tests.transactions import rows_of_a_module

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)


@pytest.fixture(scope="module", autouse=True)
def crowd(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[Player]]:
    """30 players with 2 games on each classic level; times are few, so that ties are many."""
    with rows_of_a_module(django_db_blocker, _crowd) as players:
        yield players


def _crowd() -> list[Player]:
    source = random.Random(3)
    players = Player.objects.bulk_create(Player(name=f"p{number:02}") for number in range(30))
    replays = Replay.objects.bulk_create(
        replay_of(
            player,
            level,
            time_ms=source.randint(1, 6) * 700,
            bv=source.randint(20, 22),
            style=source.choice(["NF", "FL"]),
            achieved_at=EPOCH + DAY * source.randint(0, 3),
            source=source,
        )
        for player in players
        for level in CLASSIC_LEVELS
        for _ in range(2)
    )
    rank_replays(replays)
    return players


def all_pages(page_at: Callable[[str | None], BoardPage]) -> list[BoardPage]:
    """Every page forward; going back from the last must show the same pages."""
    pages = [page_at(None)]
    while pages[-1].next_cursor:
        pages.append(page_at(pages[-1].next_cursor))
    back = [pages[-1]]
    while back[0].previous_cursor:
        back.insert(0, page_at(back[0].previous_cursor))
    assert [page.rows for page in back] == [page.rows for page in pages]
    return pages


def competition_ranks(keys: Sequence[Any]) -> list[int]:
    """1 + how many are strictly better; the slow and obvious way."""
    return [1 + sum(other < key for other in keys) for key in keys]


def test_ranks_hold_across_pages(crowd: list[Player]) -> None:
    for statistic, style in [("time", "all"), ("bvs", "all"), ("time", "NF")]:
        for size in (1, 7, 10, 15, 30, 50):
            check_ranks(statistic, style, size)


def check_ranks(statistic: str, style: str, size: int) -> None:
    key = board_key("expert", statistic, style)
    expected = list(
        PersonalBest.objects.filter(statistic=statistic, level="expert", style=style).order_by(
            "rank_key", "achieved_at", "player_id"
        )
    )
    pages = all_pages(lambda cursor: page_at(Board(*key), cursor=cursor, size=size))
    rows = [row for page in pages for row in page.rows]
    assert [row.player.pk for row in rows] == [best.player_id for best in expected]
    assert [row.rank for row in rows] == competition_ranks([best.rank_key for best in expected])
    assert [(row.value, row.replay_id) for row in rows] == [(best.value, best.replay_id) for best in expected]
    assert len({row.rank for row in rows}) < len(rows)  # there were ties
    assert all(len(page.rows) == size for page in pages[:-1])
    assert pages[0].rows[0].precision_ms == 10


@pytest.mark.long(beside="tests/players/leaderboards/test_pages.py::test_ranks_hold_across_pages")
def test_combined_ranks_break_ties_by_the_harder_level(crowd: list[Player]) -> None:
    for size in (4, 10, 30):
        check_combined_ranks(size)


def check_combined_ranks(size: int) -> None:
    pages = all_pages(lambda cursor: page_at(Board(*board_key("combined", "time")), cursor=cursor, size=size))
    rows = [row for page in pages for row in page.rows]
    keys = [(round(row.value, 6), row.parts["expert"].value, row.parts["intermediate"].value) for row in rows]
    assert keys == sorted(keys)
    assert [row.rank for row in rows] == competition_ranks(keys)
    for row in rows:
        assert row.value == pytest.approx(sum(part.value for part in row.parts.values()))
        for level, part in row.parts.items():
            replay = Replay.objects.get(pk=part.replay_id)
            assert (replay.level, replay.statistic("time"), part.precision_ms) == (level, part.value, 10)


@pytest.mark.long(beside="tests/players/leaderboards/test_pages.py::test_unknown_sub_boards_are_refused")
def test_sub_boards_count_games(crowd: list[Player]) -> None:
    for n in (2, 3, 4, 5):
        for size in (3, 10, 50):
            check_sub_board(n, size)


def check_sub_board(n: int, size: int) -> None:
    counts: dict[int, int] = {}
    firsts: dict[int, Any] = {}
    replays: Any = Replay.objects.filter(level="expert").order_by("achieved_at", "id")
    for replay in replays:
        if replay.time_ms // 1000 + 1 <= n - 1:  # the second in which it ended, counted from 1
            counts[replay.player_id] = counts.get(replay.player_id, 0) + 1
            firsts.setdefault(replay.player_id, (replay.achieved_at, replay.pk))
    pages = all_pages(lambda cursor: page_at(Board("expert", f"sub{n}"), cursor=cursor, size=size))
    rows = [row for page in pages for row in page.rows]
    assert {row.player.pk: row.games for row in rows} == counts
    assert {row.player.pk: (row.achieved_at, row.replay_id) for row in rows} == firsts
    keys = [(-row.games, row.achieved_at, row.player.pk) for row in rows]
    assert keys == sorted(keys)
    assert [row.rank for row in rows] == competition_ranks([-row.games for row in rows])


def test_expert_sub40_on_the_board() -> None:
    SecondCount.objects.all().delete()
    player = Player.objects.create(name="Ada")
    rank_replays([stored_replay(player, time_ms=time_ms) for time_ms in (38_990, 39_000, 37_000)])
    page = page_at(Board("expert", "sub40"))
    assert [(row.rank, row.games) for row in page.rows] == [(1, 2)]
    assert [row.games for row in page_at(Board("expert", "sub41")).rows] == [3]
    assert page_at(Board("expert", "sub38")).rows == []


# --- one's own place ---


@pytest.mark.long(beside="tests/players/leaderboards/test_pages.py::test_expert_sub40_on_the_board")
def test_the_own_place_is_always_there(crowd: list[Player]) -> None:
    for size in (3, 30):
        check_own_places(crowd, size)


def check_own_places(crowd: list[Player], size: int) -> None:
    key = board_key("expert", "time", "all")
    everyone = {row.player.pk: row for row in page_at(Board(*key), size=100).rows}
    sums = {row.player.pk: row for row in page_at(Board(*board_key("combined", "time")), size=100).rows}
    below = {row.player.pk: row for row in page_at(Board("expert", "sub4"), size=100).rows}
    for viewer in crowd[::3]:
        first = page_at(Board(*key), size=size, viewer=viewer)
        assert first.own_row == everyone[viewer.pk]
        if first.next_cursor:
            second = page_at(Board(*key), size=size, viewer=viewer, cursor=first.next_cursor)
            assert second.own_row == everyone[viewer.pk]
        assert page_at(Board(*board_key("combined", "time")), size=size, viewer=viewer).own_row == sums[viewer.pk]
        assert page_at(Board("expert", "sub4"), size=size, viewer=viewer).own_row == below.get(viewer.pk)


@pytest.mark.long(beside="tests/players/leaderboards/test_pages.py::test_expert_sub40_on_the_board")
def test_who_is_not_ranked_has_no_place(crowd: list[Player]) -> None:
    newcomer = Player.objects.create(name="new")
    key = board_key("expert", "time", "all")
    assert page_at(Board(*key), viewer=newcomer).own_row is None
    assert page_at(Board(*board_key("combined", "time")), viewer=newcomer).own_row is None
    assert page_at(Board("expert", "sub40"), viewer=newcomer).own_row is None
    assert player_bests(newcomer.pk) == {}
    assert sub_ladders(newcomer.pk) == {}


# --- statements ---


def account_of(page: BoardPage) -> Player:
    """The player in the last row of a page, as somebody who visits boards."""
    return player_of_id(page.rows[-1].player.pk)


def test_a_page_takes_a_constant_number_of_statements(crowd: list[Player], django_assert_num_queries: Any) -> None:
    key = board_key("expert", "time", "all")
    last = account_of(page_at(Board(*key), size=100))
    with django_assert_num_queries(2):  # the rows, the size of the board
        first = page_at(Board(*key), size=10)
    with django_assert_num_queries(4):  # and the place of the first row, the value of the leader
        second = page_at(Board(*key), size=10, cursor=first.next_cursor)
    shown = account_of(second)
    with django_assert_num_queries(6):  # and the viewer's row with its rank
        page_at(Board(*key), size=10, cursor=first.next_cursor, viewer=last)
    with django_assert_num_queries(4):
        page_at(Board(*key), size=10, cursor=first.next_cursor, viewer=shown)


def test_a_combined_page_takes_a_constant_number_of_statements(
    crowd: list[Player], django_assert_num_queries: Any
) -> None:
    last = account_of(page_at(Board(*board_key("combined", "time")), size=100))
    with django_assert_num_queries(4):  # the rows, the size of the board, players, parts
        cursor = page_at(Board(*board_key("combined", "time")), size=10).next_cursor
    with django_assert_num_queries(8):
        page_at(Board(*board_key("combined", "time")), size=10, cursor=cursor, viewer=last)


def test_a_sub_page_takes_a_constant_number_of_statements(crowd: list[Player], django_assert_num_queries: Any) -> None:
    last = account_of(page_at(Board("expert", "sub5"), size=100))
    cursor = page_at(Board("expert", "sub5"), size=5).next_cursor
    for viewer in (None, last):
        clear_memory()
        cache.clear()
        with django_assert_num_queries(4):  # the place in the log, the counts, the players, their first games
            page_at(Board("expert", "sub5"), size=5, cursor=cursor, viewer=viewer)


# --- a player ---


@pytest.mark.long(beside="tests/players/leaderboards/test_pages.py::test_unknown_sub_boards_are_refused")
def test_a_players_bests_have_the_ranks_of_the_boards(crowd: list[Player], django_assert_num_queries: Any) -> None:
    player = CombinedBest.objects.filter(style="NF").select_related("player").order_by("id")[0].player
    with django_assert_num_queries(1):
        bests = player_bests(player.pk)
    assert set(bests) == {"beginner", "intermediate", "expert", "combined"}
    compared = 0
    for key in all_boards():
        best = bests.get(key.level, {}).get(key.statistic, {}).get(key.style)
        page = page_at(Board(*key), size=100)
        own = next((row for row in page.rows if row.player.pk == player.pk), None)
        assert (best is None) == (own is None)
        if best is not None and own is not None:
            compared += 1
            assert (best.rank, best.value, best.replay_id, best.achieved_at) == (
                own.rank, own.value, own.replay_id, own.achieved_at,
            )  # fmt: skip
    assert compared > 100
    names = ("time", "stnb")
    assert player_bests(player.pk, "NF", names) == {
        level: {name: {"NF": styles["NF"]} for name, styles in found.items() if name in names and "NF" in styles}
        for level, found in bests.items()
    }


def test_the_ladder_names_the_first_of_each_sub(django_assert_num_queries: Any) -> None:
    player = Player.objects.create(name="Ada")
    times = [(43_000, 5), (42_000, 2), (42_500, 1), (45_000, 0)]
    replays = [stored_replay(player, time_ms=time_ms, achieved_at=EPOCH + DAY * day) for time_ms, day in times]
    rank_replays(replays)
    with django_assert_num_queries(1):
        steps = sub_ladders(player.pk)["expert"]
    shown = [(step.n, (step.first_at - EPOCH).days, step.games, step.games_in_second) for step in steps]
    assert shown == [(44, 1, 2, 2), (45, 1, 3, 1), (46, 1, 3, 0), (47, 0, 4, 1)]
    assert [step.replay_id for step in steps] == [replays[index].pk for index in (2, 2, 2, 3)]
    assert sub_ladders(player.pk, limit=2)["expert"] == steps[:2]
    assert sub_ladders(player.pk, "NF") == {}
    with django_assert_num_queries(1):
        assert sub_ladders(player.pk) == {"expert": steps}


def test_a_wide_gap_in_the_ladder_stays_short() -> None:
    player = Player.objects.create(name="Ada")
    rank_replays([stored_replay(player, time_ms=time_ms) for time_ms in (40_000, 80_000_000)])
    assert len(sub_ladders(player.pk)["expert"]) == 100


@pytest.mark.long(beside="tests/players/leaderboards/test_pages.py::test_the_ladder_names_the_first_of_each_sub")
def test_players_are_found_by_any_of_their_names(crowd: list[Player], django_assert_num_queries: Any) -> None:
    for name in ("雷神", "P03 again"):
        first = Player.objects.create(name=name, merged_into=crowd[3])
        Identity.objects.create(name=name, player=crowd[3], first_player=first)
    index_names([player.pk for player in crowd])
    with django_assert_num_queries(7):  # six of them look for beginnings, words and parts of names, as typed and plain
        rows = players_page("P0", size=100).rows
    assert [row.player.name for row in rows] == [f"p{number:02}" for number in range(10)]
    assert (
        rows[3].times["expert"].value
        == PersonalBest.objects.get(player=crowd[3], statistic="time", level="expert", style="all").value
    )
    assert [row.player for row in players_page("雷").rows] == [crowd[3]]
    assert players_page("%").rows == []
    assert players_page("_").rows == []
    assert len(players_page(size=7).rows) == 7
    names = [row.player.name for row in _walk_players("p", 7)]
    assert names == [f"p{number:02}" for number in range(30)]


def _walk_players(query: str, size: int) -> list[PlayerRow]:
    page = players_page(query, size=size)
    rows = list(page.rows)
    while page.next_cursor:
        page = players_page(query, page.next_cursor, size)
        rows += page.rows
    return rows


def test_top_places(crowd: list[Player], django_assert_num_queries: Any) -> None:
    combined, expert, empty = (board_key(level, "time") for level in ("combined", "expert", "beginner-9x9"))
    with django_assert_num_queries(5):  # a sum also reads its players and its parts
        tops = [first_rows(key, 3) for key in (combined, expert, empty)]
    assert [len(rows) for rows in tops] == [3, 3, 0]
    assert tops[:2] == [page_at(Board(*key), size=3).rows for key in (combined, expert)]


def test_records_newest_first(crowd: list[Player], django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        newest = records_page("personal", "all", size=5).rows
    assert [event.id for event in newest] == sorted((event.id for event in newest), reverse=True)
    stored = RecordEvent.objects.in_bulk([event.id for event in newest])
    assert [(event.player, event.new_value) for event in newest] == [
        (PlayerRef(one.player_id, one.player.name, one.player.country, one.player.is_bot), one.new_value)
        for one in (stored[event.id] for event in newest)
    ]
    own = records_of_player(crowd[0].pk, 1000)
    page = records_page("personal", "all", player=crowd[0], size=10)
    assert [event.id for event in page.rows] == [record.id for record in own[:10]]
    assert [event.new_value for event in page.rows] == [record.new_value for record in own[:10]]
    rest = records_page("personal", "all", player=crowd[0], cursor=page.next_cursor, size=10)
    assert [event.id for event in rest.rows] == [record.id for record in own[10:20]]


# --- accounts ---


def test_names_that_an_account_may_claim(owner: User, other_player: User) -> None:
    for number, uploader in enumerate([owner, owner, other_player]):
        player = Player.objects.create(name=f"n{number}")
        Identity.objects.create(name=f"n{number}", player=player, first_player=player)
        stored_replay(player, uploader=uploader)
    taken = Identity.objects.get(name="n1")
    taken.state, taken.claimant = Identity.State.CLAIMED, owner
    taken.save()
    assert [identity.name for identity in names_to_claim(owner)] == ["n0"]
    assert identities_of_account(owner) == [taken]
    assert player_of_account(owner) == Player.objects.get(user=owner)


# --- boards on offer ---


def test_boards_on_offer_are_those_of_the_registry() -> None:
    offered = {(key.level, key.statistic, key.style) for key in all_boards()}
    assert len(offered) == len(all_boards())
    for row in RANKED:
        for level in Level:
            for style in STYLES:
                ranked = level in row.levels and level is not Level.CUSTOM
                assert ((level.value, row.name, style) in offered) is ranked
    assert ("combined", "time", "NF") in offered
    assert ("beginner-9x9", "stnb", "all") not in offered
    assert ("combined", "stnb", "all") in offered


def test_unknown_boards_are_refused() -> None:
    def is_refused(level: str, statistic: str, style: str) -> None:
        with pytest.raises(UnknownBoard):
            board_key(level, statistic, style)

    cases = [
        ("custom", "time", "all"),
        ("expert", "cl", "all"),
        ("expert", "nope", "all"),
        ("beginner-9x9", "stnb", "all"),
        ("expert", "time", "nf"),
        ("expert", "time", ""),
        ("", "", ""),
        ("Expert", "time", "all"),
        ("combined", "bv", "all"),
        ("expert", "__class__", "all"),
    ]
    check_each_on_site(is_refused, cases)


@pytest.mark.parametrize(
    ("level", "n"),
    [
        ("expert", 1),
        ("expert", 0),
        ("expert", -5),
        ("expert", 10**30),
        ("custom", 40),
    ],
)
def test_unknown_sub_boards_are_refused(level: str, n: int) -> None:
    with pytest.raises(UnknownBoard):
        board_at(level, n=n)


def test_a_foreign_cursor_is_refused(crowd: list[Player]) -> None:
    cursor = page_at(Board(*board_key("expert", "time")), size=5).next_cursor
    of_sub = page_at(Board("expert", "sub5"), size=5).next_cursor
    assert cursor
    assert of_sub
    for page in (
        lambda: page_at(Board(*board_key("combined", "time")), cursor=cursor),
        lambda: page_at(Board("expert", "sub5"), cursor=cursor),
        lambda: page_at(Board(*board_key("expert", "time")), cursor=of_sub),
        lambda: page_at(Board(*board_key("expert", "time")), cursor="x"),
        lambda: players_page("", "x"),
        lambda: records_page(cursor="x"),
    ):
        with pytest.raises(BadCursor):
            page()


def test_the_highest_sub_is_in_reach() -> None:
    SecondCount.objects.all().delete()
    assert page_at(Board("expert", f"sub{MAX_SUB}")).rows == []
