"""The rule that an answer of the API never has an empty text: null stands for nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from players.web import rate_limits
from replays.models import Replay
from tests.config.test_permissions import _BODIES, VISITORS, Row, World, arguments_of, table
from tests.config.test_permissions import ingest as ingest
from tests.config.test_permissions import store as store
from tests.config.test_permissions import world as world
from tests.replays.games import game_file
from tests.transactions import undone

#: The schema describes answers; the description of a response is required there, and may be empty.
_NOT_ANSWERS = {"api-schema"}


def empty_texts(value: Any, where: str = "") -> Iterator[str]:
    """Yield where in ``value`` an empty text is."""
    if value == "":
        yield where
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from empty_texts(one, f"{where}.{key}")


def answers(world: World, visitor: str) -> Iterator[tuple[Row, Any]]:
    """Yield what ``visitor`` is answered in JSON at each address of the API; changes are undone."""
    client = world.clients[visitor]
    for route, name, method in table():
        if not route.startswith("api-") or route in _NOT_ANSWERS:
            continue
        address = reverse(route, kwargs=arguments_of(world, route, name))
        body = "" if method == "GET" else json.dumps(_BODIES.get(route, {}))
        rate_limits.reset()  # of all together one visitor would ask too often
        with undone():
            answer = client.generic(method, address, body, content_type="application/json")
        if answer.headers.get("Content-Type", "").endswith("json") and not answer.streaming and answer.content:
            yield (route, name, method), answer.json()


@pytest.mark.long(beside="tests/config/api/test_empty_texts.py::test_no_receipt_has_an_empty_text")
def test_no_answer_has_an_empty_text(world: World) -> None:
    Replay.objects.update(software="", original_name="", judgement_code="")
    wrong: dict[tuple[str, Row], list[str]] = {}
    for visitor in (VISITORS[0], "owner", "staff"):
        found = dict(answers(world, visitor))
        assert len({route for route, _name, _method in found}) > 40, visitor
        wrong |= {(visitor, row): places for row, body in found.items() if (places := list(empty_texts(body)))}
    assert wrong == {}


def test_no_receipt_has_an_empty_text(world: World) -> None:
    client: Client = world.clients["owner"]
    sent = (game_file(7), b"", game_file(7))
    files = [SimpleUploadedFile(f"{number}.rawvf", data) for number, data in enumerate(sent)]
    receipts = client.post("/api/v1/replays/", {"files": files}).json()["receipts"]
    assert [(one["outcome"], one["code"]) for one in receipts] == [
        ("stored", None),
        ("refused", "empty"),
        ("duplicate", "duplicate_file"),
    ]
    stored, refused, _duplicate = receipts
    assert (stored["message"], refused["status"], refused["id"]) == (None, None, None)
    statuses = client.get(f"/api/v1/replays/status/?ids={stored['id']}").json()
    assert list(empty_texts([receipts, statuses])) == []
