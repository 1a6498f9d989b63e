"""Start numbers and colours of a room follow from its secret, and differ from board to board."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.multiplayer.laying import LayingError, lay
from replays.play.models import Room
from replays.play.referee.boards import board_of, draws_of


def test_boards_follow_from_the_room() -> None:
    room = Room(start_number=1_437_341)
    assert board_of(room, 1).start_number == 1_437_341
    assert board_of(room, 2) == board_of(room, 2)
    assert draws_of(room, 1, 1).random() == draws_of(room, 1, 1).random()


def test_drawn_start_numbers_do_not_collide() -> None:
    """Small start numbers give one board again and again: 1, 2, 4 … 256 are the same."""
    room = Room(rows=16, columns=16, secret=bytes(32))  # of 270 random secrets one draws a number twice
    boards = {lay(board_of(room, epoch)).tobytes() for epoch in range(2, 500)}
    assert len(boards) == 498
    for epoch in range(2, 500):
        laying = board_of(room, epoch)
        assert laying.start_number * 2 % laying.modulus > 256


def test_another_room_has_other_boards() -> None:
    one, other = (lay(board_of(Room(), 2)) for _room in range(2))
    assert not np.array_equal(one, other)


def test_parameters_that_fit_no_board_end_soon() -> None:
    with pytest.raises(LayingError):
        board_of(Room(rows=16, columns=16, modulus=258), 2)
