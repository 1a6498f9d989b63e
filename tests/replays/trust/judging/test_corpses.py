"""Lost games on boards of lost games: what withholds a won game withholds a lost one, and boards follow at once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from analysis.click_machine import Result
from analysis.evidence import EvidenceClass
from analysis.recording import Finding, Level, Mode
from players.leaderboards.board import Board
from players.leaderboards.boards import board_key
from players.leaderboards.filters import BoardFilter
from players.leaderboards.ranks import page_at
from players.models import Player, User
from replays.models import Replay
from replays.trust.judging import rules
from replays.trust.judging.bots import player_mark_bot
from replays.trust.judging.rules import Judged, Rules, judged
from replays.trust.judging.services import replay_judge
from replays.trust.ownership.services import games_answer
from replays.trust.provisional.services import finalise_due
from replays.upload.processing.deletion import replay_delete
from tests.factories import give_name, replay_of, replay_report, stored_corpse
from tests.players.made_games import MadeGame, Shelf, on_shelf, random_game
from tests.players.random_changes import World
from tests.replays.again import analyse_all_again

pytestmark = pytest.mark.django_db

LOST = BoardFilter(lost=True)


@pytest.fixture
def world(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A site with the findings and limits of the defaults."""
    shelf = Shelf()
    with on_shelf(shelf):
        world = World(1, shelf, monkeypatch)
        settings.JUDGE_FINDINGS = settings.JUDGE_LIMITS = None
        settings.PROVISIONAL_LIMITS = []
        yield world


def lost_game(bvdone: int = 120, time_ms: int = 60_000, **changes: Any) -> MadeGame:
    """A lost game of 150 3BV that nothing speaks against."""
    row = replay_of(None, Level.EXPERT, bvdone=bvdone, time_ms=time_ms)
    plain = random_game(random.Random(bvdone), ("Ada",), plain_win=True)
    values = {name: row.statistic(name) for name in plain.values}
    return replace(plain, level=Level.EXPERT, result=Result.LOST, values=values, **changes)


def on_board(statistic: str = "stnb") -> list[int | None]:
    return [row.replay_id for row in page_at(Board(*board_key("expert", statistic, lost=True), LOST)).rows]


def handed_in(world: World, game: MadeGame, uploader: User | None = None) -> Replay:
    (pk,) = world.hand_in([game], uploader)
    return Replay.objects.get(pk=pk)


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        (lost_game(), True),
        (lost_game(bvdone=75), True),  # just the minimum
        (lost_game(bvdone=74), False),
        (lost_game(mode=Mode.UPK), False),
        (replace(lost_game(), result=Result.UNFINISHED), False),
        (lost_game(evidence=EvidenceClass.OPEN), False),  # anybody can write such a file
        (lost_game(findings=(Finding("time_differs", {"claimed_ms": 1, "actual_ms": 2}),)), False),
        (lost_game(bvdone=149, time_ms=19_000), False),  # 19.1 s for the whole board: faster than anybody
        (lost_game(bvdone=75, time_ms=19_000), True),  # 38 s for the whole board, although no won game takes 19 s
    ],
)
def test_a_lost_game_counts_by_the_rules_of_won_ones(world: World, game: MadeGame, counts: bool) -> None:
    row = handed_in(world, game)
    assert (row.status, row.ranked, row.corpse) == (Replay.Status.DONE, False, counts)
    assert on_board() == on_board("estime") == ([row.pk] if counts else [])


def test_lost_games_with_few_3bv_do_not_count(world: World, settings: Any) -> None:
    settings.MINIMUM_3BV = {"expert": 151}
    assert not handed_in(world, lost_game()).corpse


def test_a_bound_of_time_is_that_of_the_estimated_time() -> None:
    rules = Rules(limits=(("expert", "time", "<", 20.0),))
    values = {"time": 15.0, "estime": 19.0, "completion": 0.8}
    found = judged(Judged(values.get, [], "expert", "sealed", "avf", win=False, result="lost"), rules)
    assert found.params == {"statistic": "estime", "sign": "<", "bound": 20.0, "value": 19.0}


def test_a_copy_under_another_name_takes_no_place(world: World) -> None:
    mine, thief = world.users[:2]
    first = handed_in(world, lost_game(), mine)
    copy = handed_in(world, replace(lost_game(), name="Thief"), thief)
    assert not copy.corpse
    assert copy.judgement in ("linked", "disputed")
    assert copy.pk not in on_board()
    replay_delete(copy, world.staff)
    assert on_board() == [first.pk]


def test_staff_bots_owners_and_deletion_change_the_board_at_once(world: World) -> None:
    row = handed_in(world, lost_game(), world.users[0])
    assert row.player is not None
    for judgement in ("frozen", "accepted", "suspicious"):
        replay_judge(row, judgement, "seen", world.staff)
        assert on_board() == ([row.pk] if judgement == "accepted" else [])
    replay_judge(row, "accepted", "seen", world.staff)
    player_mark_bot(row.player, is_bot=True, on_boards=False)
    assert on_board() == []
    player_mark_bot(row.player, is_bot=False, on_boards=True)
    assert on_board() == [row.pk]
    give_name(world.users[1], "Ada")
    for answer in ("disowned", "confirmed"):
        games_answer(world.users[1], [row.pk], answer)
        assert on_board() == ([row.pk] if answer == "confirmed" else [])
    replay_delete(row, world.staff)
    assert on_board() == []


def test_a_game_that_is_read_again_follows_its_values(world: World) -> None:
    """Reprocessing from files: less solved, another player, then won."""
    row = handed_in(world, lost_game())
    for game, expected in [
        (lost_game(bvdone=74), []),
        (lost_game(bvdone=140), [row.pk]),
        (replace(lost_game(), name="Bob"), [row.pk]),
        (replace(lost_game(), result=Result.WON), []),
        (lost_game(), [row.pk]),
    ]:
        world.shelf.games[row.sha256] = game
        analyse_all_again()
        assert on_board() == expected
    assert page_at(Board(*board_key("expert", "stnb", lost=True), LOST)).rows[0].player.name == "Ada"


def test_another_minimum_counts_after_the_command(world: World, settings: Any) -> None:
    row = handed_in(world, lost_game(bvdone=75))
    for percent, expected in ((51, []), (50, [row.pk])):
        settings.MINIMUM_COMPLETION = percent
        analyse_all_again()
        assert on_board() == expected


# --- provisional ---


def test_a_pace_of_world_class_is_provisional_until_it_is_final(
    world: World, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And only that: the first places and leaps are those of won games."""
    settings.PROVISIONAL_LIMITS = [("expert", "time", "<", 40.0)]
    monkeypatch.setattr(rules, "LEAST_PLAYERS", rules.TOP_PLACES)
    fast = handed_in(world, lost_game(bvdone=75, time_ms=19_000))
    assert (fast.judgement, fast.judgement_code, fast.corpse) == ("provisional", "world_class", True)
    assert fast.judgement_params == {"statistic": "estime", "value": 38.0, "bound": 40.0}
    assert page_at(Board(*board_key("expert", "estime", lost=True), LOST)).rows[0].provisional
    assert handed_in(world, lost_game(bvdone=76, time_ms=30_000)).judgement == "accepted"
    replay_report(fast, world.users[3], "It is a bot.")
    replay_judge(fast, "accepted", "", world.staff)
    assert not page_at(Board(*board_key("expert", "estime", lost=True), LOST)).rows[0].provisional
    assert finalise_due() == 0


# --- ties ---


def test_ties_share_a_rank_and_are_listed_by_date_then_player() -> None:
    players = [Player.objects.create(name=name) for name in "abcd"]
    rows = [stored_corpse(player, time_ms=50_000) for player in players[:3]]
    stored_corpse(players[0], time_ms=50_000)  # one row a player
    worse = stored_corpse(players[3], time_ms=60_000)
    for statistic in ("stnb", "estime"):
        shown = page_at(Board(*board_key("expert", statistic, lost=True), LOST)).rows
        assert [(row.rank, row.replay_id) for row in shown] == [
            *((1, row.pk) for row in rows), (4, worse.pk),
        ]  # fmt: skip
