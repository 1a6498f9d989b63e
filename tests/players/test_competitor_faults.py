"""Faults that were found in another site's rankings, each with a test that it is not ours.

The numbers are those of the study of that site: §0 its short list, §1.6 its rankings, §1.7 its subs, §1.9 its news.
Those with the name of a file are tested there; the others here.  For §2, its scale, see ``test_competitor_scale``.

================================= =====================================================================================
fault there                       test that it is not ours
================================= =====================================================================================
§1.6 entry: three levels needed   one_level_is_enough_to_be_ranked
§1.6 NF counts for both (agreed)  no_flags_counts_in_its_own_board_and_in_the_one_of_all
§1.6 no boards of 3BV, country,   beginner_boards_are_never_mixed; test_by_3bv, test_filtered_boards, one_convention…
     periods, subs, days
§1.6 cache: Redis is the board    tests/stack/test_flush: every_key_is_dropped_in_the_middle_of_traffic
§1.6 ties between players         ties_share_a_rank_and_stand_by_date, full_ties_stand_by_number_not_by_text
§1.6 ties, own record             an_own_tie_is_decided_the_same_live_and_in_a_rebuild
§0.4 ghost rows                   freezing_or_deleting_the_only_game_leaves_no_ghost, a_rebuild_ranks_nobody_without_games
§1.6 paging                       a_player_count_that_fills_its_pages_repeats_nothing
§0.6 key mismatch                 rows_show_the_player_who_played
§1.6 on delete, speed             test_bests: the_next_best_returns_before_the_row_is_deleted
§1.6 on delete, density           the_next_best_returns_on_every_board
§1.6 on delete, queues            records_of_a_deleted_replay_go_with_it, the_newest_replays_forget_a_deleted_one
§1.6 rebuild                      a_command_rebuilds_the_boards_while_replays_come_in
§1.6 no minimum 3BV               a_minimum_3bv_is_configured…, a_game_of_one_click_is_stored_and_not_ranked
§1.6 slow players                 slow_players_are_ranked
§0.5 two STNBs                    stnb_has_one_set_of_constants
§0.7 one more byte ranks twice    the_same_game_with_a_byte_appended_counts_once
§1.7 three conventions of subs    one_convention_of_subs
§1.9 news are lost, 200 at most   records_are_never_deleted_by_age
all of them at once               test_changes: every_kind_of_change_keeps_every_page_right
================================= =====================================================================================
"""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from analysis.recording import Level
from analysis.statistics import BY_NAME, RANKED, RANKED_LEVELS, STNB2023_K, STNB_K
from players.leaderboards import ranked_games
from players.leaderboards.board import Board
from players.leaderboards.boards import board_key
from players.leaderboards.ranks import BoardPage, page_at
from players.leaderboards.records.selectors import records_page
from players.leaderboards.services import (
    rebuild_boards,
)
from players.leaderboards.sub_n.selectors import sub_ladders
from players.models import CombinedBest, PersonalBest, Player, RecordEvent, SecondCount, User
from players.profile.page.selectors import player_bests
from replays.models import Replay
from replays.upload.processing.deletion import replay_delete
from tests.cases import check_each_on_site
from tests.factories import EPOCH, rank_replays, stored_replay, unrank_replays
from tests.players.made_games import Shelf, on_shelf, random_game
from tests.players.naive_boards import expected_boards, stored_boards
from tests.players.random_changes import World

pytestmark = pytest.mark.django_db

DAY = datetime.timedelta(days=1)
EXPERT_TIME = board_key("expert", "time")


def player(name: str) -> Player:
    return Player.objects.create(name=name)


def played(who: Player, level: Level = Level.EXPERT, **options: Any) -> Replay:
    replay = stored_replay(who, level, **options)
    rank_replays([replay])
    return replay


def names(page: BoardPage) -> list[str]:
    return [row.player.name for row in page.rows]


def test_one_level_is_enough_to_be_ranked() -> None:
    """§0.3: there a player is ranked only after having records on all three levels."""
    for level in RANKED_LEVELS:
        who = player(level.value)
        played(who, level)
        assert names(page_at(Board(*board_key(level.value, "time")))) == [who.name]
    assert names(page_at(Board(*board_key("combined", "time")))) == []


@pytest.mark.parametrize("remove", ["freeze", "delete"])
def test_freezing_or_deleting_the_only_game_leaves_no_ghost(remove: str) -> None:
    """§0.4: there a freeze or a deletion puts the player on the board with 999.999 on each level."""
    who = player("Ada")
    replays = [played(who, level) for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)]
    for replay in replays:
        if remove == "freeze":
            replay.ranked = False
            replay.save(update_fields=["ranked"])
        unrank_replays([replay])
        if remove == "delete":
            replay.delete()
    rebuild_boards()
    for table in (PersonalBest, CombinedBest, SecondCount, RecordEvent):
        assert not table._default_manager.exists()
    assert names(page_at(Board(*EXPERT_TIME))) == []
    assert player_bests(who.pk) == {}


def test_stnb_has_one_set_of_constants() -> None:
    """§0.5: there two pages show two STNBs of one replay.  Here the constants stand in the registry and nowhere else."""
    root = Path(settings.BASE_DIR)
    constants = {str(value) for table in (STNB_K, STNB2023_K) for value in table.values() if not value.is_integer()}
    holders = {
        source.relative_to(root).as_posix()
        for package in ("analysis", "config", "players", "replays")
        for source in (root / package).rglob("*.py")
        if constants & set(re.findall(r"\d+\.\d+", source.read_text()))
    }
    assert holders == {"analysis/statistics.py"}
    who = player("Ada")
    replay = played(who, time_ms=50_000, bv=150)
    (row,) = page_at(Board(*board_key("expert", "stnb"))).rows
    assert row.value == replay.statistic("stnb") == pytest.approx(435.001 * 150 / 50**1.7)
    assert player_bests(who.pk)["expert"]["stnb"]["all"].value == row.value


def test_rows_show_the_player_who_played() -> None:
    """§0.6: there rows are keyed by one table's id and drawn as another's, so any drift shows a stranger's name."""
    for number in range(3):
        User.objects.create_user(f"without a player {number}")
    user = User.objects.create_user("account")
    player("before")
    who = Player.objects.create(name="Ada", user=user)
    assert who.pk != user.pk
    replay = played(who)
    (row,) = page_at(Board(*EXPERT_TIME)).rows
    assert (row.player.pk, row.player.name, row.replay_id) == (who.pk, "Ada", replay.pk)


def test_ties_share_a_rank_and_stand_by_date() -> None:
    """§1.6 "Ties, between players": there they fall back to the text order of ids (10, 100, 2, 9), ranks not shared."""
    crowd = [player(f"p{number}") for number in range(12)]
    for number, who in enumerate(crowd):
        played(who, time_ms=50_000, achieved_at=EPOCH - DAY * number)
    page = page_at(Board(*EXPERT_TIME))
    assert names(page) == [who.name for who in reversed(crowd)]
    assert {row.rank for row in page.rows} == {1}
    slower = player("slower")
    played(slower, time_ms=51_000)
    own_row = page_at(Board(*EXPERT_TIME), viewer=slower).own_row
    assert own_row is not None
    assert own_row.rank == 13


def test_full_ties_stand_by_number_not_by_text() -> None:
    """§1.6, the same fault on one day: ids compare as numbers."""
    crowd = [player(f"p{number}") for number in range(12)]
    for who in crowd:
        played(who, time_ms=50_000)
    rows = list(PersonalBest.objects.filter(statistic="time", level="expert", style="all"))
    expected = [row.player.name for row in sorted(rows, key=lambda row: row.pk)]
    assert names(page_at(Board(*EXPERT_TIME))) == expected


def test_an_own_tie_is_decided_the_same_live_and_in_a_rebuild() -> None:
    """§1.6 "Ties, own record": there an upload leaves the older as the best, a rebuild takes the faster."""
    who = player("Ada")
    first = played(who, time_ms=60_000, values={"ioe": 0.9})
    played(who, time_ms=50_000, values={"ioe": 0.9}, achieved_at=EPOCH + DAY)
    live = PersonalBest.objects.get(statistic="ioe", style="all").replay_id
    PersonalBest.objects.all().delete()
    rebuild_boards()
    assert live == PersonalBest.objects.get(statistic="ioe", style="all").replay_id == first.pk


@pytest.mark.parametrize("count", [4, 20, 40])
def test_a_player_count_that_fills_its_pages_repeats_nothing(count: int) -> None:
    """§1.6 "Paging": there page 2 repeats page 1 with wrong ranks when the players are a multiple of 20."""
    size = count // 2
    crowd = Player.objects.bulk_create(Player(name=f"p{number:02}") for number in range(count))
    rank_replays([stored_replay(who, time_ms=50_000 + number * 10) for number, who in enumerate(crowd)])
    first = page_at(Board(*EXPERT_TIME), size=size)
    second = page_at(Board(*EXPERT_TIME), size=size, cursor=first.next_cursor)
    assert names(first) + names(second) == [who.name for who in crowd]
    assert [row.rank for row in first.rows + second.rows] == list(range(1, count + 1))
    assert second.next_cursor is None


@pytest.mark.long(
    beside="tests/players/test_competitor_faults.py::test_no_flags_counts_in_its_own_board_and_in_the_one_of_all"
)
def test_the_next_best_returns_on_every_board() -> None:
    """§1.6 "On delete, density": there the record is deleted and no next best is searched; the player vanishes."""

    def returns(statistic: str) -> None:
        who = player("Ada")
        row = BY_NAME[statistic]
        levels = [level for level in RANKED_LEVELS if level in row.levels]
        good, better = (10.0, 5.0) if row.rank_key(1) > 0 else (5.0, 10.0)
        for level in levels:
            older = played(who, level, values={statistic: good})
            best = played(who, level, values={statistic: better})
            key = board_key(level.value, statistic)
            assert page_at(Board(*key)).rows[0].replay_id == best.pk
            unrank_replays([best])
            best.delete()
            (place,) = page_at(Board(*key)).rows
            assert (place.replay_id, place.value) == (older.pk, good)

    check_each_on_site(returns, [row.name for row in RANKED])


def test_records_of_a_deleted_replay_go_with_it() -> None:
    """§1.6 "On delete, queues": there the deleted id stays in the news."""
    who = player("Ada")
    played(who, time_ms=60_000)
    best = played(who, time_ms=50_000)
    unrank_replays([best])
    best.delete()
    events = records_page("personal", "all", size=100).rows
    assert [event.new_value for event in events if event.statistic == "time"] == [60.0]


def test_the_newest_replays_forget_a_deleted_one(staff: User, client: Client) -> None:
    """§1.6, the other queue: there it stays in the list of newest replays too."""
    who = player("Ada")
    board = np.packbits(np.arange(16 * 30) < 99).tobytes()
    older, newer = (played(who, time_ms=time_ms, board=board) for time_ms in (60_000, 50_000))
    replay_delete(newer, staff)
    assert [row.pk for row in ranked_games.newest(10)] == [older.pk]
    assert newer.get_absolute_url() not in client.get("/").content.decode()
    assert client.get(newer.get_absolute_url()).status_code == 410


def test_a_rebuild_ranks_nobody_without_games() -> None:
    """§1.6 "Ghost rows": there a rebuild writes every player on all twenty boards."""
    for name in ("with an account", "without"):
        player(name)
    played(player("Ada"))
    call_command("personal_best_rebuild", verbosity=0)
    assert set(PersonalBest.objects.values_list("player__name", flat=True)) == {"Ada"}


def test_a_command_rebuilds_the_boards_while_replays_come_in() -> None:
    """§1.6 "Rebuild": there no command does it, and what comes near wants uploads stopped and wipes the news."""
    who = player("Ada")
    played(who, time_ms=60_000)
    news = list(RecordEvent.objects.order_by("id").values_list("id", flat=True))
    PersonalBest.objects.update(value=0.0, rank_key=0.0)
    assert rebuild_boards() == 1
    played(who, time_ms=50_000)
    assert stored_boards() == expected_boards()
    assert list(RecordEvent.objects.order_by("id").values_list("id", flat=True))[: len(news)] == news


def test_a_minimum_3bv_is_configured_for_every_ranked_level() -> None:
    """§1.6 "No minimum 3BV": there a beginner game of one click is official.

    ``replays.trust.judging.rules`` sets ``ranked`` by it; here: every ranked level has one, and what is not ranked has no effect.
    """
    assert set(settings.MINIMUM_3BV) == {level.value for level in RANKED_LEVELS}
    assert settings.MINIMUM_3BV == {"beginner": 2, "beginner-9x9": 2, "intermediate": 30, "expert": 100}
    stored_replay(player("Ada"), Level.BEGINNER, time_ms=0, bv=1, ranked=False)
    rebuild_boards()
    assert not PersonalBest.objects.exists()


def test_a_game_of_one_click_is_stored_and_not_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    """§1.6, through the services: 0.000 s on a board of 1 3BV is stored, and stands nowhere."""
    shelf = Shelf()
    with on_shelf(shelf):
        world = World(1, shelf, monkeypatch)
        monkeypatch.setattr(
            settings, "MINIMUM_3BV", {"beginner": 2, "beginner-9x9": 2, "intermediate": 30, "expert": 100}
        )
        game = random_game(world.source, plain_win=True)
        values = game.values | {"bv": 1, "time_ms": 0, "time": 0.0}
        (replay_id,) = world.hand_in([replace(game, level=Level.BEGINNER, values=values)])
    replay = Replay.objects.get(pk=replay_id)
    assert (replay.status, replay.judgement, replay.ranked) == ("done", "accepted", False)
    assert not PersonalBest.objects.exists()


def test_the_same_game_with_a_byte_appended_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """§0.7: there a byte more makes it a second official replay.  Here the game is known, whatever holds it."""
    shelf = Shelf()
    with on_shelf(shelf):
        world = World(1, shelf, monkeypatch)
        game = random_game(world.source, plain_win=True)
        (first,), (second,) = (world.hand_in([game], world.users[0]) for _ in range(2))
    rows = Replay.objects.in_bulk([first, second])
    assert sorted((row.status, row.judgement, row.ranked) for row in rows.values()) == [
        ("done", "accepted", True), ("done", "linked", False),
    ]  # fmt: skip
    assert set(SecondCount.objects.values_list("games", flat=True)) == {1}


@pytest.mark.long(beside="tests/players/leaderboards/test_pages.py::test_records_newest_first")
def test_records_are_never_deleted_by_age() -> None:
    """§1.9: there Redis holds the last 200; here the database stores all of them."""
    who = player("Ada")
    rank_replays(
        [stored_replay(who, time_ms=60_000 - number, achieved_at=EPOCH + number * DAY) for number in range(230)]
    )
    cache.clear()
    values: list[float] = []
    cursor = None
    while True:
        page = records_page("personal", "all", statistic="time", level="expert", cursor=cursor, size=100)
        values += [event.new_value for event in page.rows]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert values == sorted((60_000 - number) / 1000 for number in range(230))


def test_slow_players_are_ranked() -> None:
    """§1.6 "Slow players": there 999.999 s means "none", so that time and slower ones never rank."""
    for name, time_ms in [("slow", 999_999), ("slower", 1_000_000), ("slowest", 80_000_000)]:
        played(player(name), time_ms=time_ms)
    page = page_at(Board(*EXPERT_TIME))
    assert [(row.rank, row.player.name, row.value) for row in page.rows] == [
        (1, "slow", 999.999),
        (2, "slower", 1000.0),
        (3, "slowest", 80_000.0),
    ]


def test_one_convention_of_subs() -> None:
    """§1.7: there the documents, the quota and the titles use three; here board, ladder and API use one."""
    who = player("Ada")
    for time_ms in (38_990, 39_000, 39_010):
        played(who, time_ms=time_ms)
    ladder = {step.n: step.games for step in sub_ladders(who.pk)["expert"]}
    assert ladder == {40: 1, 41: 3}
    for n, games in ladder.items():
        assert [row.games for row in page_at(Board("expert", f"sub{n}")).rows] == [games]


def test_no_flags_counts_in_its_own_board_and_in_the_one_of_all() -> None:
    """A no-flag game counts for both, as there (§1.6); a game with flags never for no-flag."""
    played(player("Ada"), style="NF", time_ms=50_000)
    played(player("Bob"), style="FL", time_ms=40_000)
    assert names(page_at(Board(*board_key("expert", "time", "all")))) == ["Bob", "Ada"]
    assert names(page_at(Board(*board_key("expert", "time", "NF")))) == ["Ada"]
    assert names(page_at(Board(*board_key("expert", "time", "FL")))) == ["Bob"]


def test_beginner_boards_are_never_mixed() -> None:
    """§1.6 and the field's rule: 9x9 is a category of its own and has no part in the sum."""
    who = player("Ada")
    played(who, Level.BEGINNER_9X9, time_ms=1_000)
    played(who, Level.INTERMEDIATE, time_ms=20_000)
    played(who, Level.EXPERT, time_ms=60_000)
    assert not CombinedBest.objects.exists()
    assert names(page_at(Board(*board_key("beginner", "time")))) == []
    assert names(page_at(Board(*board_key("beginner-9x9", "time")))) == ["Ada"]
