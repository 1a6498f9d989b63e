"""The tags of the API: which room of the site an operation belongs to."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "/api/v1/"
#: Name and description of each tag, in the order of the documentation.
TAGS: Final = {
    "replays": "Games and their files: upload, lists, one replay, film, review and luck.",
    "leaderboards": "Boards and records: who is best at what, and since when.",
    "players": "Players, their bests and ranks.",
    "statistics": "The meaning of every number.",
    "changes": "For mirrors and bots: changes as they happen, and dumps of everything.",
    "play": "Live play: tickets, single games, rooms and their boards.",
    "tools": "Mine probabilities of any position, the solver, and any file without an upload.",
    "account": "Your account: uploads, batches, settings, and its data.",
    "site": "The index and the search.",
}
#: The beginnings of addresses below :data:`PREFIX`; the longest one that fits decides.
_STARTS: Final = {
    "": "site",
    "account/": "account",
    "changes/": "changes",
    "data/": "changes",
    "events/": "changes",
    "leaderboards/": "leaderboards",
    "me/": "account",
    "play/": "play",
    "players/": "players",
    "probability/": "tools",
    "records/": "leaderboards",
    "replays/": "replays",
    "solver/": "tools",
    "statistics/": "statistics",
    "watch/": "tools",
}


def tag_of(path: str) -> str:
    below = path.removeprefix(PREFIX)
    return _STARTS[max((start for start in _STARTS if below.startswith(start)), key=len)]
