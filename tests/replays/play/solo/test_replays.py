"""Tests of what becomes of a game: its replay, its rank, its player."""

from __future__ import annotations

import asyncio
import logging
import uuid
import zlib
from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from analysis import fair, formats
from analysis.analyse import analyse
from analysis.fair import Rules
from analysis.formats import rawvf
from players.accounts.claims.merging import player_merge
from players.accounts.claims.services import claim_approve, claim_ask_staff, claim_make, release_name
from players.leaderboards.services import rebuild_boards
from players.models import Identity, PersonalBest, Player, User
from players.people.services import player_of_user, players_for_names
from replays.models import Place, Replay, file_store
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.sockets.visitors import Visitor
from replays.play.solo import selectors, services
from replays.play.solo.playing import outcomes
from replays.play.solo.playing.registry import registry_of_loop
from replays.play.solo.services import delete_unkept, store_missing
from replays.upload.processing import played_here
from replays.upload.processing.services import MAX_ATTEMPTS, analyse_replays
from tests.conftest import PASSWORD
from tests.factories import receive_one, stored_replay
from tests.replays.again import analyse_all_again
from tests.replays.play.solo.conftest import GUEST, cookie_of
from tests.replays.play.solo.player import SoloPlayer, run
from tests.services import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

BEGINNER = {"level": "beginner", "rules": "xp"}


def win(visitor: Visitor, *, settings: int = 0, target: dict[str, str] = BEGINNER, games: int = 1) -> SoloPlayer:
    """Win games, slowly enough for the limits, and wait until the server has told what became of each."""

    async def play() -> SoloPlayer:
        async with SoloPlayer(visitor, target) as player:
            for _ in range(games):
                await player.begin(settings)
                await player.click(0, 8)
                await player.wait_for(wire.Faces)
                (game,) = registry_of_loop().games.values()
                await player.win(game.board(), pause_ms=40)
                if not isinstance(player.heard[-1], wire.Over):
                    await player.wait_for(wire.Over)
                await player.wait_for(wire.Stored)
            return player

    return run(play)


def told(player: SoloPlayer) -> tuple[wire.Over, wire.Stored]:
    over = next(one for one in player.heard if isinstance(one, wire.Over))
    return over, next(one for one in player.heard if isinstance(one, wire.Stored))


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of tests are quicker than any of people."""
    monkeypatch.setattr("django.conf.settings.JUDGE_LIMITS", [])
    monkeypatch.setattr("django.conf.settings.PROVISIONAL_LIMITS", [])
    monkeypatch.setattr("django.conf.settings.MINIMUM_3BV", {})


@pytest.mark.usefixtures("worker", "hasty")
def test_a_game_becomes_a_replay_on_the_board_with_the_very_time(visitor: Visitor, owner: User) -> None:
    player = win(visitor)
    over, stored = told(player)
    game, replay = LiveGame.objects.get(), Replay.objects.get()
    assert (over.result, over.ranked, over.reason) == (wire.Result.WON, True, "")
    assert (game.state, game.result, game.replay, game.recording) == ("over", "won", replay, None)
    assert (replay.status, replay.evidence, replay.judgement, replay.ranked) == ("done", "here", "accepted", True)
    assert replay.player == owner.player
    assert replay.uploader == owner
    best = PersonalBest.objects.get(statistic="time", style="all")
    assert round(best.value * 1000) == over.time_ms == game.time_ms == replay.statistic("time_ms")
    assert best.player == owner.player
    assert stored == wire.Stored(game.id.bytes, replay.pk, f"/replays/{replay.pk}/", 1, True, 0)
    assert replay.achieved_at == replay.played_at
    assert not any(finding["code"] == "live_differs" for finding in replay.findings)


@pytest.mark.long(
    beside="tests/replays/play/solo/test_replays.py::test_the_player_hears_of_a_replay_when_a_worker_settles_it"
)
@pytest.mark.usefixtures("worker", "hasty")
def test_the_player_hears_of_the_replay_although_the_database_was_away(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, asked = selectors.settled_outcomes, list[object]()

    def away_at_first(game_ids: list[uuid.UUID]) -> dict[uuid.UUID, selectors.GameOutcome]:
        asked.append(game_ids)
        if len(asked) == 1:
            raise OperationalError("the server closed the connection")
        return ask(game_ids)

    monkeypatch.setattr(selectors, "settled_outcomes", away_at_first)
    monkeypatch.setattr(outcomes, "_AWAY_SECONDS", 0.1)
    _over, stored = told(win(visitor))
    assert (stored.replay, stored.rank, stored.best) == (Replay.objects.get().pk, 1, True)
    assert len(asked) > 1


@pytest.mark.usefixtures("worker", "hasty")
@pytest.mark.parametrize("attempts", [0, MAX_ATTEMPTS], ids=["analysed", "rejected"])
def test_the_player_hears_of_a_replay_when_a_worker_settles_it(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, attempts: int
) -> None:
    """Some time after it was handed in."""
    monkeypatch.setattr("replays.upload.processing.queue._publish", lambda _task, _ids: None)

    def settle() -> int:
        wait_until(LiveGame.objects.filter(replay__isnull=False).exists, seconds=30, what="the replay of the game")
        (replay_id,) = Replay.objects.values_list("pk", flat=True)
        Replay.objects.update(attempts=attempts)
        analyse_replays([replay_id])
        connection.close()
        return replay_id

    async def play() -> tuple[wire.Stored, int]:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await player.begin()
            await player.click(0, 8)
            await player.wait_for(wire.Faces)
            (game,) = registry_of_loop().games.values()
            await player.win(game.board(), pause_ms=40)
            settled = asyncio.create_task(asyncio.to_thread(settle))
            return await player.wait_for(wire.Stored, timeout=20), await settled

    stored, replay_id = run(play)
    assert (stored.replay, stored.rank) == (replay_id, 0 if attempts else 1)
    assert Replay.objects.get().status == (Replay.Status.REJECTED if attempts else Replay.Status.DONE)


@pytest.mark.usefixtures("worker", "hasty")
def test_a_game_whose_first_write_was_not_confirmed_becomes_a_replay(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database stored its row and went away before it said so; its end was then refused as a second row, for ever."""
    write = services.games_begin

    def loses_the_answer(*args: Any) -> None:
        write(*args)
        raise OperationalError("the server closed the connection")

    async def play() -> wire.Stored:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await player.begin()
            await player.click(0, 8)
            await player.wait_for(wire.Faces)
            with monkeypatch.context() as away:
                away.setattr(services, "games_begin", loses_the_answer)
                with pytest.raises(OperationalError):
                    await registry_of_loop().write_once()
            (game,) = registry_of_loop().games.values()
            await player.win(game.board(), pause_ms=40)
            return await player.wait_for(wire.Stored)

    assert run(play).replay == LiveGame.objects.get(state="over").replay_id


@pytest.mark.usefixtures("worker", "hasty")
def test_the_file_says_what_the_player_saw(visitor: Visitor) -> None:
    over, _stored = told(win(visitor, settings=wire.Settings.QUESTION_MARKS))
    replay, game = Replay.objects.get(), LiveGame.objects.get()
    recording = formats.read(file_store.get(replay.sha256))
    analysis = analyse(recording)
    counts = {name: getattr(analysis.game, name) for name in game.counts}
    assert counts == game.counts
    assert analysis.game.time_ms == over.time_ms
    assert analysis.game_hash == game.game_hash == replay.game_hash
    assert (recording.software, recording.player) == ("Sweepbook", "owner")
    assert recording.board.packed() == over.mines
    assert recording.question_marks
    extra = recording.extra
    assert extra["Game"] == str(game.pk)
    assert (int(extra["Client_ms"]), round(float(extra["Server_ms"]))) == (
        over.client_ms,
        round((game.server_span_us or 0) / 1000),
    )
    assert extra["Settings"] == "question_marks"


@pytest.mark.long(beside="tests/replays/play/solo/test_replays.py::test_a_lost_game_is_a_replay")
@pytest.mark.usefixtures("worker", "hasty")
def test_the_second_game_knows_the_best_before(visitor: Visitor) -> None:
    player = win(visitor, games=2)
    overs = [one for one in player.heard if isinstance(one, wire.Over)]
    first, second = (one for one in player.heard if isinstance(one, wire.Stored))
    assert (first.best, first.before_ms) == (True, 0)
    assert second.before_ms == overs[0].time_ms
    assert second.best == (overs[1].time_ms < overs[0].time_ms)


# --- what does not rank -----------------------------------------------------------------------------------------------


@pytest.mark.long(
    beside="tests/replays/play/solo/test_replays.py::test_a_claimed_name_comes_to_the_player_and_leaves_without_its_live_games"
)
@pytest.mark.usefixtures("worker", "hasty")
@pytest.mark.parametrize(
    ("bits", "target", "reason", "mode"),
    [
        (wire.Settings.TOUCH, BEGINNER, "touch", "other"),
        (wire.Settings.LEFT_ALONE_CHORDS, BEGINNER, "left_chords", "other"),
        (0, {"level": "beginner", "rules": "win7"}, "rules", "win7"),
        (0, {"level": "custom", "rows": 8, "columns": 8, "mines": 9, "rules": "xp"}, "custom", "standard"),
    ],
    ids=["touch", "left alone", "win7", "custom"],
)
def test_games_by_other_rules_are_replays_without_a_rank(
    visitor: Visitor, bits: int, target: dict[str, str], reason: str, mode: str
) -> None:
    over, stored = told(win(visitor, settings=bits, target=target))
    replay = Replay.objects.get()
    assert (over.ranked, over.reason) == (False, reason)
    assert (replay.mode, replay.ranked, replay.judgement, stored.rank) == (mode, False, "accepted", 0)


@pytest.mark.usefixtures("worker", "hasty")
def test_a_site_may_rank_touch(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.conf.settings.RANK_TOUCH", True)
    over, _stored = told(win(visitor, settings=wire.Settings.TOUCH))
    assert over.ranked
    assert Replay.objects.get().ranked


@pytest.mark.usefixtures("worker")
def test_a_lost_game_is_a_replay(visitor: Visitor) -> None:
    async def play() -> None:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await player.begin()
            await player.click(0, 8)
            await player.wait_for(wire.Faces)
            (game,) = registry_of_loop().games.values()
            await player.click(int(game.board().mines.ravel().argmax()), 8)
            assert (await player.wait_for(wire.Over)).result == wire.Result.LOST
            await player.wait_for(wire.Stored)

    run(play)
    replay = Replay.objects.get()
    assert (replay.result, replay.evidence, replay.ranked) == ("lost", "here", False)


@pytest.mark.long(beside="tests/replays/play/solo/test_replays.py::test_recomputing_from_the_file_changes_nothing")
@pytest.mark.usefixtures("worker", "hasty")
def test_a_slow_clock_gains_nothing(visitor: Visitor) -> None:
    """The browser's clock runs at a third: the server's time less the jitter counts, and the clocks are a finding."""

    async def play() -> wire.Over:
        async with SoloPlayer(visitor, BEGINNER) as player:
            await player.begin()
            await player.click(0, 8, at_ms=0)
            await player.wait_for(wire.Faces)
            (game,) = registry_of_loop().games.values()
            board = game.board()
            await asyncio.sleep(0.6)
            for cell in np.flatnonzero(board.mines.ravel() == 0).tolist():
                if player.shown.get(cell, 10) == 10:
                    await asyncio.sleep(0.12)
                    await player.click(cell, 8, at_ms=player.now_ms // 3)
                    await player.wait_for(wire.Faces)
            return await player.wait_for(wire.Over)

    over = run(play)
    assert over.client_ms < over.server_ms / 2
    assert over.server_ms - over.jitter_ms - 1 <= over.time_ms <= over.server_ms + 1
    replay = Replay.objects.get()
    assert replay.statistic("time_ms") == over.time_ms
    judged = (replay.judgement, replay.judgement_code, replay.ranked)
    assert (over.ranked, over.reason, *judged) == (False, "clock", "suspicious", "live_clock", False)


# --- whose game it is -------------------------------------------------------------------------------------------------


def ranked_upload(name: str, uploader: User | None = None) -> Replay:
    """A ranked game of the player ``name``, from a file."""
    replay = receive_and_analyse(bot_game(name), uploader)
    Replay.objects.filter(pk=replay.pk).update(ranked=True, judgement="accepted")
    rebuild_boards([replay.player_id or 0])
    return Replay.objects.get(pk=replay.pk)


def bot_game(name: str, software: str = "Arbiter") -> bytes:
    """A won Beginner game under ``name``, as RawVF."""

    from analysis.live import LiveGame as Machine
    from tests.replays.play.solo.player import click_rows

    board = fair.board(bytes(32), bytes(16), 8, 8, 10, Rules.XP, 0)
    machine = Machine(8, 8, 16)
    machine.feed(click_rows(0, 8, 0))
    machine.lay(board)
    for number, cell in enumerate(np.flatnonzero(board.mines.ravel() == 0).tolist()):
        machine.feed(click_rows(cell, 8, 200 * (number + 1)))
    recording = machine.recording(player=name, played_at=None)
    return rawvf.write(replace(recording, software=software, player_bytes=b""))


def receive_and_analyse(data: bytes, uploader: User | None) -> Replay:
    receipt = receive_one(data, name="game.rawvf", uploader=uploader, enqueue=False)
    pk = receipt.replay_id or 0
    analyse_replays([pk])
    return Replay.objects.get(pk=pk)


@pytest.mark.usefixtures("worker", "hasty")
def test_a_first_game_makes_a_player_of_its_own_and_never_takes_one_by_name() -> None:
    """Somebody's games are there under the very name of the account: they stay somebody's, and nobody is asked."""
    theirs = ranked_upload("newcomer")
    rival = User.objects.create_user("rival", "r@example.org", PASSWORD)
    Player.objects.filter(pk=theirs.player_id or 0).update(user=rival)
    Identity.objects.filter(name="newcomer").update(state="claimed", claimant=rival)
    account = User.objects.create_user("newcomer", "n@example.org", PASSWORD)
    win(Visitor(account.pk, "", "newcomer"))
    game = Replay.objects.get(evidence="here")
    own = Player.objects.get(user=account)
    assert game.player == own != theirs.player
    assert own.name == "newcomer"
    assert (game.ownership, game.identifier) == ("vouched", "")
    assert not Replay.objects.filter(ownership="waiting").exists()
    # But it must not stand on boards as if it were the other's, until staff have looked.
    assert (game.judgement, game.judgement_code, game.ranked) == ("suspicious", "name_look_alike", False)


@pytest.mark.usefixtures("worker", "hasty")
def test_a_claimed_name_comes_to_the_player_and_leaves_without_its_live_games(staff: User) -> None:
    account = User.objects.create_user("newcomer", "n@example.org", PASSWORD)
    win(Visitor(account.pk, "", "newcomer"))
    own = Player.objects.get(user=account)
    upload = ranked_upload("newcomer", account)
    identity = approved(account, "newcomer", staff)
    assert identity.player == own
    assert set(Replay.objects.values_list("player", flat=True)) == {own.pk}
    release_name(identity)
    upload.refresh_from_db()
    assert upload.player != own
    assert Replay.objects.get(evidence="here").player == own
    assert Player.objects.get(user=account) == own
    assert PersonalBest.objects.get(player=own, statistic="time", style="all").replay.evidence == "here"


def approved(account: User, name: str, staff: User) -> Identity:
    return claim_approve(claim_ask_staff(claim_make(account, name), "It is mine."), staff, "Known.")


@pytest.mark.usefixtures("worker", "hasty")
def test_games_follow_the_account_when_its_only_name_goes(staff: User) -> None:
    """The account's player is the first player of a claimed name, whose number the name keeps."""
    account = User.objects.create_user("somebody", "s@example.org", PASSWORD)
    upload = ranked_upload("Old Name", account)
    identity = approved(account, "Old Name", staff)
    assert Player.objects.get(user=account).pk == upload.player_id
    win(Visitor(account.pk, "", "somebody"))
    assert Replay.objects.get(evidence="here").player_id == upload.player_id
    release_name(identity)
    own = Player.objects.get(user=account)
    assert own.pk != upload.player_id
    assert Replay.objects.get(evidence="here").player == own
    assert Replay.objects.get(pk=upload.pk).player_id == upload.player_id
    assert {best.player_id for best in PersonalBest.objects.filter(replay__evidence="here")} == {own.pk}


@pytest.mark.long(
    beside="tests/replays/play/solo/test_replays.py::test_games_follow_the_account_when_its_only_name_goes"
)
@pytest.mark.usefixtures("worker", "hasty")
def test_a_merge_takes_the_games_along(staff: User) -> None:
    account = User.objects.create_user("somebody", "s@example.org", PASSWORD)
    win(Visitor(account.pk, "", "somebody"))
    source, target = Player.objects.get(user=account), players_for_names(["Target"])["Target"]
    player_merge(source, target, staff, "The same person.")
    assert Replay.objects.get().player == target == Player.objects.get(user=account)
    assert PersonalBest.objects.get(statistic="time", style="all").player == target
    win(Visitor(account.pk, "", "somebody"))
    assert set(Replay.objects.values_list("player", flat=True)) == {target.pk}


@pytest.mark.usefixtures("worker", "hasty")
def test_recomputing_from_the_file_changes_nothing(visitor: Visitor) -> None:
    win(visitor)
    before: dict[str, Any] = dict(Replay.objects.values().get())
    analyse_all_again()
    after: dict[str, Any] = dict(Replay.objects.values().get())
    same = before.keys() - {"analysed_at", "claimed_at", "updated_at"}
    assert {name: after[name] for name in same} == {name: before[name] for name in same}


# --- files that say they were played here -----------------------------------------------------------------------------


def test_a_file_that_only_says_that_it_was_played_here_is_found_out(owner: User) -> None:
    replay = receive_and_analyse(bot_game("owner", "Sweepbook"), owner)
    assert "live_unknown" in {finding["code"] for finding in replay.findings}
    assert (replay.evidence, replay.judgement, replay.judgement_code) == ("open", "suspicious", "live_unknown")
    other = receive_and_analyse(bot_game("x", "Sweepbook Bot").replace(b"Mode:", b"Xtra: 1\nMode:"), owner)
    assert "live_unknown" not in {finding["code"] for finding in other.findings}


@pytest.mark.usefixtures("worker", "hasty")
def test_ones_own_file_uploaded_again_is_a_duplicate(visitor: Visitor, owner: User, owner_client: Client) -> None:
    win(visitor)
    replay = Replay.objects.get()
    same = receive_one(file_store.get(replay.sha256), name="again.rawvf", uploader=owner, enqueue=False)
    assert (same.outcome, same.replay_id) == ("duplicate", replay.pk)
    exported = owner_client.get(f"/replays/{replay.pk}.rawvf").content
    copy = receive_and_analyse(exported + b"\n", owner)
    assert (copy.status, copy.ranked) == ("done", False)
    assert Place.objects.get().holder == replay.pk
    replay.refresh_from_db()
    assert replay.ranked
    assert not any(finding["code"] == "live_unknown" for finding in copy.findings)


@pytest.mark.usefixtures("hasty")
def test_an_analysis_that_differs_is_found_and_logged(visitor: Visitor, caplog: pytest.LogCaptureFixture) -> None:
    win(visitor)
    game = LiveGame.objects.get()
    LiveGame.objects.update(counts={**game.counts, "lcl": game.counts["lcl"] + 1})
    with caplog.at_level(logging.ERROR, "replays.upload.processing.played_here"):
        analyse_replays([game.replay_id or 0])
    replay = Replay.objects.get()
    assert (replay.judgement_code, replay.ranked) == ("live_differs", False)
    assert str(game.pk) in caplog.text


# --- what a process left undone ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("hasty")
def test_the_sweep_hands_in_what_was_not(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "queue_hand_in", lambda games: None)
    win(visitor)
    monkeypatch.undo()
    assert not Replay.objects.exists()
    assert store_missing() == 0  # the process that ended it may still be at it
    LiveGame.objects.update(ended_at=timezone.now() - timedelta(minutes=1))
    assert store_missing() == 1
    assert store_missing() == 0
    assert LiveGame.objects.get().replay == Replay.objects.get()


# --- guests -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("worker", "hasty")
def test_games_of_a_guest_are_kept_and_go_to_who_signs_in(owner: User) -> None:
    over, stored = told(win(GUEST))
    game = LiveGame.objects.get()
    assert (over.reason, stored.replay) == ("guest", 0)
    assert (game.user, game.guest, Replay.objects.count()) == (None, GUEST.guest, 0)
    assert b"Sweepbook" in zlib.decompress(bytes(game.recording or b""))
    stranger, browser = Client(), Client()
    cookie_of(browser, GUEST)
    credentials = {"login": "owner", "password": PASSWORD}
    stranger.cookies["play_guest"] = f"{GUEST.guest}:forged"
    assert stranger.post("/sign-in/", credentials).status_code == 302
    assert LiveGame.objects.get().user is None
    assert browser.post("/sign-in/", credentials).status_code == 302
    game.refresh_from_db()
    assert (game.user, game.guest) == (owner, "")
    LiveGame.objects.update(ended_at=timezone.now() - timedelta(minutes=1))
    assert store_missing() == 1
    replay = Replay.objects.get()
    assert (replay.player, replay.evidence) == (owner.player, "here")
    assert (replay.judgement, replay.judgement_code, replay.ranked) == ("unverified", "live_guest", False)


@pytest.mark.long(
    beside="tests/replays/play/solo/test_replays.py::test_games_follow_the_account_when_its_only_name_goes"
)
def test_old_games_that_nobody_keeps_are_deleted(visitor: Visitor) -> None:
    win(GUEST)
    win(visitor)
    LiveGame.objects.update(created_at=timezone.now() - timedelta(days=29))
    assert delete_unkept() == 0
    LiveGame.objects.update(created_at=timezone.now() - timedelta(days=31))
    assert delete_unkept() == 1
    assert LiveGame.objects.get().user is not None


def test_an_account_has_one_player(owner: User) -> None:
    account = User.objects.create_user("newcomer", "n@example.org", PASSWORD)
    assert player_of_user(account) == player_of_user(account)
    assert player_of_user(owner) == owner.player
    assert not Identity.objects.filter(name="newcomer").exists()


def test_the_games_of_many_accounts_are_asked_for_together(django_assert_max_num_queries: Any) -> None:
    def analysed(number: int) -> list[Any]:
        games = []
        for _ in range(number):
            user = User.objects.create_user(f"player{User.objects.count()}")
            player = player_of_user(user)
            replay = stored_replay(player, ranked=False)
            replay.evidence = Replay.Evidence.HERE
            LiveGame.objects.create(
                user=user, file_sha256=replay.sha256, level="expert", rows=16, columns=30, mines=99, rules="xp",
                secret=b"", nonce=b"", created_at=timezone.now(), cell_px=16, state="over",
            )  # fmt: skip
            games.append((replay, None))
        return games

    for number in (1, 12):
        games = analysed(number)
        with django_assert_max_num_queries(5), patch.object(played_here, "_findings", return_value=()):
            found = played_here.mark_played_here(games)
        assert set(found.values()) == {replay.player for replay, _ in games}
