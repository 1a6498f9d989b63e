"""Rooms through real sockets: web process, Valkey, referee and back."""

from __future__ import annotations

from collections import Counter

import pytest
from django.test import override_settings
from websockets.exceptions import ConnectionClosedError

from players.models import User
from replays.play import wire
from replays.play.models import RoomPlayer
from replays.play.rooms import hub
from replays.play.sockets import closed_accounts, outbox
from replays.play.sockets.visitors import Visitor
from replays.play.wire.rows import AnswerResult
from tests.replays.play.rooms.conftest import GUESTS, Client, Enter, RunningReferee, a_room
from tests.services import wait_until

ZERO, BESIDE, NUMBER, MINE = 6, 5, 0, 1


def test_two_players_see_each_other(enter: Enter) -> None:
    room = a_room()
    one, two = enter(room, GUESTS[0]), enter(room, GUESTS[1])
    answer = one.answer(one.click(ZERO))
    assert (answer.result, answer.stamp) == (AnswerResult.OPENED, 1)
    moves = two.wait(wire.Moves)
    assert (moves.first, [move.cell for move in moves.moves]) == (1, [ZERO])
    refused = two.answer(two.click(BESIDE))
    assert (refused.result, refused.stamp) == (AnswerResult.ALREADY_OPEN, 0)
    assert two.answer(two.click(NUMBER)).stamp == 2


def test_a_referee_that_comes_back_goes_on(enter: Enter, referee: RunningReferee) -> None:
    room = a_room()
    one = enter(room, session=b"s" * 16)
    assert one.answer(one.click(ZERO)).stamp == 1
    referee.stop()
    own = one.click(NUMBER)
    referee.start()
    assert one.answer(own).stamp == 2
    wait_until(lambda: RoomPlayer.objects.filter(room=room, score=23).exists(), what="the stored score")


def results(client: Client) -> Counter[tuple[int, int, int]]:
    """Count how often each answer came: own number, result, stamp."""
    answers = [message for message in client.seen if isinstance(message, wire.Answer)]
    return Counter((answer.own, answer.result, answer.stamp) for answer in answers)


def test_all_answers_after_an_outage_reach_a_reader_that_is_not_slow(
    enter: Enter, referee: RunningReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process sends waiting moves to the referee again, more than once; their answers filled the socket's queue, which
    was then dropped with all of them.
    """
    monkeypatch.setattr("replays.play.referee.loop.MOVES_A_SECOND", 1000)
    one = enter(a_room(sealed=True, flags=True), session=b"s" * 16)
    assert one.answer(one.click(ZERO)).stamp == 1
    monkeypatch.setattr(hub, "LATE_SECONDS", 0.2)
    overflows: list[outbox.Outbox] = []
    monkeypatch.setattr(outbox.Outbox, "_overflow", overflows.append)
    assert outbox.MAX_FRAMES >= 2 * hub.MAX_UNANSWERED
    monkeypatch.setattr(outbox, "MAX_FRAMES", 150)  # more moves would be refused as too fast
    referee.kill()
    clicks = [one.click(1000 + number, wire.Flag) for number in range(110)]
    assert one.wait(wire.Wait).reason == "room_lost"
    referee.start()
    one.answer(clicks[-1])
    assert not overflows
    assert results(one) == Counter((own, AnswerResult.OPENED, own) for own in (1, *clicks)), "each has come once"


def test_answers_that_a_slow_reader_has_lost(
    enter: Enter, referee: RunningReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are dropped with all else; what has no answer is sent again after the fresh picture, and not played twice."""
    monkeypatch.setattr("replays.play.referee.loop.MOVES_A_SECOND", 1000)
    one = enter(a_room(sealed=True, flags=True), session=b"s" * 16)
    referee.stop()
    clicks = [one.click(1000 + number, wire.Flag) for number in range(30)]
    with monkeypatch.context() as slow:
        slow.setattr(outbox, "MAX_FRAMES", 8)
        referee.start()
        one.wait(wire.Snapshot)
    assert results(one).total() < 30
    for own in clicks:
        one.socket.send(wire.Flag(own, 999 + own, one.epoch).encode())
    one.answer(clicks[-1])
    assert set(results(one)) == {(own, AnswerResult.OPENED, own) for own in clicks}


def test_a_move_that_waits_already_is_not_refused(
    enter: Enter, referee: RunningReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "MAX_UNANSWERED", 3)
    one = enter(a_room(sealed=True, flags=True), session=b"s" * 16)
    referee.stop()
    clicks = [one.click(1000 + number, wire.Flag) for number in range(3)]
    assert one.answer(one.click(2000, wire.Flag)).result == AnswerResult.TOO_FAST
    for own in clicks:
        one.socket.send(wire.Flag(own, 999 + own, one.epoch).encode())
    referee.start()
    one.answer(clicks[-1])
    assert results(one) == Counter(
        [(4, AnswerResult.TOO_FAST, 0), *((own, AnswerResult.OPENED, own) for own in clicks)]
    )


def test_a_kicked_player_is_closed_out(enter: Enter, referee: RunningReferee) -> None:
    from replays.play.referee.bus import Command
    from replays.play.rooms.services import room_command

    room = a_room(owner_guest=GUESTS[0].guest)
    owner, other = enter(room, GUESTS[0]), enter(room, GUESTS[1])
    assert other.answer(other.click(ZERO)).stamp == 1
    wait_until(lambda: RoomPlayer.objects.filter(room=room).exists(), what="the stored player")
    room_command(room, GUESTS[0], Command.KICK, 1)
    with pytest.raises(ConnectionClosedError) as closed:
        other.wait(wire.Room)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403
    assert owner.answer(owner.click(NUMBER)).stamp == 2


@override_settings(PLAY_BUS_URL="")
def test_without_the_server_between_there_is_a_clear_answer(enter: Enter) -> None:
    with pytest.raises(ConnectionClosedError) as closed:
        enter(a_room())
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403


def test_a_deactivated_account_leaves_the_room(
    enter: Enter, referee: RunningReferee, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closed_accounts, "CHECK_SECONDS", 0.05)
    room = a_room()
    one, two = enter(room, Visitor(owner.pk, "", owner.username)), enter(room, GUESTS[1])
    assert one.answer(one.click(ZERO)).stamp == 1
    User.objects.filter(pk=owner.pk).update(is_active=False)
    with pytest.raises(ConnectionClosedError):
        one.wait(wire.Room)
    assert one.socket.close_code == 4403
    assert two.answer(two.click(NUMBER)).stamp == 2
    assert referee.referee is not None
    (state,) = referee.referee.rooms
    wait_until(lambda: len(state.visitors) == 1, what="the referee without it")
