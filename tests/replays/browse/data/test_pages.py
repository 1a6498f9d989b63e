"""The page of dumps, the same list in the API, and the files."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from config.checks import consistency
from players.models import User
from players.web.rate_limits import RateLimit
from replays import tasks
from replays.browse.data import file_ranges, nightly, views
from replays.browse.data.services import make_dump
from tests.replays.browse.data.site import upload
from tests.replays.conftest import store as store

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def dump(store: Path, owner: User, settings: Settings) -> Path:
    settings.DATA_LICENCE = "CC0-1.0"
    upload(owner, 1)
    return make_dump()


@pytest.fixture
def address(dump: Path) -> str:
    """A file of 1,000 known bytes."""
    (dump / "schema.json").write_bytes(bytes(range(250)) * 4)
    return f"/data/{dump.name}/schema.json"


def content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def test_a_site_without_dumps_says_so(client: Client) -> None:
    assert client.get("/data/").status_code == 200
    assert client.get("/api/v1/data/").json() == {"dumps": [], "replay_files": []}


def test_page_and_api_list_what_can_be_had(client: Client, dump: Path, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        page = client.get("/data/").content.decode()
        found = client.get("/api/v1/data/").json()
    (one,) = found["dumps"]
    index = json.loads((dump / "index.json").read_bytes())
    assert one["licence"] == "CC0-1.0"
    assert "https://creativecommons.org/publicdomain/zero/1.0/" in page
    assert {name: one[name] for name in ("name", "changes_after")} == {
        name: index[name] for name in ("name", "changes_after")
    }
    for file, listed in zip(one["files"], index["files"], strict=True):
        assert file == {**listed, "download": f"/data/{dump.name}/{listed['name']}"}
        assert file["download"] in page
        assert content(client.get(file["download"])) == (dump / listed["name"]).read_bytes()
    (month,) = found["replay_files"]
    assert month["files"] == 1
    for name in ("download", "index"):
        assert month[name] in page
        assert content(client.get(month[name])) == (dump.parent / month[name].removeprefix("/data/")).read_bytes()
    assert json.loads(content(client.get(f"/data/{dump.name}/index.json"))) == index
    assert client.get("/data/files/index.json").status_code == 200


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ("bytes=0-9", range(10)), ("bytes=990-", range(990, 1000)), ("bytes=-5", range(995, 1000)),
        ("bytes=10-5000", range(10, 1000)), ("bytes=-5000", range(1000)), ("bytes=999-999", range(999, 1000)),
    ],
)  # fmt: skip
def test_a_download_goes_on_from_any_byte(client: Client, address: str, asked: str, part: range) -> None:
    whole = bytes(range(250)) * 4
    answer = client.get(address, headers={"Range": asked})
    assert content(answer) == whole[part.start : part.stop]
    assert answer["Content-Length"] == str(len(part))
    assert answer["Accept-Ranges"] == "bytes"
    if len(part) < len(whole):
        assert (answer.status_code, answer["Content-Range"]) == (206, f"bytes {part.start}-{part.stop - 1}/1000")
    else:
        assert answer.status_code == 200
    mixed = client.get(address, headers={"Range": asked, "If-Range": '"another version"'})
    assert (mixed.status_code, content(mixed)) == (200, whole)
    same = client.get(address, headers={"Range": asked, "If-Range": answer["ETag"]})
    assert content(same) == whole[part.start : part.stop]


@pytest.mark.parametrize("asked", ["bytes=1000-", "bytes=5000-6000", "bytes=-0"])
def test_a_range_behind_the_end(client: Client, address: str, asked: str) -> None:
    answer = client.get(address, headers={"Range": asked})
    assert (answer.status_code, answer["Content-Range"]) == (416, "bytes */1000")


@pytest.mark.parametrize(
    "asked", ["bytes=0-1,5-6", "bytes=9-3", "bytes=-", "lines=0-1", "bytes=x-", f"bytes={'9' * 40}-", "bytes=٣-"]
)
def test_another_range_is_no_range(client: Client, address: str, asked: str) -> None:
    answer = client.get(address, headers={"Range": asked})
    assert (answer.status_code, len(content(answer))) == (200, 1000)


def test_who_has_it_is_told_so_and_head_reads_nothing(
    client: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag = client.get(address)["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    monkeypatch.setattr(file_ranges, "_parts", lambda *_: pytest.fail("the file is read"))
    assert client.head(address)["Content-Length"] == "1000"


def test_pages_of_other_origins_and_caches_may_have_the_files(client: Client, address: str) -> None:
    for headers in ({}, {"Range": "bytes=0-9"}, {"If-None-Match": client.get(address)["ETag"]}):
        answer = client.get(address, headers={"Origin": "https://notebook.example", **headers})
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert answer["Cache-Control"] == "public, no-cache"
        assert not answer.cookies
    assert "Access-Control-Allow-Origin" not in client.get("/data/", headers={"Origin": "https://x.example"}).headers


def test_nobody_asks_who_downloads(client: Client, owner: User, address: str, django_assert_num_queries: Any) -> None:
    guest = client.get(address)
    client.force_login(owner)
    with django_assert_num_queries(0):
        account = client.get(address, headers={"Accept-Language": "en"})
    for answer in (guest, account):
        assert "Cookie" not in answer["Vary"], "a cache would keep a copy for each visitor"
    assert account.headers == guest.headers
    assert "Cookie" in client.get("/data/")["Vary"]  # the page has the name of the account


def test_nothing_else_in_the_folder_has_an_address(client: Client, dump: Path) -> None:
    root = dump.parent
    (dump / "secret.txt").write_text("secret")
    unfinished = root / ".unfinished-20260101T000000Z"
    unfinished.mkdir()
    (unfinished / "index.json").write_bytes((dump / "index.json").read_bytes())
    for path in (
        f"{dump.name}/secret.txt", f"{dump.name}/..%2f.lock", "files/..%2f.lock", f"files/..%2f{dump.name}%2fschema.json",
        ".unfinished-20260101T000000Z/index.json", ".unfinished-20260101T000000Z/schema.json", "files/schema.json",
        f"{dump.name}/.lock", f"..%2f..%2fstore/{dump.name}", f"{dump.name}/%2fetc%2fpasswd", "20260101T000000Z/schema.json",
    ):  # fmt: skip
        assert client.get(f"/data/{path}").status_code == 404, path


def test_files_are_counted_for_each_network(client: Client, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "FILES_LIMIT", RateLimit("files of dumps in a test", "2/hour"))
    answers = [client.get(address) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 0


def test_a_public_site_names_a_licence(settings: Settings) -> None:
    settings.DATA_LICENCE = ""
    assert [message.id for message in consistency.data_has_a_licence()] == ["config.E004"]
    settings.DATA_LICENCE = "CC0-1.0"
    assert consistency.data_has_a_licence() == []


def test_the_task_of_the_night_has_a_dump_made(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = settings.CELERY_BEAT_SCHEDULE["dump-public-data"]
    assert settings.CELERY_TASK_ROUTES[entry["task"]] == {"queue": "luck"}
    assert tasks.dump.name == entry["task"]
    started = threading.Semaphore(0)
    monkeypatch.setattr(nightly, "run_dump", started.release)
    tasks.dump()
    assert started.acquire(timeout=30)
    settings.DUMPS_KEPT = 0
    monkeypatch.setattr(nightly, "run_dump", lambda: pytest.fail("a site may make none"))
    tasks.dump()


def test_its_process_says_what_went_wrong(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """Run the real process, with a setting that cannot be read."""
    monkeypatch.setenv("DUMPS_KEPT", "many")
    nightly.run_dump()
    assert "DUMPS_KEPT='many' cannot be read" in caplog.text
