"""Without its file store the site takes no upload and calls no file lost: 503, and the time to wait."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.models import User
from replays.models import Replay, file_store, store_mark
from replays.upload.intake import services
from replays.upload.intake.services import receive_many
from tests.factories import receive_one
from tests.replays.conftest import Ingest
from tests.replays.games import game_file
from tests.replays.models.test_store_mark import Bucket
from tests.replays.models.test_store_mark import see as see

pytestmark = pytest.mark.django_db

BUCKET = f"{Bucket.__module__}.Bucket"
FOLDER = "replays.models.file_store.ReplayFileStorage"


def upload(client: Client, *, api: bool, json: bool = True) -> Any:
    file = SimpleUploadedFile("a.rawvf", game_file(7))
    if api:
        return client.post("/api/v1/replays/", {"file": file})
    return client.post("/upload/", {"files": file}, headers={"Accept": "application/json"} if json else {})


def assert_503(response: Any) -> None:
    assert response.status_code == 503, response.content
    assert int(response["Retry-After"]) > 0
    if response["Content-Type"] == "application/problem+json":
        assert response.json()["code"] == "store_away"


@pytest.fixture(params=["another folder", "another bucket", "bucket away", "folder fails"])
def gone(
    request: pytest.FixtureRequest, see: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """Mark a store; the call takes it away from this process."""
    see("ours", BUCKET if "bucket" in request.param else FOLDER)
    store_mark.mark_store()

    def take_away() -> None:
        if request.param == "bucket away":
            monkeypatch.setattr(Bucket, "fails", True)
        elif request.param == "folder fails":
            monkeypatch.setattr(file_store, "_write_to_disk", _fails)
            monkeypatch.setattr(file_store.ReplayFileStorage, "open", _fails)
        else:
            see("not mounted", BUCKET if "bucket" in request.param else FOLDER)

    return take_away


def _fails(*_arguments: object) -> Any:
    raise OSError(errno.EIO, "Input/output error")


def test_uploads_are_refused_and_come_again(gone: Callable[[], None], owner_client: Client) -> None:
    """Before: 202, and `file_missing` once a worker looked for it."""
    gone()
    assert_503(upload(owner_client, api=True))
    assert_503(upload(owner_client, api=False))
    assert_503(upload(owner_client, api=False, json=False))
    assert not Replay.objects.exists()


def test_what_needs_a_file_waits_for_it(gone: Callable[[], None], ingest: Ingest, anonymous: Client) -> None:
    """Before: 404 and 410, by which programs drop their copy."""
    replay = ingest(game_file(7))
    gone()
    api = f"/api/v1/replays/{replay.pk}"
    for path in (f"/replays/{replay.pk}/film", f"{api}/film/", f"{api}/file", f"{api}/rawvf", f"{api}/review/"):
        assert_503(anonymous.get(path, follow=True))
    assert anonymous.get(f"{api}/").status_code == 200


def test_nothing_is_deleted_whose_file_would_stay(
    gone: Callable[[], None], ingest: Ingest, owner: User, owner_client: Client
) -> None:
    replay = ingest(game_file(7), uploader=owner)
    gone()
    if store_mark.is_visible():
        pytest.skip("a folder that only fails to write deletes")
    assert_503(owner_client.delete(f"/api/v1/replays/{replay.pk}/"))
    assert Replay.objects.filter(pk=replay.pk).exists()


def test_a_file_that_alone_is_lost_is_not_found(see: Callable[..., None], ingest: Ingest, anonymous: Client) -> None:
    see("ours")
    store_mark.mark_store()
    replay = ingest(game_file(7))
    file_store.delete(replay.sha256)
    assert anonymous.get(f"/api/v1/replays/{replay.pk}/file").status_code == 404


def test_what_was_stored_before_the_store_went_has_its_receipt(
    see: Callable[..., None], owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    see("ours", BUCKET)
    store_mark.mark_store()
    monkeypatch.setattr(services, "BATCH_FILES", 2)
    real = file_store.put_many

    def put_many(contents: Any) -> None:
        real(contents)
        monkeypatch.setattr(Bucket, "fails", True)

    monkeypatch.setattr(file_store, "put_many", put_many)
    receipts = receive_many([(str(number), b"%d" % number) for number in range(6)], uploader=owner, enqueue=False)
    assert [receipt.code for receipt in receipts] == ["", "", *["store_away"] * 4]
    assert Replay.objects.count() == 2


def test_a_site_without_a_mark_takes_uploads(see: Callable[..., None]) -> None:
    see("ours")
    assert receive_one(game_file(7), name="a.rawvf", uploader=None, enqueue=False).replay_id
