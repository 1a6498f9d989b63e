from __future__ import annotations

import random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from analysis.limits import MAX_REPLAY_BYTES
from analysis.recording import Level
from analysis.statistics import STORED
from players.models import Player, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import Replay, file_store
from tests.api_schema import api_schema
from tests.factories import replay_of
from tests.replays.conftest import Ingest
from tests.replays.games import avf_file, game_file, other_wrapper
from tests.replays.upload.intake.test_archives import archive

pytestmark = pytest.mark.django_db
URL = "/api/v1/replays/"


def upload(client: Client, *contents: bytes, field: str = "file", name: str = "game.rawvf") -> Any:
    return client.post(URL, {field: [SimpleUploadedFile(name, data) for data in contents]})


def receipts(response: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = response.json()["receipts"]
    return found


# --- upload -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["file", "files"])
def test_one_upload(field: str, owner: User, owner_client: Client) -> None:
    response = upload(owner_client, game_file(), field=field)
    row = Replay.objects.get()
    assert response.status_code == 202
    assert receipts(response) == [
        {
            "name": "game.rawvf", "outcome": "stored", "id": row.pk, "url": f"{URL}{row.pk}/",
            "html_url": f"/replays/{row.pk}/", "status": "queued", "code": None, "message": None,
        }
    ]  # fmt: skip
    assert row.uploader == owner


def test_many_uploads_with_every_outcome(owner_client: Client, ingest: Ingest) -> None:
    known = ingest(game_file(1))
    response = upload(owner_client, game_file(1), game_file(2), b"", archive(("a.avf", b"x"), ("b.avf", b"x")))
    assert response.status_code == 202
    assert [(one["outcome"], one["code"]) for one in receipts(response)] == [
        ("duplicate", "duplicate_file"),
        ("stored", None),
        ("refused", "empty"),
        ("stored", None),
        ("duplicate", "duplicate_file"),
    ]
    assert (receipts(response)[0]["id"], receipts(response)[0]["status"]) == (known.pk, "done")
    assert receipts(response)[2]["url"] is None


def test_the_http_status_says_whether_any_file_is_new(owner_client: Client) -> None:
    assert upload(owner_client, game_file()).status_code == 202
    assert upload(owner_client, game_file()).status_code == 200
    assert upload(owner_client, b"", bytes(MAX_REPLAY_BYTES + 1)).status_code == 400


def test_a_whole_request_may_be_refused(owner_client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    response = owner_client.post(URL, {})
    assert (response.status_code, response.json()["code"]) == (400, "no_file")
    monkeypatch.setattr("analysis.limits.UPLOAD_MAX_FILES", 2)
    response = upload(owner_client, b"1", b"2", b"3")
    assert (response.status_code, response.json()["code"]) == (400, "too_many_files")
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    response = upload(owner_client, b"1", b"2", b"3")
    assert (response.status_code, response.json()["code"]) == (400, "too_many_files")
    assert not Replay.objects.exists()


@pytest.mark.parametrize("check_csrf", [False, True])
def test_a_broken_body_is_400(check_csrf: bool, owner: User) -> None:
    client = Client(enforce_csrf_checks=check_csrf)
    client.force_login(owner)
    response = client.generic("POST", URL, b"nonsense", content_type="multipart/form-data; boundary=")
    assert response.status_code in {400, 403}
    assert response.json()
    assert client.post(URL, {"a": 1}, content_type="application/json").status_code in {403, 415}


def test_visitors_must_sign_in_unless_anonymous_uploads_are_allowed(anonymous: Client, settings: Any) -> None:
    assert upload(anonymous, game_file()).status_code in {401, 403}
    assert not Replay.objects.exists()
    settings.ANONYMOUS_UPLOADS = True
    assert upload(anonymous, game_file()).status_code == 202
    assert Replay.objects.get().uploader is None


def test_a_token_is_enough(owner: User, anonymous: Client) -> None:
    _token, key = token_create(owner, "script", [Scope.UPLOAD])
    response = anonymous.post(
        URL, {"file": SimpleUploadedFile("a", game_file())}, headers={"authorization": f"Token {key}"}
    )
    assert response.status_code == 202
    assert Replay.objects.get().uploader == owner


def test_an_unknown_token_is_401(anonymous: Client) -> None:
    response = anonymous.post(URL, {}, headers={"authorization": "Token nobody"})
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Token"


def test_a_session_needs_the_form_token(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert upload(client, game_file()).status_code == 403


def test_files_are_counted_and_not_requests(owner_client: Client, other_client: Client, settings: Settings) -> None:
    settings.UPLOAD_QUOTA_FILES = 4
    assert upload(owner_client, b"1", b"2").status_code == 202
    assert upload(owner_client, archive(("a", b"3"), ("b", b"4"))).status_code == 202
    refused = upload(owner_client, b"5")
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert upload(other_client, b"5").status_code == 202
    assert owner_client.get(URL).status_code == 200


@pytest.mark.usefixtures("no_counts")
def test_a_counter_that_is_down_refuses_nobody(owner_client: Client) -> None:
    assert upload(owner_client, game_file()).status_code == 202


# --- list and detail --------------------------------------------------------------------------------------------------


@pytest.fixture
def replays() -> list[Replay]:
    player = Player.objects.create(name="<b>player</b>")
    source = random.Random(1)
    return Replay.objects.bulk_create(
        replay_of(player, [Level.BEGINNER, Level.EXPERT][number % 2], time_ms=1000 * number + 1000, source=source)
        for number in range(12)
    )


def test_the_list_holds_every_statistic(replays: list[Replay], anonymous: Client) -> None:
    body = anonymous.get(URL).json()
    first = body["rows"][0]
    assert first["id"] == replays[-1].pk
    assert {row.name: first["statistics"][row.public] for row in STORED} == {
        row.name: replays[-1].statistic(row.name) for row in STORED
    }
    assert not first.keys() & {row.name for row in STORED}
    assert first["player"]["name"] == "<b>player</b>"
    assert first["links"]["file"] == f"{URL}{first['id']}/file"
    assert first["links"]["rawvf"] == f"{URL}{first['id']}/rawvf"


def test_the_list_is_paged_sorted_and_filtered(replays: list[Replay], anonymous: Client) -> None:
    query = {"level": "expert", "sort": "-time", "time__gte": "3", "size": "2"}
    times, cursor = [], ""
    while True:
        body = anonymous.get(URL, query | {"cursor": cursor}).json()
        times += [row["statistics"]["time"] for row in body["rows"]]
        if body["next_cursor"] is None:
            break
        cursor = body["next_cursor"]
    assert times == [12.0, 10.0, 8.0, 6.0, 4.0]
    assert body["previous_cursor"]


def test_format_is_a_filter(replays: list[Replay], anonymous: Client) -> None:
    Replay.objects.filter(pk=replays[0].pk).update(format="rawvf")
    rows = anonymous.get(URL, {"format": "rawvf"}).json()["rows"]
    assert [row["id"] for row in rows] == [replays[0].pk]
    assert "format" in anonymous.get(URL, {"format": "doc"}).json()["errors"]


@pytest.mark.parametrize(
    ("query", "code"),
    [({"password": "x"}, "bad_parameter"), ({"sort": "time"}, "bad_parameter"), ({"cursor": "x"}, "bad_cursor")],
)
def test_bad_parameters_are_400(query: dict[str, str], code: str, anonymous: Client) -> None:
    response = anonymous.get(URL, query)
    assert (response.status_code, response.json()["code"]) == (400, code)
    assert response.json()["detail"]


@pytest.mark.parametrize("size", ["0", "-1", "x", "99999999999999999999", "²"])
def test_a_bad_size_is_refused(size: str, anonymous: Client) -> None:
    response = anonymous.get(URL, {"size": size})
    assert (response.status_code, response.json()["code"]) == (400, "bad_parameter")


@pytest.mark.parametrize("size", [2, 10])
def test_the_list_is_one_query(
    size: int, replays: list[Replay], anonymous: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        anonymous.get(URL, {"size": size})


def test_the_detail(ingest: Ingest, anonymous: Client, django_assert_num_queries: Any) -> None:
    row = ingest(game_file(), name="名.rawvf")
    with django_assert_num_queries(3):  # the row, likes, comments
        body = anonymous.get(f"{URL}{row.pk}/").json()
    assert (body["original_name"], body["identifier"], body["sha256"]) == ("名.rawvf", "Ada Bot", row.sha256)
    assert body["board"]["mines"] == [
        "".join("*" if cell else "." for cell in line) for line in row.board_object().mines.tolist()
    ]
    text = "RawVF is plain text without a seal: anyone can edit it."
    assert body["findings"] == [{"code": "text_format", "params": {}, "text": text}]
    assert body["statistics"]["time"] == row.statistic("time")


def test_others_do_not_see_what_was_rejected(
    ingest: Ingest, owner: User, owner_client: Client, other_client: Client, anonymous: Client
) -> None:
    row = ingest(b"bad", uploader=owner)
    body = owner_client.get(f"{URL}{row.pk}/").json()
    assert (body["status"], body["reject_code"]) == ("rejected", "unknown_format")
    assert body["reject_text"]
    for client in (other_client, anonymous):
        assert client.get(f"{URL}{row.pk}/").status_code == 404
        assert client.get(f"{URL}{row.pk}/file").status_code == 404
        assert client.get(f"{URL}status/", {"ids": row.pk}).json() == {"rows": []}


def test_a_linked_game_names_the_other(ingest: Ingest, owner: User, owner_client: Client) -> None:
    first = ingest(avf_file(), uploader=owner)
    second = ingest(other_wrapper(avf_file()), uploader=owner)
    rows = owner_client.get(f"{URL}status/", {"ids": f"{first.pk},{second.pk}"}).json()["rows"]
    assert [(row["status"], row["code"]) for row in rows] == [("done", None)] * 2
    body = owner_client.get(f"{URL}{second.pk}/").json()
    assert (body["judgement"], body["judgement_code"]) == ("linked", "same_game")
    assert f"#{first.pk}" in body["judgement_text"]


@pytest.mark.parametrize("ids", ["", "x", "1,,2", "1" * 30, "-1"])
def test_bad_ids(ids: str, anonymous: Client) -> None:
    response = anonymous.get(f"{URL}status/", {"ids": ids})
    assert response.status_code == 400
    assert response.json()["code"] == "bad_parameter"
    assert list(response.json()["errors"]) == ["ids"]


# --- the file ---------------------------------------------------------------------------------------------------------


def test_the_original_bytes_come_back_safely(ingest: Ingest, anonymous: Client) -> None:
    data = game_file(software="<script>alert(1)</script>")
    row = ingest(data, name='王"; x.html')
    response = anonymous.get(f"{URL}{row.pk}/file")
    assert response.content == data
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Disposition"].startswith("attachment; filename*=utf-8''%E7%8E%8B%22")
    assert response["ETag"] == f'"{row.sha256}"'
    again = anonymous.get(f"{URL}{row.pk}/file", headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_lost_file_is_404(ingest: Ingest, anonymous: Client) -> None:
    row = ingest(game_file())
    file_store.delete(row.sha256)
    assert anonymous.get(f"{URL}{row.pk}/file").status_code == 404


# --- the schema -------------------------------------------------------------------------------------------------------


def test_the_schema_is_complete() -> None:
    schema = api_schema()
    names = {one["name"] for one in schema["paths"]["/api/v1/replays/"]["get"]["parameters"]}
    assert {"level", "sort", "cursor", "size", "time__lte", "bvs__gte", "played__gte"} <= names
    fields = schema["components"]["schemas"]["Replay"]["properties"]
    assert fields["statistics"]["additionalProperties"]["type"] == "number"


def test_a_body_that_is_not_a_form_is_400(owner_client: Client) -> None:
    response = owner_client.post(URL, data=b"x", content_type="multipart/form-data")
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
