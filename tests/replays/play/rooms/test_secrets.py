"""What a sealed room tells before its board has ended: nothing of its mines, and not the start number."""

from __future__ import annotations

import numpy as np
import pytest
from django.test import Client

from analysis.multiplayer.laying import lay
from replays.play import wire
from replays.play.models import RoomBoard
from tests.replays.play.referee.conftest import ANN, BEN, Clock, FakeWeb, a_room, turn
from tests.replays.play.referee.conftest import clock as clock
from tests.replays.play.referee.conftest import new_referee as new_referee
from tests.replays.play.referee.conftest import valkey as valkey
from tests.replays.play.referee.conftest import web as web
from tests.replays.play.referee.test_recovery import NewReferee


def test_a_sealed_room_leaks_nothing(new_referee: NewReferee, web: FakeWeb, clock: Clock) -> None:
    room, referee = a_room(sealed=True, start_number=987_654_321, modulus=33_554_393), new_referee()
    web.join(room, 1, ANN)
    web.play(room, ANN, *range(0, 5_000, 97))
    turn(referee, clock)
    web.join(room, 2, BEN)
    turn(referee, clock, seconds=1.1)
    web.hear()
    mines = lay(room.laying(987_654_321)).ravel()
    shown = np.full(mines.size, wire.FACE_CLOSED, np.uint8)
    for move in web.moves().values():
        for cell, face in move.opened:
            shown[cell] = face
    state = referee.rooms.get(room.pk)
    assert state is not None
    is_open = state.game.stamp.ravel() > 0
    assert np.array_equal(shown != wire.FACE_CLOSED, is_open), "faces of cells that nobody opened"
    for _connection, (head, board, _players) in web.pictures:
        assert isinstance(head, wire.Room)
        assert isinstance(board, wire.Snapshot)
        assert head.start == 0
        faces = np.frombuffer(wire.unpack(board.shown, mines.size), np.uint8)
        assert np.all((faces == wire.FACE_CLOSED) | is_open)
    said = b"".join(frame for batch in web.batches for frame in batch.frames)
    assert b"987654321" not in said
    pages = [f"/play/rooms/{room.slug}/", "/play/rooms/", f"/api/v1/play/rooms/{room.slug}/", "/api/v1/play/rooms/"]
    for page in pages:
        answer = Client().get(page)
        assert answer.status_code == 200
        assert b"987654321" not in answer.content
        assert bytes(room.secret).hex().encode() not in answer.content
    running = RoomBoard.objects.get(room=room)
    for page in (
        f"/play/rooms/{room.slug}/watch/{running.epoch}/",
        f"/api/v1/play/rooms/{room.slug}/boards/{running.epoch}/",
    ):
        assert Client().get(page).status_code == 404, "a board that is being played cannot be watched move by move"


@pytest.mark.django_db
def test_names_are_escaped() -> None:
    room = a_room(name="<script>alert(1)</script>")
    for page in ("/play/rooms/", f"/play/rooms/{room.slug}/"):
        assert b"<script>alert(1)" not in Client().get(page).content
