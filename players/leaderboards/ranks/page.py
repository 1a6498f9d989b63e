"""One page of any board."""

from __future__ import annotations

from players.leaderboards.boards import BoardKey
from players.leaderboards.filters import UNFILTERED, BoardFilter
from players.leaderboards.ranks.live_pages import live_page, live_sub_n_page
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
    """The page of ``key`` that holds the place of ``player``, or that begins where ``value`` would stand.

    One of both at most.  A ``cursor`` decides alone which page it is.  A player who has no place gets the first page.
    The rank of a value is 1 + the number of better rows (on combined boards: better sums), as if it came in now.  Ties
    are listed by date; then, on stored boards, by the id of the row, else by that of the player.  Raises ``BadCursor``.
    """
    if player is not None and value is not None:
        raise ValueError("a board opens at a player or at a value, not at both")
    if board_filter.is_empty:
        return stored_page(key, player=player, value=value, cursor=cursor, size=size, viewer=viewer)
    return live_page(key, board_filter, player=player, value=value, cursor=cursor, size=size, viewer=viewer)


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
    """Who has most sub-``n`` games, like :func:`page_at`; ``value`` is a number of games.

    Equal counts share a rank, the earlier first sub-``n`` game is listed first.  Raises ``UnknownBoard`` or
    ``BadCursor``.
    """
    if player is not None and value is not None:
        raise ValueError("a board opens at a player or at a value, not at both")
    return live_sub_n_page(
        level, n, style, board_filter, player=player, value=value, cursor=cursor, size=size, viewer=viewer
    )
