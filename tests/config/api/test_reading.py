"""Programs read the API from pages of other origins, and again without the content that they have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse

from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from players.web import rate_limits
from tests.api_schema import api_schema
from tests.config.test_permissions import World, arguments_of, table
from tests.config.test_permissions import ingest as ingest
from tests.config.test_permissions import store as store
from tests.config.test_permissions import world as world

ORIGIN: Final = "https://bot.example"
#: What is asked besides the plain address of a route.
QUERIES: Final = {
    "api-probability": "?position=1./..&mines=1",
    "api-replay-position": "?event=1",
    "api-replay-status": "?ids={ranked}",
    "api-search": "?q=expert",
    "api-replay-clip": "?from=0&to=1.5",
    "api-solver-games": "?level=beginner&rules=win7&stage=careful&seed=4",
}
#: Files hold what strangers wrote into them: a cache that others share has no use for them.
PRIVATE: Final = frozenset({"replays_file", "replays_rawvf"})
_STREAM: Final = "a stream of rows, which are read while they are sent: nobody has seen the last one at its beginning"
#: Operations that answer with all of their content the second time too.
ANEW: Final = {
    "leaderboard_rows": _STREAM,
    "leaderboard_combined_rows": _STREAM,
    "leaderboard_corpses_rows": _STREAM,
    "leaderboard_sub_rows": _STREAM,
    "events": "a stream that has no end",
    "players_ranks": "the history of a rank ends with the moment at which somebody asks",
}


class Read(NamedTuple):
    """An operation that anybody may ask, and an address of it."""

    operation: str
    address: str


def public_reads(world: World, schema: dict[str, Any]) -> Iterator[Read]:
    """Yield each operation of the schema that reads and needs no account, with addresses that have an answer."""
    templates = {
        template: operations["get"]["operationId"]
        for template, operations in schema["paths"].items()
        if {} in operations.get("get", {}).get("security", ())
    }
    for route, name, method in table():
        if not route.startswith("api-") or method != "GET":
            continue
        address = reverse(route, kwargs=arguments_of(world, route, name))
        if (template := template_of(address, templates)) is not None:
            query = QUERIES.get(route, "").format(**world.numbers)
            yield Read(templates[template], f"{address}{query}")


def template_of(address: str, templates: Any) -> str | None:
    """Return the template of the schema that ``address`` fits, the one with the fewest parts left open."""
    fitting = [one for one in templates if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", one), address)]
    return min(fitting, key=lambda one: one.count("{"), default=None)


@pytest.fixture
def schema(db: None) -> dict[str, Any]:
    return api_schema()


def ask(address: str, **headers: str) -> Any:
    """Ask as somebody who has no cookie yet."""
    return Client().get(
        address, headers={"Origin": ORIGIN, **{name.replace("_", "-"): headers[name] for name in headers}}
    )


class Answer(NamedTuple):
    """All that these tests look at, without what a stream holds open."""

    status_code: int
    content: bytes
    headers: Mapping[str, str]
    streaming: bool
    cookies: list[str]


def answer_of(response: Any) -> Answer:
    content = b"" if response.streaming else response.content
    return Answer(response.status_code, content, response.headers, response.streaming, list(response.cookies))


_ANSWERS: Final[dict[Read, tuple[Answer, Answer]]] = {}


@pytest.fixture
def answers(request: pytest.FixtureRequest, schema: dict[str, Any]) -> dict[Read, tuple[Answer, Answer]]:
    """Each public operation with its answer to a guest, and the answer to whoever has it already.

    They are asked once in a process: the tests read the same answers, each for something else.
    """
    if not _ANSWERS:
        for read in public_reads(request.getfixturevalue("world"), schema):
            rate_limits.reset()
            first = answer_of(ask(read.address))
            if first.status_code == 200:
                again = ask(read.address, If_None_Match=first.headers.get("ETag", '"none"'))
                _ANSWERS[read] = first, answer_of(again)
    return _ANSWERS


@pytest.mark.slow(why="the first of a file that reads every public address twice, for all of its tests")
def test_every_public_operation_is_read(answers: dict[Read, Any], schema: dict[str, Any]) -> None:
    everything = {
        operations["get"]["operationId"]
        for operations in schema["paths"].values()
        if {} in operations.get("get", {}).get("security", ())
    }
    assert everything == {read.operation for read in answers}
    assert set(ANEW) <= everything


def test_whatever_a_guest_reads_is_answered_304_the_second_time(answers: dict[Read, tuple[Answer, Answer]]) -> None:
    anew = set()
    for read, (first, again) in answers.items():
        if again.status_code == 200:
            anew.add(read.operation)
            continue
        assert (again.status_code, again.content) == (304, b""), read
        for name in ("ETag", "Cache-Control"):
            assert again.headers[name] == first.headers[name], (read, name)
        assert first.headers["Vary"].removesuffix(", Accept-Encoding") == again.headers["Vary"], read
    assert anew == set(ANEW)


def test_the_page_of_the_api_names_what_is_never_304() -> None:
    text = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
    (sentence,) = re.findall(r"answered 304.*?\.\n", text, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", sentence)) == set(ANEW)


def test_caches_may_keep_what_guests_read_whatever_their_cookies(answers: dict[Read, tuple[Answer, Answer]]) -> None:
    controls = set()
    for read, (first, _again) in answers.items():
        if read.operation == "events":
            assert first.headers["Cache-Control"] == "no-store"
            continue
        if first.streaming or read.operation in PRIVATE:
            assert first.headers["Cache-Control"].startswith("private"), read
            continue
        controls.add(first.headers["Cache-Control"])
        assert "Cookie" not in first.headers.get("Vary", ""), read
        assert not first.cookies, read
    assert controls == {"public, no-cache"}


@pytest.mark.long(
    beside="tests/config/api/test_reading.py::test_caches_may_keep_what_guests_read_whatever_their_cookies"
)
def test_no_cache_may_keep_what_an_account_reads(world: World, schema: dict[str, Any], owner: User) -> None:
    token = token_create(owner, "script", [Scope.READ])[1]
    for read in public_reads(world, schema):
        rate_limits.reset()
        for answer in (world.clients["owner"].get(read.address), ask(read.address, Authorization=f"Bearer {token}")):
            assert re.match("private|no-store", answer.headers["Cache-Control"]), (read, answer.headers)


def test_pages_of_other_origins_read_everything_without_cookies(answers: dict[Read, tuple[Answer, Answer]]) -> None:
    for read, both in answers.items():
        for answer in both:
            assert answer.headers["Access-Control-Allow-Origin"] == "*", read
            assert "Access-Control-Allow-Credentials" not in answer.headers
            exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
            assert {"etag", "link", "location", "ratelimit", "ratelimit-policy", "retry-after"} <= set(exposed)


@pytest.mark.django_db
def test_errors_can_be_read_by_other_origins_and_are_kept_by_nobody(client: Client) -> None:
    answer = client.get("/api/v1/replays/999999/", headers={"Origin": ORIGIN})
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (404, "*")
    assert "ETag" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_the_first_question_of_a_browser_allows_tokens(client: Client, method: str) -> None:
    answer = client.options(
        "/api/v1/replays/",
        headers={
            "Origin": ORIGIN,
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "authorization,content-type,if-none-match,last-event-id",
        },
    )
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"authorization", "content-type", "if-none-match", "last-event-id"} <= set(allowed)
    assert method in answer.headers["Access-Control-Allow-Methods"].split(", ")
    assert int(answer.headers["Access-Control-Max-Age"]) >= 3_600


@pytest.mark.django_db
def test_pages_are_not_for_other_origins(client: Client) -> None:
    assert "Access-Control-Allow-Origin" not in client.get("/help/", headers={"Origin": ORIGIN}).headers
