"""The requests of the examples: one for each operation of the API, against the small site of the table of permissions.

What the table lets a visitor do is asked as it is there; :data:`ASKED` has what needs more than an address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import resolve, reverse

from tests.config.test_permissions import _BODIES, VISITORS, World, arguments_of, table
from tests.replays.games import game_file

_CONVERTER: Final = re.compile(r"<(?:\w+:)?(\w+)>")
_JSON: Final = "application/json"
_ROWS: Final = ["..1", "..2", "..2"]
_CLIP: Final[dict[str, object]] = {"from": "0", "to": "1.5"}
_POSITION: Final[dict[str, object]] = {"rows": _ROWS, "mines": 3}


@dataclass(frozen=True)
class Asked:
    """``of``: the object of the table; ``arguments``: parts of the address other than those of the table."""

    arguments: dict[str, object] = field(default_factory=dict)
    query: dict[str, object] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    visitor: str = ""
    of: str = ""


def _time_board(**query: object) -> Callable[[World], Asked]:
    return lambda world: Asked({"statistic": "time"}, dict(query))


#: By operation; everything else is asked as the table of permissions does.
ASKED: Final[dict[str, Callable[[World], Asked]]] = {
    "replays_clip": lambda world: Asked(query=_CLIP, of="ranked"),
    "replays_clip_make": lambda world: Asked(query=_CLIP, of="ranked"),
    "leaderboard": _time_board(size=1),
    "leaderboard_combined": _time_board(),
    "leaderboard_combined_rows": _time_board(limit=2),
    "leaderboard_history": _time_board(),
    "leaderboard_rows": _time_board(limit=2),
    "me_uploads_delete": lambda world: Asked(body={"replays": [world.numbers["ranked"]]}, visitor="owner"),
    "me_uploads": lambda world: Asked(visitor="owner"),
    "me": lambda world: Asked(visitor="owner"),
    "account_export": lambda world: Asked(visitor="owner"),
    "play_games_list": lambda world: Asked(visitor="owner"),
    "players_list": lambda world: Asked(query={"size": 2}),
    "players_ranks": _time_board(),
    "probability": lambda world: Asked(body=_POSITION),
    "probability_link": lambda world: Asked(query={"position": "/".join(_ROWS), "mines": _POSITION["mines"]}),
    "records_list": lambda world: Asked(query={"level": "beginner", "size": 2}),
    "replays_list": lambda world: Asked(query={"level": "beginner", "sort": "time", "time__lte": 60, "size": 2}),
    "replays_position": lambda world: Asked(query={"event": 40}),
    "replays_status": lambda world: Asked(query={"ids": world.numbers["ranked"]}),
    "search": lambda world: Asked(query={"q": "ada"}),
    "solver_move": lambda world: Asked(body=_POSITION),
    "watch_file": lambda world: Asked(visitor="anonymous"),
    "viewer_settings_store": lambda world: Asked(body={"trail": "recent"}),
}


@dataclass(frozen=True)
class Request:
    """A request that is ready to be sent."""

    route: str
    method: str
    visitor: str
    address: str
    asked: Asked
    arguments: dict[str, object]


def requests_of(world: World, schema: dict[str, Any]) -> Iterator[tuple[str, Request]]:
    """Yield the request of each operation of ``schema`` that the table of permissions allows somebody."""
    operations = {
        (path, method.upper()): operation["operationId"]
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    }
    done = set()
    for (route, name, method), statuses in table().items():
        if not route.startswith("api-"):
            continue
        arguments = arguments_of(world, route, name)
        operation = operations.get((_template(reverse(route, kwargs=arguments)), method))
        makes = ASKED.get(operation or "")
        allowed = [visitor for visitor, status in zip(VISITORS, statuses, strict=True) if status < 300]
        if operation is None or operation in done or not (makes or allowed or route == "api-replays"):
            continue
        done.add(operation)
        asked = makes(world) if makes else Asked()
        if asked.body is None and method != "GET" and route in _BODIES:
            asked = replace(asked, body=_BODIES[route])
        visitor = asked.visitor or (allowed[0] if allowed else "owner")
        arguments |= asked.arguments
        yield operation, Request(route, method, visitor, reverse(route, kwargs=arguments), asked, arguments)


def _template(address: str) -> str:
    """Return the path of the schema that ``address`` belongs to."""
    pattern = _CONVERTER.sub(lambda found: f"{{{found[1]}}}", resolve(address).route)
    return "/" + pattern.replace("{pk}", "{id}")


def send(world: World, request: Request) -> Any:
    client = world.clients[request.visitor]
    if request.route in ("api-replays", "api-watch-file") and request.method == "POST":
        return client.post(request.address, {"file": SimpleUploadedFile("game.rawvf", game_file(9))})
    body = "" if request.asked.body is None else json.dumps(request.asked.body)
    return client.generic(
        request.method, request.address, body, content_type=_JSON, query_params=request.asked.query or None
    )


def parameters_of(request: Request) -> dict[str, object]:
    """Return the parameters of ``request`` by their names in the schema."""
    named = {("id" if name == "pk" else name): value for name, value in request.arguments.items()}
    return {name: str(one) if isinstance(one, UUID) else one for name, one in {**named, **request.asked.query}.items()}
