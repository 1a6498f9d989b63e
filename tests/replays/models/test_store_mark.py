"""A process that sees another store than that of the site rejects nothing for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import FileSystemStorage
from django.core.management import CommandError, call_command
from django.db import OperationalError
from pytest_django import Settings

from replays import tasks
from replays.models import Replay, StoreMark, file_store, store_mark
from replays.models.store_mark import StoreNotOurs, mark_store
from replays.upload.processing.rejected import delete_rejected_files
from replays.upload.processing.services import analyse_replays
from tests.effort import rest_long
from tests.factories import receive_one
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db

QUEUED = ("queued", 0, "")


class Bucket(FileSystemStorage):
    """A store that is no folder: what goes wrong is an error of its library, which is no OSError."""

    fails = False

    def open(self, name: str, mode: str = "rb") -> Any:
        if self.fails:
            raise RuntimeError("AccessDenied")
        return super().open(name, mode)

    def exists(self, name: str) -> bool:
        if self.fails:
            raise RuntimeError("AccessDenied")
        return super().exists(name)


@pytest.fixture
def see(settings: Settings, tmp_path: Path) -> Callable[..., None]:
    """Let this process use another folder, which may be a bucket."""

    def use(folder: str, backend: str = "replays.models.file_store.ReplayFileStorage") -> None:
        options = {"location": tmp_path / folder}
        settings.STORAGES = {**settings.STORAGES, "replays": {"BACKEND": backend, "OPTIONS": options}}

    return use


def upload(*numbers: int) -> list[int]:
    receipts = [receive_one(game_file(number), name="a.rawvf", uploader=None, enqueue=False) for number in numbers]
    return [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]


def states() -> set[tuple[str, int, str]]:
    return set(Replay.objects.values_list("status", "attempts", "reject_code"))


@pytest.mark.parametrize("backend", rest_long("replays.models.file_store.ReplayFileStorage", f"{__name__}.Bucket"))
def test_a_worker_without_the_files_puts_uploads_back_as_they_were(see: Callable[..., None], backend: str) -> None:
    see("ours", backend)
    mark_store()
    ids = upload(*range(30))
    see("not mounted", backend)
    for _ in range(4):
        with pytest.raises(StoreNotOurs, match="not visible here"):
            analyse_replays(ids)
        assert states() == {QUEUED}
    see("ours", backend)
    analyse_replays(ids)
    assert set(Replay.objects.values_list("status", flat=True)) == {"done"}


def test_a_file_that_alone_is_missing_is_rejected_as_ever(store: Path) -> None:
    mark_store()
    gone, there = upload(1, 2)
    file_store.delete(Replay.objects.get(pk=gone).sha256)
    analyse_replays([gone, there])
    codes = dict(Replay.objects.values_list("pk", "reject_code"))
    assert codes == {gone: "file_missing", there: ""}


def test_a_bucket_that_does_not_answer_costs_no_attempt(
    see: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    see("ours", f"{__name__}.Bucket")
    mark_store()
    ids = upload(1)
    with monkeypatch.context() as outage:
        outage.setattr(Bucket, "fails", True)
        for _ in range(4):
            analyse_replays(ids)
        assert states() == {QUEUED}
        assert not store_mark.is_visible()
    analyse_replays(ids)
    assert Replay.objects.get().status == Replay.Status.DONE


def test_files_of_rejected_replays_are_not_noted_as_deleted_where_they_are_not_seen(
    see: Callable[..., None], settings: Settings
) -> None:
    mark_store()
    (pk,) = upload(1)
    Replay.objects.update(status="rejected", analysed_at="2020-01-01T00:00Z")
    see("not mounted")
    assert delete_rejected_files() == 0
    assert Replay.objects.get(pk=pk).file_deleted_at is None


# --- the start of a worker ---


def test_a_worker_without_the_files_does_not_start(see: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "close_database", lambda: None)  # it would end the transaction of this test
    mark_store()
    tasks.require_files()
    see("not mounted")
    with pytest.raises(SystemExit, match="not visible here"):
        tasks.require_files()


def test_a_worker_starts_without_a_database_that_could_tell(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> bool:
        raise OperationalError("connection refused")

    monkeypatch.setattr(tasks, "close_database", lambda: None)
    monkeypatch.setattr(store_mark, "is_visible", refuse)
    tasks.require_files()
    assert "connection refused" in caplog.text


def test_a_worker_that_loses_the_files_ends(see: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    mark_store()
    ids = upload(1)
    see("not mounted")
    ended: list[Any] = []
    monkeypatch.setattr(tasks.analyse.app.control, "shutdown", lambda destination: ended.append(destination))
    tasks.analyse.push_request(hostname="worker@here")
    try:
        with pytest.raises(StoreNotOurs):
            tasks.analyse.run(ids)
    finally:
        tasks.analyse.pop_request()
    assert ended == [["worker@here"]]
    assert states() == {QUEUED}


# --- the mark ---


def test_the_store_is_marked_once(store: Path) -> None:
    mark_store()
    mark_store()
    mark = StoreMark.objects.get()
    assert [path.name for path in store.iterdir() if path.is_file()] == [mark.name]


def test_another_machine_does_not_mark_its_own_folder(see: Callable[..., None], tmp_path: Path) -> None:
    mark_store()
    see("of its own")
    with pytest.raises(CommandError, match="not visible here"):
        call_command("prepare")
    with pytest.raises(StoreNotOurs, match=StoreMark.objects.get().name):
        mark_store()
    assert StoreMark.objects.count() == 1
    (tmp_path / "of its own").mkdir()
    (tmp_path / "of its own" / StoreMark.objects.get().name).touch()  # as the message says
    mark_store()


def test_a_site_with_files_is_not_marked_where_they_are_not(see: Callable[..., None]) -> None:
    upload(1, 2)
    Replay.objects.update(status="done")
    see("not mounted")
    with pytest.raises(StoreNotOurs):
        mark_store()
    assert not StoreMark.objects.exists()
