"""Files of rejected replays: deleted after some days, unless they are kept."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import User
from replays.models import Replay, file_store
from replays.upload.processing.rejected import delete_rejected_files
from tests.replays.conftest import Ingest
from tests.replays.games import avf_file, game_file, other_wrapper

pytestmark = pytest.mark.django_db


def age(row: Replay, days: float) -> None:
    Replay.objects.filter(pk=row.pk).update(analysed_at=timezone.now() - timedelta(days=days))


def is_there(row: Replay) -> bool:
    return file_store.exists(row.sha256)


def test_only_old_rejected_files_are_deleted(ingest: Ingest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.upload.processing.rejected.KEEP_DAYS", 7)
    old, new, good, kept = ingest(b"old"), ingest(b"new"), ingest(game_file()), ingest(b"kept")
    Replay.objects.filter(pk=kept.pk).update(keep_file=True)
    for row, days in ((old, 7.1), (new, 6.9), (good, 400), (kept, 400)):
        age(row, days)
    assert delete_rejected_files() == 1
    assert [is_there(row) for row in (old, new, good, kept)] == [False, True, True, True]
    old.refresh_from_db()
    assert (old.status, old.reject_code) == (Replay.Status.REJECTED, "unknown_format"), "the row stays with its reason"
    assert old.file_deleted_at is not None
    assert delete_rejected_files() == 0


def test_another_file_of_a_game_keeps_its_file(ingest: Ingest) -> None:
    ingest(avf_file())
    other = ingest(other_wrapper(avf_file()))
    age(other, 400)
    assert delete_rejected_files() == 0
    assert is_there(other)


def test_a_file_that_is_sent_again_is_there_again_and_deleted_again(ingest: Ingest) -> None:
    damaged = game_file()[:200]
    row = ingest(damaged)
    assert row.status == Replay.Status.REJECTED
    age(row, 8)
    delete_rejected_files()
    row = ingest(damaged)
    assert is_there(row)
    assert row.file_deleted_at is None
    assert delete_rejected_files() == 0
    age(row, 8)
    assert delete_rejected_files() == 1


@pytest.mark.parametrize("way", ["page", "api"])
def test_the_uploader_keeps_a_file(
    ingest: Ingest, owner: User, owner_client: Client, other_client: Client, staff_client: Client, way: str
) -> None:
    row = ingest(b"junk", uploader=owner)
    done = 302 if way == "page" else 200

    def keep(client: Client, *, kept: bool = True) -> int:
        if way == "page":
            return client.post(f"/replays/{row.pk}/keep/", {"keep": "1"} if kept else {}).status_code
        body = {"keep_file": kept}
        return client.patch(f"/api/v1/replays/{row.pk}/", body, content_type="application/json").status_code

    assert keep(other_client) == 404
    assert not Replay.objects.get(pk=row.pk).keep_file
    assert keep(owner_client) == done
    assert keep(staff_client) == done
    age(row, 400)
    assert delete_rejected_files() == 0
    assert keep(owner_client, kept=False) == done
    assert delete_rejected_files() == 1
    assert keep(owner_client) == 403, "there is nothing to keep"
    assert owner_client.get(f"/replays/{row.pk}/file").status_code == 404


def test_the_page_says_when_and_has_the_button(ingest: Ingest, owner: User, owner_client: Client) -> None:
    row = ingest(b"junk", uploader=owner)
    page = owner_client.get(row.get_absolute_url()).content.decode()
    status = owner_client.get(f"/api/v1/replays/status/?ids={row.pk}").json()["rows"][0]
    assert f">{status['file_deleted_after'][:10]}</time>" in page
    assert 'name="keep" value="1"' in page
    owner_client.post(f"/replays/{row.pk}/keep/", {"keep": "1"})
    assert 'name="keep" value="1"' not in owner_client.get(row.get_absolute_url()).content.decode()
    status = owner_client.get(f"/api/v1/replays/status/?ids={row.pk}").json()["rows"][0]
    assert (status["keep_file"], status["file_deleted_after"], status["file_deleted_at"]) == (True, None, None)
