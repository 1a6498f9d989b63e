"""Replay files by month."""

from __future__ import annotations

import json
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from players.models import User
from players.web.disk import StorageFull
from replays.browse.data import tars
from replays.browse.data.services import make_dump
from replays.models import Replay, file_store
from replays.upload.processing.deletion import replay_delete
from tests.factories import receive_one
from tests.replays.browse.data.site import upload
from tests.replays.conftest import store as store

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _many_dumps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each dump have a second of its own."""
    seconds = iter(range(60))
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 1, 4, 0, next(seconds), tzinfo=UTC))


@pytest.fixture
def games(store: Path, owner: User) -> list[Replay]:
    """Three games, two of them of one month, and a file that is no game."""
    rows = upload(owner, 1, 2, 3)
    for row, month in zip(rows, (1, 1, 2), strict=True):
        Replay.objects.filter(pk=row.pk).update(uploaded_at=datetime(2026, month, 31 if month == 1 else 1, tzinfo=UTC))
    receive_one(b"no replay", name="bad", uploader=owner, enqueue=False)
    return rows


def index(root: Path) -> dict[str, dict[str, Any]]:
    return {one["month"]: one for one in json.loads((root / "files" / "index.json").read_bytes())["months"]}


def listed(root: Path, month: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "files" / f"{month}.ndjson").read_text().splitlines()]


def test_a_month_has_its_files_and_a_list_of_them(games: list[Replay], root: Path) -> None:
    make_dump()
    assert list(index(root)) == ["2026-01", "2026-02"]
    for month, rows in (("2026-01", games[:2]), ("2026-02", games[2:])):
        entry, path = index(root)[month], root / "files" / f"{month}.tar"
        assert (entry["files"], entry["missing"]) == (len(rows), 0)
        assert (entry["bytes"], entry["sha256"]) == (path.stat().st_size, file_store.digest_of_file(path))
        with tarfile.open(path) as archive:
            assert archive.getnames() == [f"{row.pk}.rawvf" for row in rows], "not the names that uploaders chose"
            members = [archive.extractfile(name) for name in archive.getnames()]
            assert [member.read() for member in members if member] == [file_store.get(row.sha256) for row in rows]
        assert listed(root, month) == [
            {"name": f"{row.pk}.rawvf", "sha256": row.sha256, "replay": row.pk} for row in rows
        ]


def test_only_what_changed_is_written_again(games: list[Replay], root: Path, owner: User) -> None:
    make_dump()
    before = {path.name: path.stat().st_ino for path in (root / "files").iterdir()}
    replay_delete(Replay.objects.get(pk=games[2].pk), owner)
    (new,) = upload(owner, 4)
    Replay.objects.filter(pk=new.pk).update(uploaded_at=datetime(2026, 3, 1, tzinfo=UTC))
    make_dump()
    assert list(index(root)) == ["2026-01", "2026-03"], "what was deleted is in no archive"
    after = {path.name: path.stat().st_ino for path in (root / "files").iterdir()}
    assert after.keys() == {"index.json", "2026-01.tar", "2026-01.ndjson", "2026-03.tar", "2026-03.ndjson"}
    assert after["2026-01.tar"] == before["2026-01.tar"]


def test_the_index_is_right_while_later_months_are_written(
    games: list[Replay], root: Path, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else hours of downloads would have the ETag and the digest of what was there before."""
    make_dump()
    before = index(root)
    replay_delete(Replay.objects.get(pk=games[0].pk), owner)
    (new,) = upload(owner, 4)
    Replay.objects.filter(pk=new.pk).update(uploaded_at=datetime(2026, 2, 2, tzinfo=UTC))
    during: list[dict[str, dict[str, Any]]] = []
    write = tars._write

    def write_and_look(*arguments: Any) -> tuple[int, int]:
        during.append(index(root))
        for one in during[-1].values():
            assert file_store.digest_of_file(root / "files" / one["name"]) == one["sha256"]
            assert file_store.digest_of_file(root / "files" / one["index"]) == one["index_sha256"]
        return write(*arguments)

    monkeypatch.setattr(tars, "_write", write_and_look)
    make_dump()
    assert during == [before, {"2026-01": index(root)["2026-01"], "2026-02": before["2026-02"]}]


def test_a_deleted_file_leaves_its_month(games: list[Replay], root: Path, owner: User) -> None:
    make_dump()
    replay_delete(Replay.objects.get(pk=games[0].pk), owner)
    make_dump()
    with tarfile.open(root / "files" / "2026-01.tar") as archive:
        assert archive.getnames() == [f"{games[1].pk}.rawvf"]
    assert games[0].sha256 not in (root / "files" / "2026-01.ndjson").read_text()


def test_a_missing_file_is_counted_and_looked_for_again(games: list[Replay], root: Path, store: Path) -> None:
    path = store / file_store.path_of(games[0].sha256)
    data = path.read_bytes()
    path.write_bytes(b"damaged")
    make_dump()
    assert (index(root)["2026-01"]["files"], index(root)["2026-01"]["missing"]) == (1, 1)
    assert [one["replay"] for one in listed(root, "2026-01")] == [games[1].pk]
    path.write_bytes(data)
    make_dump()
    assert (index(root)["2026-01"]["files"], index(root)["2026-01"]["missing"]) == (2, 0)


def test_a_full_disk_leaves_the_archives_of_before(
    games: list[Replay], root: Path, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_dump()
    before = {path.name: path.read_bytes() for path in (root / "files").iterdir()}
    replay_delete(Replay.objects.get(pk=games[0].pk), owner)
    monkeypatch.setattr(tars, "has_room", lambda _folder: False)
    with pytest.raises(StorageFull):
        make_dump()
    after = {path.name: path.read_bytes() for path in (root / "files").iterdir() if ".new" not in path.name}
    assert after == before
    monkeypatch.undo()
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 2, tzinfo=UTC))
    make_dump()
    assert not list((root / "files").glob("*.new"))
