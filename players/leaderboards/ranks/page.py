from __future__ import annotations

from players.leaderboards.boards import BoardKey
from players.leaderboards.filters import UNFILTERED, BoardFilter
from players.leaderboards.ranks.filtered_pages import filtered_page, sub_n_page
from players.leaderboards.ranks.rows import BoardPage
from players.leaderboards.ranks.stored import stored_page
from players.models import ALL_STYLES, Player
from players.web.parameters import DEFAULT_PAGE_SIZE


def page_at(
    key: BoardKey,
    board_filter: BoardFilter = UNFILTERED,
    *,
    player: Player | None = None,
    value: float | None = None,
    cursor: str | None = None,
    size: int = DEFAULT_PAGE_SIZE,
    viewer: Player | None = None,
) -> BoardPage:
    """The page of the board ``key`` at ``cursor``, at ``player`` or at ``value``; without these, the first page.

    ``player``: the page with the player's row; the first page if there is none.  ``value``: the page that begins where a
    row with that value would be.  Only one of both may be given; with a ``cursor`` they only set ``jump``.  The rank of a
    value is 1 + the number of better rows (on combined boards: better sums).  Ties are ordered by date, then by
    player id.  Raises ``BadCursor``.
    """
    if player is not None and value is not None:
        raise ValueError("a board opens at a player or at a value, not at both")
    if board_filter.is_empty:
        return stored_page(key, player=player, value=value, cursor=cursor, size=size, viewer=viewer)
    return filtered_page(key, board_filter, player=player, value=value, cursor=cursor, size=size, viewer=viewer)


def sub_n_page_at(
    level: str,
    n: int,
    style: str = ALL_STYLES,
    board_filter: BoardFilter = UNFILTERED,
    *,
    player: Player | None = None,
    value: float | None = None,
    cursor: str | None = None,
    size: int = DEFAULT_PAGE_SIZE,
    viewer: Player | None = None,
) -> BoardPage:
    """:func:`page_at` for a sub-N board; ``value`` is a number of games.

    Ties are ordered by the date of the first sub-``n`` game.  Raises ``UnknownBoard`` or ``BadCursor``.
    """
    if player is not None and value is not None:
        raise ValueError("a board opens at a player or at a value, not at both")
    return sub_n_page(
        level, n, style, board_filter, player=player, value=value, cursor=cursor, size=size, viewer=viewer
    )
