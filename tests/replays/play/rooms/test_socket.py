"""Rooms through real sockets: web process, Valkey, referee and back."""

from __future__ import annotations

import pytest
from django.test import override_settings
from websockets.exceptions import ConnectionClosedError

from replays.play import wire
from replays.play.models import RoomPlayer
from replays.play.wire.rows import AnswerResult
from tests.replays.play.rooms.conftest import GUESTS, Enter, RunningReferee, a_room
from tests.services import wait_until

pytestmark = pytest.mark.database

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
