from __future__ import annotations

from players.models import User


def remember_board_columns(user: User, columns: str) -> None:
    """Show ``columns`` (as ``columns_text`` writes them; "": those that everybody gets) on every board of the account."""
    user.board_columns = columns
    user.save(update_fields=["board_columns"])
