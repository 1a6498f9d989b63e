"""Limits of the API: what answers tell of them, what they cost, and whether schema and code have the same ones."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from config.http.application import _file_refusal, _refusal
from players.models import User
from players.web import rate_limits
from players.web.rate_limits import RateLimit
from replays.models import Replay
from tests.caches import clear_caches
from tests.config.api.test_reading import QUERIES, template_of
from tests.config.api.test_reading import schema as schema
from tests.config.test_permissions import World, _send, arguments_of, table
from tests.config.test_permissions import ingest as ingest
from tests.config.test_permissions import store as store
from tests.config.test_permissions import world as world
from tests.replays.games import game_file
from tests.transactions import undone

pytestmark = pytest.mark.django_db
_POLICY: Final = re.compile(r'"([a-z-]+)";q=(\d+)(?:;qu="([a-z-]+)")?;w=(\d+)')
_STATE: Final = re.compile(r'"([a-z-]+)";r=(\d+);t=(\d+)')
FILMS: Final = "films"
#: Bodies that have to be computed.
_COMPUTED: Final = {"rows": ["1.", ".."], "mines": 1}
#: A guest, who uploads and who may object and report: staff have no limits that others have not.
_ASKING: Final = ("anonymous", "owner", "other owner")
_BODIES: Final = {"api-probability": _COMPUTED, "api-solver-moves": _COMPUTED}


def policies(answer: Any) -> dict[str, tuple[int, str, int]]:
    """Return quota, unit and window of each limit that ``answer`` names."""
    found = [_POLICY.fullmatch(one) for one in answer.headers["RateLimit-Policy"].split(", ")]
    assert all(found)
    return {one[1]: (int(one[2]), one[3] or "request", int(one[4])) for one in found if one}


def left(answer: Any) -> dict[str, tuple[int, int]]:
    """Return what is left of each limit that ``answer`` names, and the seconds until its next window."""
    found = [_STATE.fullmatch(one) for one in answer.headers["RateLimit"].split(", ")]
    assert all(found)
    return {one[1]: (int(one[2]), int(one[3])) for one in found if one}


@pytest.fixture
def game(ingest: Any) -> Replay:
    found: Replay = ingest(game_file(1, player="Ada"))
    return found


# --- what answers tell ------------------------------------------------------------------------------------------------


def test_an_answer_tells_the_limit_and_what_is_left(
    game: Replay, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.watch.film.services.FILM_LIMIT._rate", "5/minute")
    for number in (4, 3):
        answer = client.get(f"/api/v1/replays/{game.pk}/film/")
        assert policies(answer) == {FILMS: (5, "request", 60)}
        rest, seconds = left(answer)[FILMS]
        assert rest == number
        assert 0 < seconds <= 60


def test_above_the_limit_both_headers_name_the_same_moment(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.browse.search.selectors.SEARCH_LIMIT._rate", "1/minute")
    client.get("/api/v1/search/?q=a")
    answer = client.get("/api/v1/search/?q=a")
    assert answer.status_code == 429
    assert left(answer)["searches"][0] == 0
    assert abs(left(answer)["searches"][1] - int(answer.headers["Retry-After"])) <= 1
    assert answer.headers["Cache-Control"] == "no-store"


def test_other_answers_and_pages_have_no_such_headers(client: Client) -> None:
    for address in ("/api/v1/players/", "/api/v1/search/?q=", "/search/?q=a"):
        found = "RateLimit" in client.get(address).headers
        assert found == address.startswith("/api/v1/search/"), address


def test_units_other_than_requests_are_named(client: Client) -> None:
    found = policies(client.get("/api/v1/probability/?position=1./..&mines=1"))
    assert {name: unit for name, (_quota, unit, _window) in found.items()} == {
        "positions": "request", "position-cpu": "milliseconds",
    }  # fmt: skip


def test_an_upload_tells_what_is_left_but_nothing_of_what_others_send(owner_client: Client, store: object) -> None:
    answer = owner_client.post("/api/v1/replays/", {"file": SimpleUploadedFile("a.rawvf", game_file(1))})
    assert answer.status_code == 202, answer.content
    assert set(left(answer)) == {"upload-files", "upload-bytes", "upload-address"}


def test_a_large_upload_that_is_refused_before_it_is_read_tells_too(
    owner: User, owner_client: Client, settings: Settings
) -> None:
    settings.UPLOAD_QUOTA_FILES = 0
    cookie = owner_client.cookies["sessionid"].value.encode()
    scope: Any = {
        "type": "http", "method": "POST", "path": "/api/v1/replays/", "query_string": b"", "http_version": "1.1",
        "headers": [(b"cookie", b"sessionid=" + cookie)], "client": ("127.0.0.1", 1),
    }  # fmt: skip
    refused = _file_refusal(scope)
    assert refused is not None
    assert refused.http_status == 429
    assert '"upload-files";r=0' in refused.headers["RateLimit"]
    assert "upload-site" not in refused.headers["RateLimit-Policy"]
    told = dict(_refusal(refused, scope).headers)
    assert told[b"access-control-allow-origin"] == b"*"
    assert told[b"ratelimit"] == refused.headers["RateLimit"].encode()
    assert int(told[b"retry-after"]) > 0


def test_one_visitor_learns_nothing_of_another(
    client: Client, owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.browse.search.selectors.SEARCH_LIMIT._rate", "5/minute")
    for _time in range(3):
        owner_client.get("/api/v1/search/?q=a")
    assert left(client.get("/api/v1/search/?q=a"))["searches"][0] == 4


def test_a_server_that_does_not_count_is_not_asked_again_for_headers(
    no_counts: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(RateLimit, "left", lambda limit, _visitor: asked.append(limit.name))
    answer = client.get("/api/v1/search/?q=a")
    assert answer.status_code == 200
    assert "RateLimit" not in answer.headers
    assert asked == []


# --- what 304 costs ---------------------------------------------------------------------------------------------------

_FREE: Final = ("film/", "odds/", "luck/", "review/", "position/?event=1")


@pytest.mark.parametrize("what", _FREE)
def test_304_costs_nothing_even_above_the_limit(
    game: Replay, client: Client, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr("replays.watch.film.services.FILM_LIMIT._rate", "1/minute")
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "1/minute")
    address = f"/api/v1/replays/{game.pk}/{what}"
    tag = client.get(address).headers["ETag"]
    for _time in range(3):
        again = client.get(address, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
    assert client.get(address).status_code == 429


# --- the schema --------------------------------------------------------------------------------------------------------


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the limits that are asked."""
    names: set[str] = set()
    monkeypatch.setattr(rate_limits, "_note", lambda limit, _visitor: names.add(limit.name))
    return names


def declared_in(schema: dict[str, Any]) -> dict[tuple[str, str], set[str]]:
    """Return the limits of each operation."""
    return {
        (template, method): set(operation.get("x-rate-limits", ()))
        for template, operations in schema["paths"].items()
        for method, operation in operations.items()
    }


def test_operations_with_limits_declare_429_and_its_headers(schema: dict[str, Any]) -> None:
    declared = declared_in(schema)
    for (template, method), names in declared.items():
        responses = schema["paths"][template][method]["responses"]
        assert ("429" in responses) == bool(names), (template, method)
        if names:
            assert {"RateLimit", "RateLimit-Policy", "Retry-After"} == set(responses["429"]["headers"])
    assert len([names for names in declared.values() if names]) > 20


@pytest.mark.long(
    beside="tests/config/api/test_rate_limits.py::test_operations_with_limits_declare_429_and_its_headers"
)
def test_the_schema_declares_429_where_it_can_occur(
    world: World, schema: dict[str, Any], counted: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every operation is asked: those that come to a limit are those with 429, by the same names."""
    monkeypatch.setattr("replays.play.rooms.services.rooms_are_available", lambda: True)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for route, name, method in table():
        if not route.startswith("api-"):
            continue
        plain = reverse(route, kwargs=arguments_of(world, route, name))
        template = template_of(plain, schema["paths"])
        if template is None or method.lower() not in schema["paths"][template]:
            continue
        query = QUERIES.get(route, "").format(**world.numbers) if method == "GET" or route == "api-replay-clip" else ""
        clear_caches()
        counted.clear()
        for visitor in _ASKING:
            with undone():
                if (route, method) == ("api-replays", "POST"):
                    world.clients[visitor].post(plain, {"file": SimpleUploadedFile("a.rawvf", b"x")})
                elif method == "POST" and route in _BODIES:
                    world.clients[visitor].post(plain, _BODIES[route], content_type="application/json")
                else:
                    _send(world.clients[visitor], route, plain + query, method)
        found[template, method.lower()] |= counted
    declared = declared_in(schema)
    assert {key: names for key, names in found.items() if names} == {
        key: names for key, names in declared.items() if names
    }
