from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from replays.models import file_store

DATA = b"a replay"
SHA256 = file_store.sha256_of(DATA)


def entries(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_stored_file_is_returned(store: Path) -> None:
    file_store.put_many({SHA256: DATA})
    assert file_store.get(SHA256) == DATA
    assert file_store.exists(SHA256)
    assert entries(store) == [store / SHA256[:2] / SHA256[2:4] / SHA256]


def test_putting_twice_and_deleting_twice_is_no_error(store: Path) -> None:
    file_store.put_many({SHA256: DATA})
    file_store.put_many({SHA256: DATA})
    file_store.delete(SHA256)
    file_store.delete(SHA256)
    assert not file_store.exists(SHA256)
    with pytest.raises(file_store.FileMissingError):
        file_store.get(SHA256)


def test_many_files_at_once(store: Path) -> None:
    contents = {file_store.sha256_of(data): data for data in (b"%d" % number for number in range(50))}
    file_store.put_many(contents)
    assert {sha256: file_store.get(sha256) for sha256 in contents} == contents
    assert len(entries(store)) == 50


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failure_leaves_no_files(failing: str, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(file_store.StoreUnreachableError):
        file_store.put_many({SHA256: DATA})
    monkeypatch.undo()
    assert entries(store) == []


def test_file_data_is_synced_before_its_name(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    real_sync, real_replace = os.fsync, Path.replace

    def sync(handle: int) -> None:
        steps.append("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "file")
        real_sync(handle)

    def replace(self: Path, target: Path) -> Path:
        steps.append("name")
        return real_replace(self, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", replace)
    file_store.put_many({SHA256: DATA})
    assert steps[:2] == ["file", "name"]
    assert set(steps[2:]) == {"folder"}
    assert len(steps) == 5  # the file's folder and the two above it, which are new


def test_a_damaged_file_is_noticed_and_replaced(store: Path) -> None:
    file_store.put_many({SHA256: DATA})
    (path,) = entries(store)
    path.write_bytes(b"A replay")
    with pytest.raises(file_store.FileDamagedError):
        file_store.get(SHA256)
    file_store.put_many({SHA256: DATA})
    assert file_store.get(SHA256) == DATA


def test_only_old_leftovers_are_cleared(store: Path) -> None:
    file_store.put_many({SHA256: DATA})
    old, fresh = store / "incoming" / "old", store / "incoming" / "fresh"
    old.write_bytes(b"")
    fresh.write_bytes(b"")
    long_ago = time.time() - 2 * 24 * 60 * 60
    os.utime(old, (long_ago, long_ago))
    file_store.clear_leftovers()
    assert sorted(path.name for path in entries(store)) == sorted(["fresh", SHA256])


def test_another_storage_can_be_used(settings: Any, tmp_path: Path) -> None:
    backend = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = {**settings.STORAGES, "replays": backend}
    file_store.put_many({SHA256: DATA})
    file_store.put_many({SHA256: DATA})
    assert file_store.get(SHA256) == DATA
    file_store.delete(SHA256)
    assert not file_store.exists(SHA256)
    file_store.clear_leftovers()
