from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from players.models import User
from replays.play.sockets.visitors import guest_in
from replays.play.solo.services import guest_games_take


def take_games_of_guest(sender: Any, request: HttpRequest | None, user: User, **_more: Any) -> None:
    """Give the games of the browser's signed cookie to the account; the receiver of Django's ``user_logged_in``."""
    if request is not None and (guest := guest_in(request)):
        guest_games_take(user, guest)
