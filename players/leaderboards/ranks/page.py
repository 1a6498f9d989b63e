from __future__ import annotations

from players.leaderboards.board import Board
from players.leaderboards.ranks.filtered_pages import filtered_page
from players.leaderboards.ranks.rows import BoardPage
from players.leaderboards.ranks.stored import stored_page
from players.models import Player
from players.web.parameters import DEFAULT_PAGE_SIZE


def page_at(
    board: Board,
    *,
    player: Player | None = None,
    value: float | None = None,
    cursor: str | None = None,
    size: int = DEFAULT_PAGE_SIZE,
    viewer: Player | None = None,
) -> BoardPage:
    """The page of ``board`` at ``cursor``, at ``player`` or at ``value``; without these, the first page.

    ``player``: the page with the player's row; the first page if there is none.  ``value``: the page that begins where a
    row with that value (on sub-N boards a number of games) would be.  Only one of both may be given; with a ``cursor``
    they only set ``jump``.  The rank of a value is 1 + the number of better rows (on combined boards: better sums).  Ties
    are ordered by date, then by player id.  Raises ``BadCursor``.
    """
    if player is not None and value is not None:
        raise ValueError("a board opens at a player or at a value, not at both")
    make_page = stored_page if board.is_stored else filtered_page
    return make_page(board, player=player, value=value, cursor=cursor, size=size, viewer=viewer)
