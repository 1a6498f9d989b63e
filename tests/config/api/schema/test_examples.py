"""The examples of the schema are true: each is asked again here, and the answer held against the schema and the example.

``make examples`` writes those that are missing or have another shape by now.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

import pytest
from django.http import HttpResponse

from analysis.recording import Level
from config.api.examples import FILE, examples
from players.models import Identity, Player, User
from tests.api_schema import api_schema
from tests.caches import clear_caches
from tests.config.api.schema.answer_schemas import problems_of
from tests.config.api.schema.example_requests import Request, parameters_of, requests_of, send
from tests.config.test_permissions import World
from tests.config.test_permissions import ingest as ingest
from tests.config.test_permissions import store as store
from tests.config.test_permissions import world as world
from tests.replays.conftest import Ingest
from tests.replays.games import game_file
from tests.transactions import undone

_SITE: Final = b"https://sweepbook.example"
_LONGEST: Final = 2
_MOST_CHARS: Final = 400


@pytest.fixture
def example_world(world: World, ingest: Ingest, other_player: User) -> World:
    """The site of the table of permissions, with two players and games of every level."""
    other = Player.objects.get(user=other_player)
    Identity.objects.create(name=other.name, player=other, first_player=other, state="claimed", claimant=other_player)
    for seed, level in enumerate((Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT), 3):
        ingest(game_file(seed, level, player=other.name), uploader=other_player)
    ingest(game_file(4, player="owner"), uploader=other_player)
    Player.objects.update(country="DE")
    return world


@pytest.fixture
def schema(db: None) -> dict[str, Any]:
    return api_schema()


def test_an_example_is_answered_as_it_says(example_world: World, schema: dict[str, Any]) -> None:
    requests = dict(requests_of(example_world, schema))
    some = ("leaderboard", "players_detail", "replays_detail", "probability")
    made, wrong = asked_again(example_world, schema, {operation: requests[operation] for operation in some})
    assert not wrong
    assert {operation: shape_of(made[operation]) for operation in some} == {
        operation: shape_of(examples()[operation]) for operation in some
    }


@pytest.mark.long(beside="tests/config/api/schema/test_examples.py::test_an_example_is_answered_as_it_says")
def test_every_example_is_answered_as_it_says(example_world: World, schema: dict[str, Any]) -> None:
    made, wrong = asked_again(example_world, schema, dict(requests_of(example_world, schema)))
    if os.environ.get("SWEEPBOOK_WRITE_EXAMPLES"):
        _write(made)
    by_id = operations_by_id(schema)
    known = examples()
    wrong += [f"{operation}: no such operation" for operation in known.keys() - by_id.keys()]
    wrong += [f"{operation}: no example; run `make examples`" for operation in by_id.keys() - known.keys()]
    wrong += [
        f"{operation}: `make examples` would write another one: {shape_of(one)} != {shape_of(known[operation])}"
        for operation, one in made.items()
        if operation in known and shape_of(one) != shape_of(known[operation])
    ]
    assert not wrong, "\n".join(wrong)
    assert len(made) > 60


def test_no_example_names_the_site_of_the_tests() -> None:
    assert "testserver" not in FILE.read_text(encoding="utf-8")


def asked_again(
    world: World,
    schema: dict[str, Any],
    requests: dict[str, Request],
) -> tuple[dict[str, Any], list[str]]:
    """Return the example of each request as it is now, and what is wrong with the answers."""
    by_id = operations_by_id(schema)
    made: dict[str, Any] = {}
    wrong = []
    for operation, request in requests.items():
        clear_caches()  # of all together one visitor would ask too often
        with undone():
            answer = send(world, request)
            if answer.status_code >= 300:
                wrong.append(f"{operation}: {answer.status_code} {answer.content.decode()[:300]}")
                continue
            made[operation] = example_of(request, answer, by_id[operation])
            wrong += [f"{operation}: {one}" for one in _problems(answer, by_id[operation], schema)]
    return made, wrong


def operations_by_id(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["operationId"]: one for methods in schema["paths"].values() for one in methods.values()}


def _problems(answer: Any, operation: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """Return where ``answer`` is none that ``operation`` declares."""
    response = operation["responses"].get(str(answer.status_code))
    if response is None:
        return [f"{answer.status_code} is not declared"]
    content = response.get("content", {})
    if not content:
        return []
    kind = _content_type(answer)
    if kind not in content:
        return [f"{kind} is not declared"]
    if not kind.endswith("json") or answer.streaming:
        return []
    return problems_of(answer.json(), content[kind]["schema"], schema["components"]["schemas"])


def example_of(request: Request, answer: Any, operation: dict[str, Any]) -> dict[str, Any]:
    """Return what is kept of a request and its answer; long lists and texts are cut."""
    made: dict[str, Any] = {"parameters": parameters_of(request), "status": answer.status_code}
    if request.asked.body is not None and "requestBody" in operation:
        made |= {"body": request.asked.body, "body_type": "application/json"}
    kind = _content_type(answer)
    if kind in operation["responses"].get(str(answer.status_code), {}).get("content", {}):
        data = b"".join(answer.streaming_content) if answer.streaming else answer.content
        data = data.replace(b"http://testserver", _SITE)
        if kind.endswith("/json"):
            made |= {"answer": shortened(json.loads(data)), "answer_type": kind}
        elif kind.startswith("text/"):
            made |= {"answer": data.decode("utf-8-sig")[:_MOST_CHARS], "answer_type": kind}
    return made


def _content_type(answer: HttpResponse) -> str:
    return answer.headers.get("Content-Type", "").partition(";")[0]


def shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: shortened(one) for name, one in value.items()}
    if isinstance(value, list):
        return [shortened(one) for one in value[:_LONGEST]]
    return value


def shape_of(value: Any) -> Any:
    """Return ``value`` with the kind of each value in its place: times and numbers differ from run to run."""
    if isinstance(value, dict):
        return {name: shape_of(one) for name, one in value.items() if name != "parameters"}
    if isinstance(value, list):
        return [shape_of(one) for one in value[:1]]
    if isinstance(value, bool) or value is None:
        return type(value).__name__
    return "number" if isinstance(value, int | float) else "text"


def _write(made: dict[str, dict[str, Any]]) -> None:
    """Write the examples, those of before where nothing but values differs."""
    known = examples()
    kept = {
        name: known[name] if name in known and shape_of(known[name]) == shape_of(one) else one
        for name, one in made.items()
    }
    FILE.write_text(json.dumps(dict(sorted(kept.items())), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    examples.cache_clear()


def test_a_wrong_answer_is_found() -> None:
    components = {
        "Row": {"type": "object", "properties": {"id": {"type": "integer", "nullable": True}}, "required": ["id"]}
    }
    schema = {"type": "array", "items": {"$ref": "#/components/schemas/Row"}}
    assert problems_of([{"id": 1}, {"id": None}], schema, components) == []
    answers: list[object] = [[{"id": "1"}], [{}], [{"id": 1, "more": 2}], {}]
    assert all(problems_of(answer, schema, components) for answer in answers)
