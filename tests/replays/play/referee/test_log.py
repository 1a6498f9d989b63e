"""The log of moves as it is stored."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from replays.play.referee.log import pack_log, unpack_log

_MOVE = st.tuples(
    st.integers(0, 250_000), st.integers(1, 2**16 - 1), st.integers(0, 2), st.integers(-(2**40), 2**40)
)  # fmt: skip


@given(st.lists(_MOVE, max_size=50))
def test_moves_come_back(moves: list[tuple[int, int, int, int]]) -> None:
    """A clock of the stream that was set back, or a board of 50 days, ends at the bounds of the column."""
    expected = [(cell, player, kind, min(max(0, ms), 2**32 - 1)) for cell, player, kind, ms in moves]
    assert unpack_log(pack_log(moves)).tolist() == expected
