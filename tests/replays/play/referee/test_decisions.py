"""Tests of what the referee decides, tells and stores."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replays.play import wire
from replays.play.models import RefereeShard, RoomBoard, RoomLog, RoomPlayer
from replays.play.referee.bus import Visitor
from replays.play.referee.log import unpack_log
from replays.play.referee.loop import Referee
from replays.play.wire.rows import AnswerResult
from tests.replays.play.referee.conftest import ANN, BEN, ONLY_WATCHES, Clock, FakeWeb, a_room, turn

NewReferee = Callable[[], Referee]
#: On the default board: a zero whose cover has 22 cells, a number beside it with the same cover, a lone number, a mine.
ZERO, BESIDE, NUMBER, MINE = 6, 5, 0, 1


def test_a_click_is_answered_and_everybody_sees_it(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, referee = a_room(), new_referee()
    web.join(room, 1, ANN)
    web.play(room, ANN, ZERO, BESIDE, NUMBER, MINE, 10**6)
    turn(referee, clock)
    web.hear()
    assert [(answer.result, answer.stamp) for answer in web.answers[1]] == [
        (AnswerResult.OPENED, 1), (AnswerResult.ALREADY_OPEN, 0), (AnswerResult.OPENED, 2), (AnswerResult.BLAST, 3),
        (AnswerResult.OUTSIDE, 0),
    ]  # fmt: skip
    kinds = [type(frame) for frame in web.all_frames]
    assert kinds.index(wire.Players) < kinds.index(wire.Moves), "a player is known before its first move"
    assert [(move.player, move.cell) for move in web.moves().values()] == [(1, ZERO), (1, NUMBER), (1, MINE)]


def test_everything_is_stored_in_one_transaction_a_second(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, other, referee = a_room(), a_room(name="Other"), new_referee()
    for one in (room, other):
        web.play(one, ANN, ZERO, NUMBER, MINE)
        web.play(one, BEN, ZERO, connection=2)
    turn(referee, clock, seconds=1.1)
    for one in (room, other):
        log = RoomLog.objects.get(board__room=one)
        assert (log.first, log.last) == (1, 3)
        assert unpack_log(log.moves)["cell"].tolist() == [ZERO, NUMBER, MINE]
        player = RoomPlayer.objects.get(room=one)
        assert (player.number, player.score, player.blasts) == (1, 23, 1)
    assert RefereeShard.objects.get().last_entry == referee.last_read


@pytest.mark.parametrize("sealed", [False, True])
def test_who_joins_late_gets_the_whole_picture(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, sealed: bool
) -> None:
    room, referee = a_room(sealed=sealed), new_referee()
    web.play(room, ANN, ZERO, NUMBER)
    turn(referee, clock)
    web.join(room, 7, BEN)
    turn(referee, clock)
    web.hear()
    ((connection, (head, board, players, here, visitors)),) = web.pictures
    assert connection == 7
    assert isinstance(head, wire.Room)
    assert isinstance(players, wire.Players)
    assert isinstance(visitors, wire.Visitors)
    assert here == wire.Here(1)
    assert (head.number, head.you, head.start) == (2, 0, 0 if sealed else 1_437_341)
    assert [(row.name, row.score) for row in players.players] == [("Ann", 23)]
    if sealed:
        assert isinstance(board, wire.Snapshot)
        shown = wire.unpack(board.shown, 75 * 75)
        assert sum(face != wire.FACE_CLOSED for face in shown) == 23
    else:
        assert isinstance(board, wire.History)
        assert [move.cell for move in board.moves] == [ZERO, NUMBER]


def test_a_spectator_gets_no_colour_at_a_refused_click(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, referee = a_room(), new_referee()
    web.play(room, ANN, ZERO)
    web.play(room, BEN, BESIDE, connection=2)
    web.play(room, ONLY_WATCHES, NUMBER, connection=3)
    turn(referee, clock, seconds=1.1)
    web.hear()
    assert [answer.result for answer in web.answers[2]] == [AnswerResult.ALREADY_OPEN]
    assert [answer.result for answer in web.answers[3]] == [AnswerResult.NOT_ALLOWED]
    assert [player.name for player in RoomPlayer.objects.all()] == ["Ann"]


@pytest.mark.parametrize("sealed", [True, False])
def test_sealed_rooms_deal_hues_in_their_order_and_open_ones_draw(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, *, sealed: bool
) -> None:
    room, referee = a_room(sealed=sealed, secret=bytes(32)), new_referee()
    visitors = [Visitor(f"guest-{number:016x}", f"P{number}", True, f"s{number}") for number in range(5)]
    for number, visitor in enumerate(visitors):
        web.play(room, visitor, 200 + 1000 * number, connection=number + 1)
    turn(referee, clock, seconds=1.1)
    dealt = list(RoomPlayer.objects.order_by("number").values_list("hue", "shade"))
    assert len({hue for hue, _shade in dealt}) == 5
    assert (dealt == [(hue, 0) for hue in range(5)]) is sealed


def test_a_click_for_the_last_board_does_not_hit_the_next(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room = a_room(rows=4, columns=6, area=4, area_mines=3, modulus=101, start_number=7)
    referee = new_referee()
    web.join(room, 1, ANN)
    web.play(room, ANN, *range(24))  # the tiny board, all of it
    web.play(room, ANN, 0, own=25)  # on its way while the board was finished
    turn(referee, clock, seconds=1.1)
    web.hear()
    assert web.answers[1][-2].result == AnswerResult.OPENED
    assert web.answers[1][-1].result == AnswerResult.ROOM_OVER
    assert any(isinstance(frame, wire.Finished) for frame in web.all_frames)
    state = referee.rooms.get(room.pk)
    assert state is not None
    assert (state.epoch, state.game.number) == (2, 0)
    first, second = RoomBoard.objects.filter(room=room).order_by("epoch")
    assert first.end == RoomBoard.End.FINISHED
    assert first.scores[0]["score"] + 0 == 20
    assert second.number == 0
    assert web.pictures[-1][1][0].epoch == 2  # type: ignore[union-attr]
