from __future__ import annotations

from typing import Final

from django.http import HttpRequest
from rest_framework.request import Request

from players.db.changes import was_deleted
from players.models import Change

#: The things whose addresses hold their number, by the first words of the route.
_THINGS: Final = {
    f"{prefix}{folder}/<int:pk>/": thing
    for prefix in ("", "api/v1/")
    for folder, thing in (("replays", Change.Thing.REPLAY), ("players", Change.Thing.PLAYER))
}


def is_gone(request: HttpRequest | Request) -> bool:
    """Return whether the address, at which nothing was found, is one of a replay or player that was public once (410)."""
    match = request.resolver_match
    thing = next((thing for route, thing in _THINGS.items() if match and match.route.startswith(route)), None)
    return thing is not None and match is not None and was_deleted(thing, match.kwargs["pk"])
