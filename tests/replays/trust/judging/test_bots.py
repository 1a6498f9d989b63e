"""Bots: marked, and not on boards unless this is allowed."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.recording import Level
from players.accounts.claims.services import release_name
from players.leaderboards.board import Board
from players.leaderboards.boards import board_key
from players.leaderboards.ranks import page_at
from players.models import Decision, Identity, Player, User
from replays.models import Replay
from replays.trust.judging import bots
from replays.trust.judging.bots import player_mark_bot
from replays.trust.judging.services import replay_judge
from tests.factories import give_name, rank_replays, stored_replay
from tests.replays.again import analyse_all_again

pytestmark = pytest.mark.django_db

BOARD = board_key("expert", "time")


@pytest.fixture
def robot() -> Player:
    """A player with three ranked games on Expert and a lost one."""
    player = Player.objects.create(name="R2")
    Identity.objects.create(name="R2", player=player, first_player=player)
    games = [stored_replay(player, Level.EXPERT, time_ms=time_ms) for time_ms in (40_000, 50_000, 60_000)]
    stored_replay(player, Level.EXPERT, win=False, ranked=False)
    rank_replays(games)
    return player


def names() -> list[str]:
    return [row.player.name for row in page_at(Board(*BOARD)).rows]


def test_a_bot_leaves_the_boards_and_returns(robot: Player) -> None:
    assert names() == ["R2"]
    player_mark_bot(robot, is_bot=True, on_boards=False)
    robot.refresh_from_db()
    assert (robot.is_bot, robot.on_boards) == (True, False)
    assert names() == []
    assert page_at(Board("expert", "sub100")).board_size == 0
    assert not Replay.objects.filter(ranked=True).exists()
    assert not robot.second_counts.exists()
    player_mark_bot(robot, is_bot=True, on_boards=True)
    assert names() == ["R2"]
    assert Replay.objects.filter(ranked=True).count() == 3  # the lost game is not ranked
    assert [row.value for row in page_at(Board("expert", "sub100")).rows] == [3.0]


def test_nothing_else_brings_its_games_back(robot: Player, staff: User) -> None:
    player_mark_bot(robot, is_bot=True, on_boards=False)
    replay = Replay.objects.filter(win=True).earliest("pk")
    replay_judge(replay, "suspicious", "looks odd", staff)
    replay_judge(replay, "accepted", "it is a bot", staff)
    analyse_all_again()
    assert not Replay.objects.filter(ranked=True).exists()


def test_its_name_cannot_be_claimed(robot: Player, owner: User) -> None:
    Replay.objects.update(uploader=owner)
    player_mark_bot(robot, is_bot=True, on_boards=False)
    with pytest.raises(ValidationError, match="bot"):
        give_name(owner, "R2")


def test_a_released_name_of_a_bot_stays_off_the_boards(robot: Player, other_player: User) -> None:
    Replay.objects.update(uploader=other_player)
    identity = give_name(other_player, "R2")
    player_mark_bot(identity.player, is_bot=True, on_boards=False)
    released = release_name(identity)
    assert (released.player.is_bot, released.player.on_boards) == (True, False)


def test_the_command(robot: Player) -> None:
    out = StringIO()
    call_command("mark_bot", "R2", stdout=out)
    assert "R2" in out.getvalue()
    assert names() == []
    call_command("mark_bot", "R2", "--on-boards", stdout=out)
    assert names() == ["R2"]
    call_command("mark_bot", "R2", "--person", stdout=out)
    robot.refresh_from_db()
    assert not robot.is_bot
    with pytest.raises(CommandError, match="carries the name"):
        call_command("mark_bot", "r2")


def test_the_mark_is_in_the_log_and_its_account_reads_why(robot: Player, owner: User, owner_client: Client) -> None:
    Player.objects.filter(user=owner).update(user=None)
    Player.objects.filter(pk=robot.pk).update(user=owner)
    call_command("mark_bot", "R2", "--reason", "It clicks by a program.", stdout=StringIO())
    call_command("mark_bot", "R2", stdout=StringIO())  # again, as after a run that died: nothing is decided
    told = owner_client.get("/account/decisions/").content.decode()
    assert "Marked as a bot" in told
    assert "It clicks by a program." in told
    assert f'href="{robot.get_absolute_url()}"' in told
    chinese = owner_client.get("/account/decisions/", headers={"Accept-Language": "zh-hans"}).content.decode()
    assert "已标记为机器人" in chinese
    call_command("mark_bot", "R2", "--on-boards", stdout=StringIO())
    call_command("mark_bot", "R2", "--person", stdout=StringIO())
    rows = Decision.objects.order_by("id")
    assert [(row.action, row.before, row.after) for row in rows] == [
        ("marked_bot", "person on boards", "bot off boards"),
        ("marked_bot", "bot off boards", "bot on boards"),
        ("unmarked_bot", "bot on boards", "person on boards"),
    ]
    assert {(row.by_number, row.number, row.about_number) for row in rows} == {(None, robot.pk, owner.pk)}


@pytest.mark.django_db(transaction=True)
def test_replays_are_locked_before_their_player_and_some_at_a_time(
    robot: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order of every other service: in the other one, both would wait for each other."""
    monkeypatch.setattr(bots, "_BATCH", 2)
    with CaptureQueriesContext(connection) as queries:
        player_mark_bot(robot, is_bot=True, on_boards=False)
    transactions: list[list[str]] = []
    for query in (query["sql"] for query in queries):
        if query == "BEGIN":
            transactions.append([])
        elif "FOR NO KEY UPDATE" in query:
            transactions[-1].append("replay" if 'FROM "replays_replay"' in query else "player")
    assert [[*dict.fromkeys(locks)] for locks in transactions] == [
        ["player"],
        ["replay", "player"],
        ["replay", "player"],
    ]
    assert names() == []
