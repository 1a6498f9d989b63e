"""Every error under ``/api/`` is a problem (RFC 9457) with a code of the table, which is documented."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any
from uuid import UUID

import pytest
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.utils import timezone
from pytest_django import Settings

from analysis import warmup
from config.urls import urlpatterns as site_urls
from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from players.web.problems import PROBLEMS, Refused
from replays.play.models import Room, RoomBoard
from tests.api_schema import api_schema
from tests.cases import check_each_on_site
from tests.effort import rest_long
from tests.factories import stored_replay
from tests.pages.html import Document
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file
from tests.replays.play.solo.test_pages import live_game

pytestmark = pytest.mark.django_db
CORNER = "/api/v1/probability/?position=1./..&mines=1"


def _breaks(_request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a fault of ours")


def _suspicious(_request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation


urlpatterns = [*site_urls, path("api/breaks", _breaks), path("api/suspicious", _suspicious)]


def assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json"), response.content
    problem: dict[str, Any] = json.loads(response.content)
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["type"].endswith(f"/api/v1/docs/errors/#{code}")
    assert problem["title"] == HTTPStatus(status).phrase
    assert problem["detail"]
    assert {"type", "title", "status", "detail", "code"} <= set(problem)
    return problem


def test_errors_of_reading(client: Client) -> None:
    def is_a_problem(address: str, status: int, code: str) -> None:
        response = client.get(address)
        problem = assert_problem(response, status, code)
        names_fields = code in ("bad_parameter", "ragged_rows") or "?uploader" in address or "?status" in address
        assert ("errors" in problem) == names_fields
        assert ("WWW-Authenticate" in response) == (status == 401)

    cases = [
        ("/api/", 404, "not_found"),
        ("/api/v1/nothing/", 404, "not_found"),
        ("/api/v1/replays/abc/", 404, "not_found"),
        ("/api/v1/replays/999999999/", 404, "not_found"),
        ("/api/v1/replays/999999999/file", 404, "not_found"),
        ("/api/v1/replays/999999999/luck/", 404, "not_found"),
        ("/api/v1/me/uploads/", 401, "not_authenticated"),
        ("/api/v1/players/0/", 404, "not_found"),
        ("/api/v1/leaderboards/hard/time/", 404, "unknown_board"),
        ("/api/v1/leaderboards/sub/expert/1/", 404, "unknown_board"),
        ("/api/v1/players/?cursor=forged", 400, "bad_cursor"),
        ("/api/v1/players/?format=csv", 400, "bad_parameter"),
        ("/api/v1/replays/?uploader=me", 401, "not_authenticated"),
        ("/api/v1/replays/?status=queued", 401, "not_authenticated"),
        ("/api/v1/probability/?position=8./..&mines=1", 422, "impossible_position"),
        ("/api/v1/probability/?position=1./.&mines=1", 400, "ragged_rows"),
        ("/api/v1/schema?lang=xx", 400, "bad_parameter"),
        ("/api/v1/schema?version=%0a", 400, "bad_parameter"),
    ]
    check_each_on_site(is_a_problem, cases)


def test_a_wrong_parameter_of_a_player_is_not_an_unknown_player(client: Client, owner: User) -> None:
    problem = assert_problem(client.get(f"/api/v1/players/{owner.player.pk}/?format=csv"), 400, "bad_parameter")
    assert problem["errors"] == {"format": "Unknown parameter."}


def test_errors_of_authentication(client: Client, owner: User) -> None:
    bad = client.get("/api/v1/players/", headers={"authorization": "Token nobody"})
    assert_problem(bad, 401, "bad_token")
    assert bad["WWW-Authenticate"] == "Token"
    assert_problem(client.post("/api/v1/replays/", {}), 401, "not_authenticated")
    key = token_create(owner, "upload only", [Scope.UPLOAD])[1]
    assert_problem(client.get("/api/v1/players/", headers={"authorization": f"Bearer {key}"}), 403, "scope_missing")
    checking = Client(enforce_csrf_checks=True)
    checking.force_login(owner)
    assert_problem(checking.post("/api/v1/replays/", {}), 403, "csrf_failed")


def test_errors_of_the_method_and_of_types(client: Client, owner: User) -> None:
    for address in ("/api/v1/players/", "/api/v1/docs/", "/api/v1/docs/start/", "/api/v1/schema"):
        response = client.delete(address)
        assert_problem(response, 405, "method_not_allowed")
        assert "GET" in response["Allow"]
    assert_problem(client.get("/api/v1/players/", headers={"accept": "text/html"}), 406, "not_acceptable")
    assert_problem(client.post("/api/v1/probability/", {"rows": "1."}), 415, "unsupported_media_type")
    assert_problem(client.post("/api/v1/probability/", "{", content_type="application/json"), 400, "bad_request")
    wrong = client.generic("POST", "/api/v1/probability/", b"x", content_type="application/json; charset=hex")
    assert_problem(wrong, 400, "bad_charset")


def test_errors_of_uploads(
    owner: User, owner_client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    def upload(*files: bytes) -> Any:
        return owner_client.post("/api/v1/replays/", {"file": [SimpleUploadedFile("a.avf", data) for data in files]})

    assert_problem(upload(), 400, "no_file")
    problem = assert_problem(upload(b"", b""), 400, "files_refused")
    assert [receipt["code"] for receipt in problem["receipts"]] == ["empty", "empty"]
    assert "a.avf: The file is empty." in problem["detail"]
    monkeypatch.setattr("analysis.limits.UPLOAD_MAX_FILES", 1)
    assert_problem(upload(b"1", b"2"), 400, "too_many_files")
    settings.UPLOAD_QUOTA_FILES = 3
    response = [upload(game_file(seed)) for seed in range(1, 5)][-1]
    assert_problem(response, 429, "quota_files")
    assert int(response["Retry-After"]) > 0


def test_bodies_that_are_refused_before_the_view() -> None:
    from config.http.application import _refusal

    for status, code in ((413, "body_too_large"), (401, "not_authenticated"), (507, "storage_full")):
        error = Refused(code, "too much")
        answer = _refusal(error, {"path": "/api/v1/replays/"})  # type: ignore[typeddict-item]  # all that it reads
        problem = json.loads(answer.body)
        assert (answer.status, dict(answer.headers)[b"content-type"]) == (status, b"application/problem+json")
        assert (problem["code"], problem["status"], problem["detail"]) == (code, status, "too much")


def test_a_site_that_is_getting_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "is_ready", lambda _name: False)
    monkeypatch.setattr("replays.upload.kernels.compile_beside", lambda: None)
    response = client.get(CORNER)
    assert_problem(response, 503, "getting_ready")
    assert response["Retry-After"] == "5"


@pytest.mark.urls("tests.config.api.test_problems")
def test_faults_and_what_django_refuses() -> None:
    quiet = Client(raise_request_exception=False)
    assert_problem(quiet.get("/api/breaks"), 500, "server_error")
    assert_problem(quiet.get("/api/suspicious"), 400, "bad_request")
    assert quiet.get("/nothing/")["Content-Type"].startswith("text/html")


def test_problems_are_in_the_language_of_the_client(client: Client) -> None:
    problem = client.get("/api/v1/players/?size=0", headers={"accept-language": "zh-hans"}).json()
    assert problem["detail"] == "size 必须在 1 和 200 之间。"


def test_every_code_is_documented_at_the_address_of_its_type(client: Client) -> None:
    page = client.get("/api/v1/docs/errors/").content.decode()
    for code in PROBLEMS:
        assert f'id="{code}"' in page, code
    assert Document(page).text.count("Retry-After") >= 2


def test_every_code_of_a_position_is_in_the_table() -> None:
    from replays.odds.positions.refusal import CODES, SENTENCES

    assert {CODES.get(kind, kind) for kind in SENTENCES} <= set(PROBLEMS)


@pytest.mark.long(beside="tests/config/api/test_problems.py::test_every_style_is_taken_wherever_there_is_a_style")
def test_the_index_links_to_what_there_is(client: Client) -> None:
    body = client.get("/api/v1/").json()
    assert body["version"] == "1.0.0"
    for word, address in body["links"].items():
        assert client.get(address).status_code == (400 if word in ("probability", "replay_status") else 200), word


# --- parameters: one rule ---------------------------------------------------------------------------------------------


def place_of(address: str, number: int | UUID, room: Room) -> str:
    """An ``address`` of the schema with values for its parts; ``number``: of whatever it is about."""
    return address.format(
        id=number, level="expert", statistic="stnb", n=40, slug=room.slug, epoch=1, name="progress", other=number,
        kind="csv", event=40,
    )  # fmt: skip


@pytest.mark.parametrize("query", ["nothing=1", "format=csv"])
def test_unknown_parameters_are_refused_everywhere(owner: User, staff_client: Client, query: str) -> None:
    stored_replay(owner.player, pk=owner.player.pk)
    room = Room.objects.create(name="Friday evening")
    started = RoomBoard(room=room, epoch=1, start_number=1_437_341, started_at=timezone.now())
    started.ended_at = started.started_at
    started.save()
    paths = api_schema()["paths"]
    reading = ["/api/v1/schema", *(address for address, operations in paths.items() if "get" in operations)]
    assert len(reading) > 20
    for address in reading:
        if query == "format=csv" and address == "/api/v1/replays/":
            continue  # a filter there
        number = live_game(state="over").pk if "/games/" in address else owner.player.pk
        place = place_of(address, number, room)
        problem = assert_problem(staff_client.get(f"{place}?{query}"), 400, "bad_parameter")
        assert next(iter(problem["errors"])) == query.partition("=")[0], address


@pytest.mark.parametrize(
    ("name", "values"),
    rest_long(
        ("style", ["n f", "best", "alle"]),
        ("size", ["abc", "0", "-1", "201", "1.5", "²", "9" * 30]),
        ("country", ["germany", "d", "1", "d1"]),
        ("player", ["x", "0", "1.0"]),
        ("level", ["hard", "experts"]),
    ),
)
def test_the_same_wrong_value_is_refused_alike_everywhere(
    owner: User, staff_client: Client, name: str, values: list[str]
) -> None:
    client = staff_client
    stored_replay(owner.player, pk=owner.player.pk)
    room = Room.objects.create(name="Friday evening")
    schema = api_schema()
    taking = [
        place_of(address, owner.player.pk, room)
        for address, operations in schema["paths"].items()
        for one in operations.get("get", {}).get("parameters", [])
        if one["in"] == "query" and one["name"] == name
    ]
    taking = [address for address in taking if client.get(address).status_code == 200]
    assert len(taking) >= 2
    for value in values:
        problems = [client.get(address, {name: value}) for address in taking]
        texts = {assert_problem(response, 400, "bad_parameter")["errors"][name] for response in problems}
        # Lists have more levels than boards, and name them.
        assert len(texts) == 1 or name == "level", (name, value, texts)
    for address in taking:
        assert client.get(address, {name: ""}).status_code == client.get(address).status_code


def test_every_style_is_taken_wherever_there_is_a_style(client: Client) -> None:
    for address in ("/api/v1/replays/", "/api/v1/records/", "/api/v1/leaderboards/expert/time/", "/replays/"):
        for style in ("all", "NF", "FL"):
            assert client.get(address, {"style": style}).status_code == 200


def test_no_more_than_200_statuses_at_once(client: Client, owner: User) -> None:
    many = ",".join(map(str, range(1, 202)))
    problem = assert_problem(client.get("/api/v1/replays/status/", {"ids": many}), 400, "bad_parameter")
    assert problem["errors"] == {"ids": "At most 200 IDs."}
    assert client.get("/api/v1/replays/status/", {"ids": many.rpartition(",")[0]}).json() == {"rows": []}
    assert "ids" in assert_problem(client.get("/api/v1/replays/status/"), 400, "bad_parameter")["errors"]
