"""The fast writing of frames gives the bytes of the wire."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from replays.play import wire
from replays.play.referee import frames

_FACE = st.sampled_from([*range(9), wire.FACE_BLAST, wire.FACE_CLOSED, wire.FACE_FLAG])
_CELL = st.integers(0, 10**6)
_OPENED = st.dictionaries(_CELL, _FACE, max_size=60)
_MOVE = st.tuples(st.integers(1, 60_000), st.sampled_from([1, 2, 3, 4]), _CELL, _OPENED)


@given(st.integers(0, 2**31), st.integers(1, 2**31), st.lists(_MOVE, max_size=5))
def test_moves(epoch: int, first: int, moves: list[tuple[int, int, int, dict[int, int]]]) -> None:
    written = []
    for player, kind, cell, opened in moves:
        cells = np.array(list(opened), np.int32)
        faces = np.array(list(opened.values()), np.uint8)
        written.append(frames.move_bytes(player, kind, cell) + frames.near_bytes(cell, cells, faces))
    expected = tuple(
        wire.Move(player, kind, cell, tuple(wire.Face(*one) for one in sorted(opened.items())))
        for player, kind, cell, opened in moves
    )
    assert frames.moves_frame(epoch, first, written) == wire.Moves(epoch, first, expected).encode()


@given(_CELL, _FACE)
def test_a_click_that_changed_its_own_cell_alone(cell: int, face: int) -> None:
    assert frames.itself(face) == frames.near_bytes(cell, np.array([cell], np.int32), np.array([face], np.uint8))


@given(st.lists(st.tuples(st.integers(1, 60_000), st.sampled_from([1, 2, 3, 4]), _CELL), max_size=30))
def test_history(moves: list[tuple[int, int, int]]) -> None:
    history = b"".join(frames.move_bytes(*move) for move in moves)
    expected = wire.History(3, len(moves), tuple(wire.Move(*move) for move in moves))
    assert frames.history_frame(3, len(moves), history) == expected.encode()
