"""Tests of permissions: every address of the site, with every method, for five kinds of visitors.

The table is ``permissions.csv``: for each address, object and method the status that each visitor gets.  An address that is
missing there fails the test, so nobody adds one without deciding who may use it.  Methods that are not in the table are
refused to everybody.  ``SWEEPBOOK_WRITE_PERMISSIONS=1`` writes the table anew, to be read before it is committed.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from players.accounts.claims.services import claim_make
from players.models import Claim, Identity, Player, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from players.web import rate_limits
from replays.models import Place, Replay, UploadBatch
from replays.moderation.bans import ban_make
from replays.play.models import Room, RoomBoard
from replays.watch.comments.services import comment_create
from tests.caches import clear_caches
from tests.conftest import PASSWORD, with_second_factor
from tests.factories import comment_report
from tests.replays.conftest import Ingest
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.replays.games import game_file
from tests.replays.play.solo.test_pages import live_game
from tests.transactions import undone

VISITORS: Final = ("anonymous", "user", "owner", "other owner", "staff")
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
REFUSED: Final = frozenset({401, 403, 405})
SIGN_IN: Final = 302  # what visitors get at an address that needs an account, whatever the method
TABLE: Final = Path(__file__).parent / "permissions.csv"
_NOT_OURS: Final = "admin/"
_BOARD: Final = {"level": "beginner", "statistic": "stnb"}
#: The objects with which an address is tried; ``""``: none.
_REPLAYS: Final = ("ranked", "doubted", "rejected")
_GAMES: Final = ("running game", "ended game")
_OBJECTS: Final = {
    "play-game": _GAMES,
    "api-play-game": _GAMES,
    "claim": ("claim",),
    "claim-withdraw": ("claim",),
    "claim-decision": ("claim",),
    "release-name": ("name",),
    "place": ("place",),
    "report-decision": ("case",),
    "ban-decision": ("ban",),
    **dict.fromkeys(("upload-batch", "upload-batch-names", "api-me-batch", "api-me-batch-files"), ("batch",)),
    **dict.fromkeys(
        (
            "comment-delete",
            "comment-moderate",
        ),
        ("comment",),
    ),
}
#: What is sent with methods that write.
_BODIES: Final[dict[str, dict[str, Any]]] = {
    "replay-judge": {"judgement": "frozen", "reason": "Edited."},
    "replay-appeal": {"text": "It was me."},
    "replay-ownership": {"ownership": "confirmed", "reason": "Looked at."},
    "replay-date": {"trusted": "yes"},
    "place": {"counts": "none", "reason": "Looked at."},
    "games-answers": {"scope": "all", "answer": "confirmed"},
    "claim": {"text": "It is mine."},
    "replay-puzzle": {"cell": "0,0"},
    "replay-comments": {"text": "Well played."},
    "report": {"rule": "abuse"},
    "report-decision": {"action": "nothing"},
    "bans": {"username": "other_player", "rule": "abuse", "days": "7"},
    "ban-decision": {"decision": "lift"},
    "ban": {"text": "It was not me."},
    "comment-moderate": {"hidden": "1", "reason": "Rude."},
    "claim-name": {"name": "Somebody"},
    "claim-decision": {"decision": "granted", "reason": "Known."},
    "release-name": {"confirmed": "yes"},
    "token": {"name": "script", "scopes": ["read"], "days": "30"},
    "set-language": {"language": "en"},
    "set-clock": {"clock": "one"},
    "set_language": {"language": "en"},
    "api-replay": {"keep_file": True},
    "api-play-tickets": {"purpose": "solo", "level": "beginner", "rules": "xp"},
    "play-rooms": {"name": "Room"},
    "play-room-command": {"do": "restart"},
    "api-rooms": {"name": "Room"},
    "api-room-command": {"do": "restart"},
    "own-uploads-delete": {"replay": ["1"], "confirmed": "yes"},
    "upload-batch-names": {"name": ["Ada"]},
    "api-me-known-files": {"sha256": ["0" * 64]},
    "api-me-uploads-delete": {"replays": [1]},
    "api-probability": {"rows": ["?1", "1?"], "mines": 1},
    "api-solver-moves": {"rows": ["?1", "1?"], "mines": 1},
}

Row = tuple[str, str, str]
Statuses = tuple[int, ...]


@cache
def table() -> dict[Row, Statuses]:
    """(address, object, method): the status of each visitor."""
    with TABLE.open(newline="") as file:
        return {
            (line["route"], line["object"], line["method"]): tuple(int(line[visitor]) for visitor in VISITORS)
            for line in csv.DictReader(file)
        }


@cache
def routes() -> dict[str, set[str]]:
    """The names of all addresses of the site but those of the admin, with the names of their arguments."""
    return dict(_routes(get_resolver().url_patterns, ""))


def _routes(patterns: Any, prefix: str) -> Iterator[tuple[str, set[str]]]:
    for pattern in patterns:
        where = prefix + str(pattern.pattern)
        if where.startswith(_NOT_OURS):
            continue
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, where)
        elif isinstance(pattern, URLPattern):
            assert pattern.name, f"{where} has no name"
            yield pattern.name, set(pattern.pattern.converters)


def objects_of(route: str) -> tuple[str, ...]:
    """The objects with which ``route`` is tried."""
    if "pk" not in routes()[route]:
        return ("",)
    return _OBJECTS.get(route, _REPLAYS if "replay" in route else ("player",))


def every_row() -> Iterator[Row]:
    """Yield each address with each of its objects and each method, also those that are not in the table."""
    return ((route, name, method) for route in sorted(routes()) for name in objects_of(route) for method in METHODS)


def test_every_address_is_in_the_table() -> None:
    assert {(route, name) for route, name, _method in table()} == {
        (route, name) for route in routes() for name in objects_of(route)
    }


@dataclass
class World:
    """The visitors, and the numbers of what is theirs."""

    clients: dict[str, Client]
    numbers: dict[str, int | UUID]


@pytest.fixture
def world(db: None, owner: User, other_player: User, staff: User, ingest: Ingest) -> World:
    """``owner`` has uploaded three replays, has a name, and claims another one."""
    rows = {name: ingest(game_file(seed, player="Ada"), uploader=owner) for seed, name in enumerate(_REPLAYS[:2], 1)}
    rows["rejected"] = ingest(b"no replay", uploader=owner)
    doubted = {
        "judgement": "suspicious",
        "judgement_code": "time_differs",
        "judgement_params": {"claimed_ms": 1, "actual_ms": 2},
        "ranked": False,
    }
    Replay.objects.filter(pk=rows["doubted"].pk).update(**doubted)
    assert [row.ranked for row in rows.values()] == [True, True, False]
    name = Identity.objects.create(
        name="owner",
        player=Player.objects.get(user=owner),
        first_player=Player.objects.get(user=owner),
        state="claimed",
        claimant=owner,
    )
    room = Room.objects.create(name="Room", slug="theroom", owner=owner)
    ended = {"end": RoomBoard.End.FINISHED, "ended_at": room.created_at}
    RoomBoard.objects.create(room=room, epoch=1, start_number=1_437_341, started_at=room.created_at, **ended)
    claim = claim_make(owner, "Ada")
    Claim.objects.filter(pk=claim.pk).update(state=Claim.State.REQUESTED, text="It is me.")
    comment = comment_create(rows["ranked"], owner, "Mine.")
    case = comment_report(comment, other_player, "Rude.", "203.0.113.1").thing
    banned = ban_make(User.objects.create_user("banned"), staff, "abuse", "", None)
    accounts = (User.objects.create_user("user", "user@example.org", PASSWORD), owner, other_player, staff)
    clients = {"anonymous": Client()}
    for visitor, account in zip(VISITORS[1:], accounts, strict=True):
        clients[visitor] = Client()
        clients[visitor].force_login(account)
    games = {
        name: live_game(user=owner, state=state).pk for name, state in zip(_GAMES, ("playing", "over"), strict=True)
    }
    numbers: dict[str, int | UUID] = {**{replay: row.pk for replay, row in rows.items()}, **games}
    batch = UploadBatch.objects.create(user=owner, made_at=claim.made_at)
    ranked = rows["ranked"]
    place = Place.objects.create(holder=ranked.pk, held_at=claim.made_at)
    Replay.objects.filter(pk=ranked.pk).update(place=place, game=ranked.pk)
    player = rows["ranked"].player_id
    assert player is not None
    return World(
        clients,
        {
            **numbers,
            "player": player,
            "claim": claim.pk,
            "name": name.pk,
            "batch": batch.pk,
            "comment": comment.pk,
            "place": place.pk,
            "case": case.pk,
            "ban": banned.pk,
        },
    )


def arguments_of(world: World, route: str, name: str) -> dict[str, object]:
    """The arguments of the address ``route`` of the object ``name``."""
    known: dict[str, object] = {
        **_BOARD,
        "n": 30,
        "event": 0,
        "uidb36": "1",
        "key": "x",
        "slug": "theroom",
        "epoch": 1,
        "kind": "csv",
        "folder": "files",
        "what": "room",
        "which": "theroom",
    }
    known |= {"name": "wins", "other": world.numbers["player"]}
    known |= {"pk": world.numbers[name]} if name else {}
    if route in ("board-sub", "api-board-sub", "api-board-sub-rows"):
        known["level"] = "beginner"
    return {argument: known[argument] for argument in routes()[route]}


def statuses(world: World, route: str, name: str, method: str) -> Statuses:
    """The status that each visitor gets; what one of them changes is undone before the next."""
    address = reverse(route, kwargs=arguments_of(world, route, name))
    found = []
    for visitor in VISITORS:
        with undone():
            found.append(_send(world.clients[visitor], route, address, method))
    return tuple(found)


def _send(client: Client, route: str, address: str, method: str) -> int:
    session = dict(client.cookies.items())
    body = _BODIES.get(route, {})
    if method == "GET":
        answer = client.get(address)
    elif route.startswith("api-"):
        answer = client.generic(method, address, json.dumps(body), content_type="application/json")
    else:
        form = urlencode(body, doseq=True)
        answer = client.generic(method, address, form, content_type="application/x-www-form-urlencoded")
    client.cookies.clear()
    for name, cookie in session.items():  # signing out ends a session, which the rollback has brought back
        client.cookies[name] = cookie.value
    return answer.status_code


def staff_routes() -> list[Row]:
    """The rows of the table in which staff may do what another account may not."""
    other, staff = VISITORS.index("other owner"), VISITORS.index("staff")
    return [row for row, found in table().items() if found[other] in REFUSED | {404} and found[staff] not in REFUSED]


def sent_as(world: World, visitor: str, rows: Iterable[Row]) -> dict[Row, int]:
    """The status that ``visitor`` gets at each of ``rows``; what one changes is undone before the next."""
    found = {}
    for route, name, method in rows:
        address = reverse(route, kwargs=arguments_of(world, route, name))
        rate_limits.reset()  # of all together one visitor would ask too often
        with undone():
            found[route, name, method] = _send(world.clients[visitor], route, address, method)
    return found


@pytest.mark.slow(why="each of 400 addresses and methods is asked: one that is left out may be open to everybody")
def test_a_guest_gets_what_the_table_says(world: World) -> None:
    """But for what is open to guests, which is asked for as often elsewhere."""
    expected = {row: found[VISITORS.index("anonymous")] for row, found in table().items()}
    expected = {row: status for row, status in expected.items() if status != 200}
    assert sent_as(world, "anonymous", expected) == expected


def test_staff_need_their_second_factor_everywhere(world: World) -> None:
    Authenticator.objects.all().delete()
    expected = {row: table()[row][VISITORS.index("other owner")] for row in staff_routes()}
    found = sent_as(world, "staff", expected)
    wrong = {row: status for row, status in found.items() if status != expected[row]}
    assert {row: status for row, status in wrong.items() if (status, row[2]) != (SIGN_IN, "GET")} == {}


def moderator_in(world: World, *, second_factor: bool = True) -> None:
    """Let the visitor "staff" be a moderator who is no staff."""
    moderator = User.objects.create_user("moderator", "moderator@example.org", PASSWORD, is_moderator=True)
    if second_factor:
        with_second_factor(moderator)
    world.clients["staff"] = Client()
    world.clients["staff"].force_login(moderator)


@pytest.mark.long(beside="tests/config/test_permissions.py::test_staff_need_their_second_factor_everywhere")
def test_a_moderator_may_do_what_staff_may(world: World) -> None:
    moderator_in(world)
    expected = {row: table()[row][VISITORS.index("staff")] for row in staff_routes()}
    assert len(expected) > 40
    assert sent_as(world, "staff", expected) == expected


def test_a_moderator_has_no_part_in_the_admin(world: World) -> None:
    moderator_in(world)
    for address in ("/admin/", "/admin/players/user/", "/admin/players/decision/", "/admin/replays/replay/"):
        assert world.clients["staff"].get(address).status_code in (302, 403), address
    assert world.clients["staff"].get("/admin/", follow=True).status_code == 403


@pytest.mark.long(beside="tests/config/test_permissions.py::test_staff_need_their_second_factor_everywhere")
def test_a_moderator_needs_a_second_factor_everywhere(world: World) -> None:
    moderator_in(world, second_factor=False)
    expected = {row: table()[row][VISITORS.index("other owner")] for row in staff_routes()}
    found = sent_as(world, "staff", expected)
    wrong = {row: status for row, status in found.items() if status != expected[row]}
    assert {row: status for row, status in wrong.items() if (status, row[2]) != (SIGN_IN, "GET")} == {}


@pytest.mark.long(beside="tests/config/test_permissions.py::test_staff_need_their_second_factor_everywhere")
def test_no_token_has_the_power_of_staff(world: World, staff: User) -> None:
    _token, key = token_create(staff, "script", list(Scope), lasts=timedelta(days=1))
    world.clients["staff"] = Client(headers={"Authorization": f"Bearer {key}"})
    rows = {row: found[VISITORS.index("other owner")] for row, found in table().items() if row in staff_routes()}
    rows = {row: status for row, status in rows.items() if row[0].startswith("api-")}
    assert len(rows) > 5
    assert sent_as(world, "staff", rows) == rows


@pytest.mark.long(beside="tests/config/test_permissions.py::test_a_guest_gets_what_the_table_says")
def test_what_each_visitor_gets(world: World) -> None:
    wrong: dict[Row, Statuses] = {}
    for route, name, method in every_row():
        clear_caches()
        found = statuses(world, route, name, method)
        if os.environ.get("SWEEPBOOK_WRITE_PERMISSIONS"):
            if method == "GET" or not _is_refused(found):
                _write(route, name, method, found)
        elif found != table().get((route, name, method), found if _is_refused(found) else ()):
            wrong[route, name, method] = found
    assert wrong == {}


def _is_refused(found: Statuses) -> bool:
    return set(found[1:]) <= REFUSED and found[0] in REFUSED | {SIGN_IN}


def _write(route: str, name: str, method: str, found: Statuses) -> None:
    with TABLE.open("a", newline="") as file:
        csv.writer(file).writerow([route, name, method, *found])
