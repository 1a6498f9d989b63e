"""Limits of rooms and of the referee, each with a clear answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis

from replays.play.models import Room, RoomPlayer, RoomTotal
from replays.play.referee.bus import Command, Entry, Visitor
from replays.play.referee.loop import Referee
from replays.play.wire.rows import AnswerResult
from tests.replays.play.referee.conftest import ANN, BEN, Clock, FakeWeb, a_room, turn

NewReferee = Callable[[], Referee]


def test_players_of_a_room(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.play.referee.loop.ROOM_PLAYERS", 1)
    room, referee = a_room(), new_referee()
    web.play(room, ANN, 6)
    web.play(room, BEN, 0, connection=2)
    turn(referee, clock)
    web.hear()
    assert [web.answers[one][0].result for one in (1, 2)] == [AnswerResult.OPENED, AnswerResult.NOT_ALLOWED]


def test_sockets_of_a_room(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.play.referee.loop.ROOM_SOCKETS", 1)
    room, referee = a_room(), new_referee()
    web.join(room, 1, ANN)
    web.join(room, 2, BEN)
    turn(referee, clock)
    web.hear()
    assert web.refused == [(2, "room_full")]


def test_memory_of_the_referee(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.play.referee.loop.ROOMS_MB", 8)
    rooms = [a_room(rows=500, columns=500) for _room in range(3)]
    referee = new_referee()
    for connection, room in enumerate(rooms):
        web.join(room, connection, ANN)
    turn(referee, clock)
    web.hear()
    assert web.refused == [(1, "referee_full"), (2, "referee_full")]
    assert len(referee.rooms) == 1


def test_a_muted_player_only_watches_and_a_kicked_one_is_gone(
    new_referee: NewReferee, web: FakeWeb, clock: Clock
) -> None:
    room, referee = a_room(), new_referee()
    web.join(room, 1, ANN)
    web.join(room, 2, BEN)
    web.play(room, ANN, 6)
    web.put(Entry.COMMAND, room, int(Command.MUTE), 1)
    web.play(room, ANN, 0, own=2)
    web.put(Entry.COMMAND, room, int(Command.UNMUTE), 1)
    web.play(room, ANN, 1, own=3)
    web.put(Entry.COMMAND, room, int(Command.KICK), 1)
    web.join(room, 5, ANN)
    turn(referee, clock, seconds=1.1)
    web.hear()
    assert [answer.result for answer in web.answers[1]] == [
        AnswerResult.OPENED, AnswerResult.NOT_ALLOWED, AnswerResult.BLAST,
    ]  # fmt: skip
    assert sorted(web.refused) == [(1, "kicked"), (5, "kicked")]
    assert RoomPlayer.objects.get().kicked


def test_a_closed_room_says_so(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, referee = a_room(), new_referee()
    web.join(room, 1, ANN)
    web.play(room, ANN, 6)
    web.put(Entry.COMMAND, room, int(Command.CLOSE), 0)
    turn(referee, clock, seconds=1.1)
    turn(referee, clock, seconds=1.1)
    web.join(room, 2, BEN)
    turn(referee, clock)
    web.hear()
    assert web.refused == [(1, "room_closed"), (2, "room_closed")]
    assert Room.objects.get().state == Room.State.CLOSED


def test_a_restart_raises_the_epoch_and_deals_colours_anew(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, referee = a_room(), new_referee()
    web.join(room, 1, ANN)
    web.play(room, ANN, 6)
    web.put(Entry.COMMAND, room, int(Command.RESTART), 0)
    web.play(room, ANN, 0, own=2)  # on its way meanwhile
    turn(referee, clock, seconds=1.1)
    web.hear()
    assert web.answers[1][-1].result == AnswerResult.ROOM_OVER
    player = RoomPlayer.objects.get()
    assert (player.hue, player.score) == (None, 0)
    assert Room.objects.get().epoch == 2


def test_sums_of_accounts_are_added_up_in_one_statement(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, owner: object
) -> None:
    """Read, add, write loses what another board has added between."""
    user = owner.pk  # type: ignore[attr-defined]  # an account
    RoomTotal.objects.create(user_id=user, boards=5, score=100, blasts=2)
    rooms, referee = [a_room(), a_room()], new_referee()
    member = Visitor(f"account-{user}", "owner", True, "o1")
    for room in rooms:
        web.play(room, member, 6, 1)
        web.put(Entry.COMMAND, room, int(Command.RESTART), 0)
    turn(referee, clock, seconds=1.1)
    total = RoomTotal.objects.get()
    assert (total.boards, total.score, total.blasts) == (7, 144, 4)


def test_an_entry_that_is_none_is_left_out(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, valkey: redis.Redis
) -> None:
    room, referee = a_room(), new_referee()
    web.put(Entry.MOVES, room, "no visitors", "no moves")
    web.put(Entry.COMMAND, room, 99, -1)
    web.play(room, ANN, 6)
    turn(referee, clock)
    web.hear()
    assert web.answers[1][0].stamp == 1
