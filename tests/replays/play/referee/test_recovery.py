"""Tests of what is left if a referee, Valkey or the database fails: acknowledged moves, once, with the same stamps."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis
from django.db import OperationalError

from replays.play.models import RefereeShard, Room, RoomLog, RoomPlayer, RoomSnapshot
from replays.play.referee import bus, loop
from replays.play.referee import room_store as stores
from replays.play.referee.bus import Entry, Notice
from replays.play.referee.loop import BATCH_SECONDS, PAUSE_SECONDS, STORE_SECONDS, Referee
from replays.play.referee.room_store import Deposed
from replays.play.referee.state import RoomState
from replays.play.wire.rows import AnswerResult
from tests.effort import amount
from tests.replays.play.referee.conftest import ANN, BEN, Clock, FakeWeb, a_room, turn

NewReferee = Callable[[], Referee]


def state_of(referee: Referee, room: Room) -> RoomState:
    found = referee.rooms.get(room.pk)
    assert found is not None
    return found


def picture(state: RoomState) -> tuple[object, ...]:
    """All that decides the next move, and what players see."""
    game = state.game
    players = sorted(
        (player.key, player.number, player.hue, player.shade, player.full_at, state.score(player), state.blasts(player))
        for player in state.players.values()
    )
    return state.epoch, game.number, game.owner.tobytes(), game.stamp.tobytes(), game.flags.tobytes(), players


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("seed", range(amount(long=20, usual=2)))
def test_a_new_referee_decides_the_same_again(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, seed: int, sealed: bool
) -> None:
    """Killed at any moment: between deciding and publishing, publishing and storing, storing and trimming."""
    import random

    draws = random.Random(seed)
    room = a_room(rows=20, columns=20, sealed=sealed, flags=sealed, chords=sealed)
    referee, own = new_referee(), {ANN: 1, BEN: 1}
    for _kill in range(6):
        for _entry in range(draws.randrange(1, 12)):
            who = draws.choice([ANN, BEN])
            kinds = (1, 1, 2, 3) if sealed else (1,)
            epoch = state_of(referee, room).epoch if referee.rooms.get(room.pk) else 1
            web.play(
                room, who, draws.randrange(400), kind=draws.choice(kinds), epoch=epoch,
                connection=1 if who is ANN else 2, own=own[who],
            )  # fmt: skip
            own[who] += 1
            if draws.random() < 0.5:
                turn(referee, clock, seconds=draws.choice([0.01, 0.06, 1.1]))
        referee.step(block_ms=1)
        before = picture(state_of(referee, room))
        web.hear()  # asserts that no stamp has two moves
        referee = new_referee()
        referee.step(block_ms=1)
        if referee.rooms.get(room.pk) is None:  # everything was stored, nothing has woken the room
            referee.rooms.load(room.pk, 0)
        assert picture(state_of(referee, room)) == before
    turn(referee, clock, seconds=1.1)
    web.hear()
    logged = sum(log.last - log.first + 1 for log in RoomLog.objects.filter(board__room=room))
    assert logged == len(web.moves())


def test_what_is_stored_has_been_answered(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    """A new referee knows the last stored move's own number but not its answer: it could only say "open already"."""
    room, referee = a_room(), new_referee()
    turn(referee, clock)
    clock.now = referee._stored_at + STORE_SECONDS - BATCH_SECONDS / 2
    web.play(room, ANN, 6)
    referee.step(block_ms=1)
    clock.now += BATCH_SECONDS / 2  # the next batch is not due, but the store is
    web.play(room, ANN, 0, own=2)
    referee.step(block_ms=1)
    assert RoomPlayer.objects.get(room=room).own == 2
    web.hear()
    assert [(answer.own, answer.result, answer.stamp) for answer in web.answers[1]] == [
        (1, AnswerResult.OPENED, 1), (2, AnswerResult.OPENED, 2),
    ]  # fmt: skip


def test_a_move_that_is_sent_again_is_answered_and_not_played_twice(
    new_referee: NewReferee, web: FakeWeb, clock: Clock
) -> None:
    room = a_room(sealed=True, flags=True)
    referee = new_referee()
    web.play(room, ANN, 6)
    web.play(room, ANN, 1, kind=2, own=2)
    web.play(room, ANN, 1, kind=2, own=2)  # the socket was lost before the answer came
    turn(referee, clock)
    web.hear()
    assert [(answer.own, answer.stamp) for answer in web.answers[1]] == [(1, 1), (2, 2), (2, 2)]
    assert state_of(referee, room).game.flags.ravel()[1] == 1, "the second time would have taken the flag away"
    turn(referee, clock, seconds=1.1)
    again = new_referee()
    web.play(room, ANN, 1, kind=2, own=2)
    turn(again, clock)
    assert state_of(again, room).game.flags.ravel()[1] == 1, "also when another referee decides"


def test_a_referee_that_wakes_up_late_writes_nothing(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, asleep = a_room(), new_referee()
    web.play(room, ANN, 6)
    asleep.step(block_ms=1)
    awake = new_referee()
    turn(awake, clock, seconds=1.1)
    stored = list(RoomLog.objects.values_list("pk", "first", "last"))
    assert stored
    asleep.store_now()
    with pytest.raises(Deposed):
        asleep._finish_store(wait=True)
    assert list(RoomLog.objects.values_list("pk", "first", "last")) == stored
    clock.now += 5
    with pytest.raises(Deposed):
        asleep.step(block_ms=1)  # its lease is over, and somebody else has one


def test_messages_of_an_older_fence_are_known_as_such(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, first = a_room(), new_referee()
    web.play(room, ANN, 6)
    turn(first, clock)
    second = new_referee()
    web.play(room, ANN, 0, own=2)
    turn(second, clock)
    web.hear()
    fences = [batch.fence for batch in web.batches]
    assert fences == sorted(fences)
    assert fences[0] < fences[-1]


def test_flushall_in_the_middle_of_a_game_loses_nothing(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, valkey: redis.Redis
) -> None:
    room, referee = a_room(), new_referee()
    web.play(room, ANN, 6)
    turn(referee, clock)
    valkey.flushall()
    clock.now += 1.1
    web.hear()
    web.notices.clear()
    referee.step(block_ms=1)
    web.hear()
    assert Notice.TAKEOVER in web.notices, "web processes are asked to send again what has no answer"
    web.play(room, ANN, 0, own=2)
    turn(referee, clock, seconds=1.1)
    web.hear()
    assert sorted(web.moves()) == [(1, 1), (1, 2)]
    again = new_referee()
    again.rooms.load(room.pk, 0)
    assert state_of(again, room).game.number == 2
    assert state_of(again, room).epoch == 1


@pytest.mark.parametrize(("seen", "epoch"), [(1, 1), (2, 2)])
def test_the_epoch_rises_only_if_acknowledged_moves_are_lost(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, valkey: redis.Redis, monkeypatch: pytest.MonkeyPatch,
    seen: int, epoch: int,
) -> None:  # fmt: skip
    """Valkey and the referee die together; one move was stored, ``seen`` moves had been told."""
    monkeypatch.setattr(loop, "_RETRY_SECONDS", 0.01)
    room, referee = a_room(), new_referee()
    web.play(room, ANN, 6)
    turn(referee, clock, seconds=1.1)
    web.play(room, ANN, 0, own=2)
    referee.step(block_ms=1)
    valkey.flushall()
    web.put(Entry.PRESENT, room, 1, seen, [[1, *ANN]])
    monkeypatch.setattr(loop, "LOST_SECONDS", -1)
    again = new_referee()
    turn(again, clock)
    assert state_of(again, room).epoch == epoch
    assert state_of(again, room).game.number == 1
    web.hear()
    if epoch == 2:
        _connection, (head, *_rest) = web.pictures[-1]
        assert head.epoch == 2, "everybody is told"  # type: ignore[union-attr]
    turn(again, clock, seconds=1.1)
    assert Room.objects.get().epoch == epoch


@pytest.mark.long(
    beside="tests/replays/play/referee/test_recovery.py::test_a_move_that_is_sent_again_is_answered_and_not_played_twice"
)
def test_without_the_database_play_goes_on_and_then_pauses(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_RETRY_SECONDS", 0.01)
    room, referee = a_room(), new_referee()
    web.play(room, ANN, 6)
    turn(referee, clock, seconds=1.1)
    works = stores.store

    def fails(change: object) -> None:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(loop, "store", fails)
    web.play(room, ANN, 0, own=2)
    turn(referee, clock, seconds=1.1)
    web.hear()
    assert web.answers[1][-1].stamp == 2, "the move counts"
    for _second in range(int(PAUSE_SECONDS) + 2):
        turn(referee, clock, seconds=1.1)
    assert referee.paused
    web.play(room, ANN, 1, own=3)
    turn(referee, clock, seconds=1.1)
    web.hear()
    assert web.answers[1][-1].own == 2, "moves wait in the stream"
    assert Notice.PAUSED in web.notices
    monkeypatch.setattr(loop, "store", works)
    for _second in range(3):
        turn(referee, clock, seconds=1.1)
    web.hear()
    assert Notice.RESUMED in web.notices
    assert (web.answers[1][-1].own, web.answers[1][-1].stamp) == (3, 3)
    assert RoomPlayer.objects.get().score == 23


def test_a_transaction_whose_answer_was_lost_is_not_stored_twice(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, referee = a_room(), new_referee()
    web.play(room, ANN, 6)
    works = stores.store

    def loses_the_answer(change: stores.Change) -> None:
        works(change)
        monkeypatch.setattr(loop, "store", works)
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(loop, "store", loses_the_answer)
    for _second in range(3):
        turn(referee, clock, seconds=1.1)
    assert RoomLog.objects.filter(board__room=room).count() == 1
    assert referee.last_stored == RefereeShard.objects.get().last_entry == referee.last_read


@pytest.mark.parametrize("sealed", [False, True])
def test_a_long_game_begins_from_its_snapshot(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, monkeypatch: pytest.MonkeyPatch, sealed: bool
) -> None:
    """In an open room the moves before it are read too, for whoever comes later; they are not played again."""
    monkeypatch.setattr(stores, "SNAPSHOT_MOVES", 5)
    room = a_room(sealed=sealed, flags=True)
    referee = new_referee()
    for own in range(12):
        web.play(room, ANN, own * 40, kind=2, own=own + 1)
        turn(referee, clock, seconds=1.1)
    before, history = picture(state_of(referee, room)), state_of(referee, room).history
    snapshot = RoomSnapshot.objects.get()
    assert snapshot.number >= 10
    if sealed:
        RoomLog.objects.filter(last__lte=snapshot.number).delete()
    again = new_referee()
    again.rooms.load(room.pk, 0)
    assert picture(state_of(again, room)) == before
    assert state_of(again, room).history == history


def test_a_log_with_a_gap_is_not_played(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, referee = a_room(), new_referee()
    for own, cell in enumerate((6, 0, 1), 1):
        web.play(room, ANN, cell, own=own)
        turn(referee, clock, seconds=1.1)
    RoomLog.objects.filter(first=2).delete()
    again = new_referee()
    web.join(room, 4, ANN)
    turn(again, clock)
    web.hear()
    assert web.refused == [(4, "room_broken")]


def test_entries_that_are_stored_leave_the_stream(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, valkey: redis.Redis
) -> None:
    room, referee = a_room(), new_referee()
    for own in range(1, 20):
        web.play(room, ANN, own, own=own)
    for _second in range(3):
        turn(referee, clock, seconds=1.1)
    assert valkey.xlen(bus.stream_key(0)) <= 1


def test_the_bucket_counts_clicks_and_survives_reconnects(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, settings: object
) -> None:
    """A limiter that counted seconds, or began anew with each socket, let through any number."""
    room, referee = a_room(), new_referee()
    moment = "1700000000000-0"
    moves = [(1, 0, own, 1, 1, 70 + own) for own in range(1, 101)]
    referee._handle(moment, [Entry.MOVES, room.pk, web.name, [list(ANN)], moves])
    other = ANN._replace(session="another page")
    moves = [(9, 0, own, 1, 1, 300 + own) for own in range(1, 101)]
    referee._handle(moment, [Entry.MOVES, room.pk, web.name, [list(other)], moves])
    turn(referee, clock)
    web.hear()
    allowed = [
        answer for answers in web.answers.values() for answer in answers if answer.result != AnswerResult.TOO_FAST
    ]
    assert len(allowed) == 2 * referee.limits.moves_a_second + 1, "two seconds' worth; the first makes the player"
    referee._handle("1700000001000-0", [Entry.MOVES, room.pk, web.name, [list(ANN)], [(1, 0, 101 + n, 1, 1, 900 + n) for n in range(50)]])  # fmt: skip
    web.answers.clear()
    turn(referee, clock)
    web.hear()
    assert sum(answer.result != AnswerResult.TOO_FAST for answer in web.answers[1]) == referee.limits.moves_a_second


@pytest.mark.long(
    beside="tests/replays/play/referee/test_recovery.py::test_a_move_that_is_sent_again_is_answered_and_not_played_twice"
)
def test_a_web_process_that_is_gone_leaves_nobody_behind(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, referee = a_room(), new_referee()
    web.join(room, 1, ANN)
    turn(referee, clock)
    assert state_of(referee, room).here == 1
    for _second in range(25):
        turn(referee, clock, seconds=1.0)
    assert state_of(referee, room).here == 0
    for _second in range(70):
        turn(referee, clock, seconds=1.0)
    assert referee.rooms.get(room.pk) is None, "nobody is there: the room sleeps"
    web.join(room, 2, BEN)
    turn(referee, clock)
    assert state_of(referee, room).here == 1
