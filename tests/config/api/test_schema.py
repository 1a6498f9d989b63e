"""The schema and the addresses in responses: enumerations, access, errors, ``url`` and ``html_url``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from analysis.recording import Level
from analysis.statistics import STATISTICS
from players.models import User
from replays.models import Replay
from tests.api_schema import api_schema
from tests.factories import rank_replays, stored_replay
from tests.pages.conftest import board_of
from tests.replays.conftest import Ingest, ingest, store  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db
#: Words that generated clients have for themselves.
_OF_LANGUAGES = {"cls", "self", "class", "from", "import", "def", "none", "true", "false"}


@pytest.fixture
def schema() -> dict[str, Any]:
    return api_schema()


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for address, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield address, method, operation


def test_the_enumerations_are_complete(schema: dict[str, Any]) -> None:
    components = schema["components"]["schemas"]
    assert set(components["StatisticKindEnum"]["enum"]) == {row.data_class.value for row in STATISTICS}
    assert set(components["StatisticBetterEnum"]["enum"]) == {row.better.value for row in STATISTICS}
    for name in ("level", "mode", "style", "result"):
        assert components["Replay"]["properties"][name]["nullable"] is True


def test_no_field_has_a_name_that_breaks_generated_clients(schema: dict[str, Any]) -> None:
    names = {name for one in schema["components"]["schemas"].values() for name in one.get("properties", {})}
    assert names & _OF_LANGUAGES == set()


def test_a_replay_that_waits_has_null_and_no_links_that_do_not_work(
    ingest: Ingest, owner: User, owner_client: Client  # noqa: F811
) -> None:  # fmt: skip
    row = ingest(b"no replay", uploader=owner)
    body = owner_client.get(f"/api/v1/replays/{row.pk}/").json()
    assert {body[name] for name in ("level", "mode", "style", "result")} == {None}
    assert {name for name, link in body["links"].items() if link} == {"file"}
    assert owner_client.get(body["links"]["file"]).status_code == 200
    listed = owner_client.get("/api/v1/replays/", {"status": "rejected"}).json()["rows"][0]
    assert listed["links"] == body["links"]


def test_public_operations_are_public_and_others_are_not(schema: dict[str, Any]) -> None:
    private = {operation["operationId"] for _a, _m, operation in operations(schema) if {} not in operation["security"]}
    assert private == {
        "replays_upload", "replays_change", "replays_delete", "viewer_settings_store", "me", "me_batch",
        "me_batch_files", "me_batches_start", "me_known_files", "me_uploads", "me_uploads_delete", "account_export",
    }  # fmt: skip


def test_every_operation_declares_its_errors_as_problems(schema: dict[str, Any]) -> None:
    for address, method, operation in operations(schema):
        codes = set(operation["responses"])
        assert {"400", "401"} <= codes, address
        assert ("404" in codes) or "{" not in address, address
        if method == "post":
            assert {"403", "413", "415"} <= codes, address
        for code, response in operation["responses"].items():
            if code >= "400":
                assert list(response["content"]) == ["application/problem+json"], (address, code)
    assert "503" in schema["paths"]["/api/v1/probability/"]["get"]["responses"]
    binary = schema["paths"]["/api/v1/replays/{id}/file"]["get"]["responses"]["200"]["content"]
    assert binary == {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


def objects_with_addresses(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "url" in value:
            yield value
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from objects_with_addresses(inner)


@pytest.mark.long(
    beside="tests/config/api/test_schema.py::test_a_replay_that_waits_has_null_and_no_links_that_do_not_work"
)
def test_url_is_of_the_api_and_html_url_of_the_page_everywhere(owner: User, owner_client: Client) -> None:
    replay: Replay = stored_replay(owner.player, uploader=owner, board=board_of(Level.EXPERT))
    rank_replays([replay])
    of_player, of_board = f"players/{owner.player.pk}/", "leaderboards/expert/time/"
    found = 0
    for address in (
        "replays/", f"replays/{replay.pk}/", f"replays/status/?ids={replay.pk}", "players/", of_player, "leaderboards/",
        of_board, f"{of_board}history/", f"{of_player}ranks/expert/time/", "records/",
        "records/holders/",
    ):  # fmt: skip
        given = list(objects_with_addresses(owner_client.get(f"/api/v1/{address}").json()))
        assert given, address
        for one in given[:3]:
            assert owner_client.get(one["url"])["Content-Type"] == "application/json"
            assert owner_client.get(one["html_url"])["Content-Type"] == "text/html; charset=utf-8"
            assert owner_client.get(one["html_url"]).status_code == 200
            found += 1
    assert found >= 12
