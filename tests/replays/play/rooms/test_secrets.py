"""Tests of what a sealed room tells before its board has ended: nothing of its mines, and not the start number."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.test import Client

from analysis.multiplayer.laying import lay
from replays.play import wire
from replays.play.models import Room, RoomBoard
from replays.play.referee import state as rooms_in_memory
from replays.play.referee.players import Player
from tests.effort import seeds
from tests.replays.play.referee.conftest import ANN, BEN, Clock, FakeWeb, a_room, turn
from tests.replays.play.referee.conftest import clock as clock
from tests.replays.play.referee.conftest import new_referee as new_referee
from tests.replays.play.referee.conftest import valkey as valkey
from tests.replays.play.referee.conftest import web as web
from tests.replays.play.referee.test_recovery import NewReferee
from tests.replays.play.twins.boards import twin


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
    for _connection, (head, board, *_players) in web.pictures:
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


#: What pages and API of two rooms may differ in, besides their addresses: times of the day, and the tokens of forms.
_MASKS = (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", r"(?<=name=\"csrfmiddlewaretoken\" value=\")\w+")


@pytest.mark.parametrize("seed", seeds(*range(4)))
def test_sealed_rooms_on_twin_boards_say_the_same(
    new_referee: NewReferee, web: FakeWeb, clock: Clock, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Two boards that agree on what is open: all bytes of the room are equal but for how long it has been played."""
    monkeypatch.setattr(Player, "takes", lambda *_given: True)  # which goes by the clock
    rng = np.random.default_rng(seed)
    mines = lay(Room().laying(1_437_341 + seed))[:20, :25].copy()
    cells = rng.choice(np.flatnonzero(mines == 0), 12, replace=False).tolist()
    flags = rng.choice(np.flatnonzero(mines), 5, replace=False).tolist()
    told, boards = [], [mines]
    for place in (0, 1):
        monkeypatch.setattr(rooms_in_memory, "lay", lambda _laying: boards[-1])
        said, is_open = _told(mines.shape, new_referee(), web, clock, cells, flags)
        told.append(said)
        if place == 0:
            boards.append(twin(rng, mines, is_open))
            assert not np.array_equal(boards[0], boards[1])
    assert told[0] == told[1]


def _told(
    shape: tuple[int, ...], referee: Any, web: FakeWeb, clock: Clock, cells: list[int], flags: list[int]
) -> tuple[list[Any], set[int]]:
    """Everything that a room says while ``cells`` are opened and ``flags`` are set, and the cells that are open then."""
    rows, columns = shape
    room = a_room(rows=rows, columns=columns, secret=bytes(32), sealed=True, flags=True, chords=True)
    web.batches, web.pictures, web.answers = [], [], {}
    web.join(room, 1, ANN)
    web.play(room, ANN, *cells[:6])
    web.play(room, ANN, *flags, kind=2, own=7)
    turn(referee, clock, seconds=1.1)
    web.play(room, ANN, *cells, own=20)  # some are open already
    web.play(room, ANN, *cells, kind=3, own=40)
    turn(referee, clock, seconds=1.1)
    web.join(room, 2, BEN)
    turn(referee, clock, seconds=1.1)
    web.hear()
    frames = [frame for batch in web.batches for frame in batch.frames]
    assert sum(len(one.opened) for one in web.moves().values()) > len(cells)
    pictures = [
        replace(one, server_ms=0) if isinstance(one, wire.Room) else one for _who, all_ in web.pictures for one in all_
    ]
    pages = [Client().get(page) for page in (f"/api/v1/play/rooms/{room.slug}/", "/api/v1/play/rooms/", "/play/rooms/")]
    is_open = set(np.flatnonzero(referee.rooms.get(room.pk).game.stamp).tolist())
    room.delete()
    return [frames, pictures, web.answers, *(_masked(page.content.decode(), room.slug) for page in pages)], is_open


def _masked(page: str, slug: str) -> str:
    for mask in (slug, *_MASKS):
        page = re.sub(mask, "…", page)
    return page


@pytest.mark.django_db
def test_names_are_escaped() -> None:
    room = a_room(name="<script>alert(1)</script>")
    for page in ("/play/rooms/", f"/play/rooms/{room.slug}/"):
        assert b"<script>alert(1)" not in Client().get(page).content
