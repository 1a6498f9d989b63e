from __future__ import annotations

import re
from typing import Final

from django.http import HttpRequest
from rest_framework.request import Request

from players.db.changes import was_deleted
from players.models import Change

#: Routes, of Django or of the schema, that begin with the number of a thing.
_ROUTE: Final = re.compile(r"/?(?:api/v1/)?(replays|players)/(?:<int:pk>|{id})/")
_THINGS: Final = {"replays": Change.Thing.REPLAY, "players": Change.Thing.PLAYER}


def gone_thing(route: str) -> Change.Thing | None:
    """The kind of thing whose number ``route`` holds; None if it is of none that may be deleted."""
    found = _ROUTE.match(route)
    return None if found is None else _THINGS[found[1]]


def is_gone(request: HttpRequest | Request) -> bool:
    """Return whether the address, at which nothing was found, is one of a replay or player that was public once (410)."""
    match = request.resolver_match
    thing = None if match is None else gone_thing(match.route)
    return thing is not None and match is not None and was_deleted(thing, match.kwargs["pk"])
