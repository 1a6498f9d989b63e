"""A full disk: 507 with a reason, and nothing half stored."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from players.models import User
from replays.models import Replay, file_store
from replays.upload.intake import services
from replays.upload.intake.permissions import Sender
from replays.upload.intake.services import receive_many

pytestmark = pytest.mark.django_db


def upload(client: Client, data: bytes, *, api: bool = True, json: bool = True) -> Any:
    file = SimpleUploadedFile("a.avf", data)
    if api:
        return client.post("/api/v1/replays/", {"file": file})
    return client.post("/upload/", {"files": file}, headers={"Accept": "application/json"} if json else {})


def files_in(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def small_disk(store: Path) -> Iterator[Path]:
    """The file store on a file system of one megabyte, where this machine lets us make one."""
    store.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(store)]
    if (
        sys.platform != "linux"
        or os.geteuid() != 0
        or subprocess.run(mount, capture_output=True, check=False).returncode
    ):
        pytest.skip("only root on Linux may make a small disk")
    yield store
    subprocess.run(["umount", str(store)], check=True)


def assert_507(response: Any) -> None:
    assert response.status_code == 507, response.content
    assert int(response["Retry-After"]) > 0


def test_a_real_full_disk(small_disk: Path, owner_client: Client) -> None:
    assert upload(owner_client, b"1" * 400_000).status_code == 202
    refused = upload(owner_client, b"2" * 900_000)
    assert_507(refused)
    assert refused.json()["code"] == "storage_full"
    assert_507(upload(owner_client, b"2" * 900_000, api=False))
    assert files_in(small_disk) == [file_store.sha256_of(b"1" * 400_000)]
    assert Replay.objects.count() == 1
    assert upload(owner_client, b"3" * 300_000).status_code == 202, "what fits is taken"


@pytest.fixture(params=["write", "fsync", "quota"])
def full(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store's disk is full, as the operating system says it at different moments."""

    def fails(*_arguments: Any) -> None:
        raise OSError(errno.EDQUOT if request.param == "quota" else errno.ENOSPC, "No space left on device")

    if request.param == "fsync":
        monkeypatch.setattr(os, "fsync", fails)
    else:
        monkeypatch.setattr(file_store, "_write_to_disk", fails)


@pytest.mark.usefixtures("full")
def test_an_upload_finds_no_room(store: Path, owner_client: Client) -> None:
    answer = upload(owner_client, b"1")
    assert_507(answer)
    assert answer.json()["code"] == "storage_full"
    assert answer["Content-Type"].startswith("application/problem+json")
    script = upload(owner_client, b"1", api=False)
    assert_507(script)
    page = upload(owner_client, b"1", api=False, json=False)
    assert_507(page)
    assert script.json()["error"] in page.content.decode()
    assert files_in(store) == []
    assert not Replay.objects.exists()


def test_the_database_has_no_room(store: Path, owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: Any, **_options: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("players.db.bulk.insert_new", fails)
    assert_507(upload(owner_client, b"1"))
    assert files_in(store) == [], "no file without a row"


def test_what_was_stored_before_the_disk_was_full_has_its_receipt(
    store: Path, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "BATCH_FILES", 2)
    real, calls = file_store.put_many, []

    def put_many(contents: Any) -> None:
        calls.append(contents)
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(contents)

    monkeypatch.setattr(file_store, "put_many", put_many)
    receipts = receive_many([(str(number), b"%d" % number) for number in range(6)], uploader=owner, enqueue=False)
    assert [receipt.code for receipt in receipts] == ["", "", *["storage_full"] * 4]
    assert Replay.objects.count() == 2
    assert len(calls) == 2, "nothing more is tried"


def test_uploads_end_before_the_disk_is_full(owner_client: Client, client: Client, settings: Settings) -> None:
    settings.MINIMUM_FREE_MB = 10**9
    assert_507(upload(owner_client, b"1"))
    health = client.get("/healthz")
    assert (health.status_code, health.json()["status"], health.json()["disk"]) == (200, "degraded", False)
    assert client.get("/").status_code == 200


def test_a_body_that_cannot_be_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from config.http import application
    from config.http.application import HttpApplication
    from tests.config.http.test_application import SMALL, Exchange

    class Full:
        def __init__(self, **_options: Any) -> None: ...

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_error: object) -> None: ...

        def write(self, _part: bytes) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(application, "_file_refusal", lambda _scope: None)
    monkeypatch.setattr("tempfile.SpooledTemporaryFile", Full)
    handler = HttpApplication(lambda *_arguments: [])  # type: ignore[arg-type]
    answer = Exchange("POST", "/api/v1/replays/").run(handler, SMALL, b"x", b"y")
    assert answer.status == 507
    assert b"storage_full" in answer.body


def test_room_is_looked_for_with_each_batch(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Room that was found before the body of a request came is room for the files that are stored first."""
    monkeypatch.setattr(services, "BATCH_FILES", 2)
    monkeypatch.setattr(services, "has_room", lambda: False)
    files = [(str(number), b"%d" % number) for number in range(5)]
    batches = services.receive_in_batches(files, Sender(owner, found_room=True), enqueue=False)
    assert [[one.code for one in receipts] for receipts in batches] == [
        ["", ""],
        ["storage_full"] * 2,
        ["storage_full"],
    ]
