"""A backup and the site that is restored from it."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from pytest_django import Settings

from config.backup import making, tables
from config.backup.folder import Folder
from players.models import Change, User
from replays.models import Replay, StoreMark, file_store, store_mark
from replays.upload.processing.services import analyse_replays
from replays.watch.comments.services import comment_create
from tests.factories import receive_one
from tests.replays.conftest import store as store
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db(transaction=True)

Site = tuple[dict[str, list[Any]], dict[str, bytes]]


def upload(owner: User, *numbers: int) -> list[int]:
    receipts = [receive_one(game_file(number), name="a.rawvf", uploader=owner, enqueue=False) for number in numbers]
    ids = [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]
    analyse_replays(ids)
    return ids


@pytest.fixture
def site(store: Path, owner: User) -> Path:
    """A site with games, words in several scripts, and a rejected file."""
    store_mark.mark_store()
    ids = upload(owner, 1, 2, 3)
    receive_one(b"no replay", name="bad", uploader=owner, enqueue=False)
    comment_create(Replay.objects.get(pk=ids[0]), owner, "tabs\t, lines\nand \\N, 雷 and 🚩")
    return store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups" / "daily"


def backup(folder: Path) -> str:
    said = io.StringIO()
    call_command("backup", folder, stdout=said)
    return said.getvalue()


def restore(folder: Path, **options: Any) -> str:
    said = io.StringIO()
    call_command("restore", folder, stdout=said, **options)
    return said.getvalue()


def whole_site(store: Path) -> Site:
    """Every column of every row by the models, and every file of the store: none of it by the code under test."""
    rows = {
        model._meta.label: [
            tuple(bytes(value) if isinstance(value, memoryview) else value for value in row)
            for row in model._default_manager.order_by("pk").values_list()
        ]
        for model in apps.get_models(include_auto_created=True)
    }
    # A restored site says so in its feed of changes, and this alone it adds.
    rows["players.Change"] = [row for row in rows["players.Change"] if Change.Thing.FEED not in row]
    files = {path.name: path.read_bytes() for path in store.rglob("*") if path.is_file()}
    return rows, files


@pytest.fixture
def empty(settings: Settings, tmp_path: Path) -> Callable[[], Path]:
    """Make the site an empty one, with a store of its own."""

    def make_empty() -> Path:
        call_command("flush", interactive=False, verbosity=0)
        location = tmp_path / "new store"
        backend = {"BACKEND": "replays.models.file_store.ReplayFileStorage", "OPTIONS": {"location": location}}
        settings.STORAGES = {**settings.STORAGES, "replays": backend}
        return location

    return make_empty


def test_a_restored_site_is_equal(site: Path, folder: Path, empty: Callable[[], Path]) -> None:
    before = whole_site(site)
    assert len(before[1]) == 5, "three games, a bad file and the mark"
    assert "4 files are saved; 4 files are new" in backup(folder)
    new_store = empty()
    assert not Replay.objects.exists()
    said = restore(folder, verify=True)
    assert "is restored" in said
    assert "Verified" in said
    assert "WARNING" not in said
    assert whole_site(new_store) == before
    assert store_mark.is_visible()


def test_a_restored_site_goes_on(site: Path, folder: Path, empty: Callable[[], Path]) -> None:
    """Numbers of rows that were deleted are not given again, as addresses of pages are made of them."""
    last = Replay.objects.latest("pk").pk
    Replay.objects.filter(pk=last).delete()
    backup(folder)
    empty()
    restore(folder)
    owner = User.objects.get(username="owner")
    assert owner.check_password("correct horse battery staple")
    (new,) = upload(owner, 9)
    assert new > last
    assert Replay.objects.get(pk=new).status == Replay.Status.DONE


def test_another_backup_copies_what_is_new_and_forgets_what_is_gone(site: Path, folder: Path, owner: User) -> None:
    backup(folder)
    old = next((folder / "files").rglob("[0-9a-f]" * 64))
    times = {path.name: path.stat().st_mtime_ns for path in (folder / "files").rglob("*") if path.is_file()}
    upload(owner, 4)
    Replay.objects.filter(sha256=old.name).delete()
    assert "4 files are saved; 1 files are new" in backup(folder)
    after = {path.name: path.stat().st_mtime_ns for path in (folder / "files").rglob("*") if path.is_file()}
    assert set(after) == set(Replay.objects.values_list("sha256", flat=True))
    assert {name: times.get(name, after[name]) for name in after} == after, "old files were written again"
    assert len(list(folder.glob("database-*"))) == 1


def test_an_upload_in_the_middle_has_its_file(
    site: Path, folder: Path, owner: User, monkeypatch: pytest.MonkeyPatch, empty: Callable[[], Path]
) -> None:
    """It comes after the files were copied and before the tables are read."""
    save = tables.save

    def saved_after_an_upload(*args: Any) -> Any:
        upload(owner, 5)
        return save(*args)

    monkeypatch.setattr(tables, "save", saved_after_an_upload)
    backup(folder)
    empty()
    restore(folder, verify=True)
    for sha256 in Replay.objects.values_list("sha256", flat=True):
        file_store.get(sha256)
    assert Replay.objects.count() == 5


# --- what is not whole ---


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def a_file(folder: Path) -> Path:
    return next((folder / "files").rglob("[0-9a-f]" * 64))


def a_table(folder: Path) -> Path:
    return next(path for path in sorted(folder.glob("database-*/*")) if "user" in path.name)


def the_list(folder: Path) -> Path:
    return next(folder.glob("database-*/files.txt"))


def the_manifest(folder: Path) -> Path:
    return folder / "manifest.json"


def test_a_damaged_backup_is_named_and_changes_nothing(
    site: Path, folder: Path, empty: Callable[[], Path], tmp_path: Path
) -> None:
    backup(folder)
    new_store = empty()
    for number, part in enumerate((a_file, a_table, the_list, the_manifest)):
        for harm in (damage, Path.unlink):
            copy = tmp_path / f"{harm.__name__} {number}"
            shutil.copytree(folder, copy)
            victim = part(copy)
            harm(victim)
            with pytest.raises(CommandError, match=victim.name):
                restore(copy)
    assert not User.objects.exists()
    assert not new_store.exists()


@pytest.mark.parametrize("step", ["save", "write_manifest"])
def test_an_interrupted_first_backup_is_none(
    site: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, empty: Callable[[], Path], step: str
) -> None:
    with monkeypatch.context() as power_cut:
        power_cut.setattr(tables if step == "save" else Folder, step, _stop)
        with pytest.raises(KeyboardInterrupt):
            backup(folder)
    with pytest.raises(CommandError, match="no finished backup"):
        restore(folder)
    backup(folder)  # goes on with what is there
    empty()
    restore(folder, verify=True)


def _stop(*_: Any) -> None:
    raise KeyboardInterrupt


def test_an_interrupted_later_backup_leaves_the_one_before(
    site: Path, folder: Path, owner: User, monkeypatch: pytest.MonkeyPatch, empty: Callable[[], Path]
) -> None:
    backup(folder)
    before = whole_site(site)
    upload(owner, 6)
    with monkeypatch.context() as power_cut:
        power_cut.setattr(Folder, "write_manifest", _stop)
        with pytest.raises(KeyboardInterrupt):
            backup(folder)
    new_store = empty()
    restore(folder, verify=True)
    assert whole_site(new_store) == before


def test_a_file_that_the_site_has_lost_is_told_and_stops_nothing(
    site: Path, folder: Path, empty: Callable[[], Path]
) -> None:
    lost = Replay.objects.latest("pk").sha256
    file_store.delete(lost)
    assert lost in backup(folder)
    empty()
    assert "Verified" in restore(folder, verify=True)


# --- what does not fit ---


def test_a_site_with_accounts_is_not_overwritten(site: Path, folder: Path) -> None:
    backup(folder)
    with pytest.raises(CommandError, match="not empty"):
        restore(folder)
    assert User.objects.exists()


def test_another_version_is_told_which_to_check_out(
    site: Path, folder: Path, empty: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    later = [*making.applied_migrations(), ["replays", "9999_later"]]
    with monkeypatch.context() as future:
        future.setattr(making, "applied_migrations", lambda: later)
        future.setattr(making, "_revision", lambda: "abc123")
        backup(folder)
    empty()
    with pytest.raises(CommandError, match=r"replays\.9999_later.*abc123"):
        restore(folder)


def test_a_difference_is_found(site: Path, folder: Path, empty: Callable[[], Path], monkeypatch: Any) -> None:
    """A fault in restoring could leave a row that differs and a file that is missing; both are found."""
    backup(folder)
    empty()
    put_back = store_mark.put_back

    def harmed() -> None:
        put_back()
        file_store.delete(Replay.objects.earliest("pk").sha256)
        User.objects.update(first_name="another")

    monkeypatch.setattr(store_mark, "put_back", harmed)
    with pytest.raises(CommandError, match=r"table players_user, file [0-9a-f]{64}\."):
        restore(folder, verify=True)


def test_another_secret_key_is_told(site: Path, folder: Path, empty: Callable[[], Path], settings: Settings) -> None:
    backup(folder)
    empty()
    settings.SECRET_KEY = "another"
    assert "second factors cannot be read" in restore(folder)


def test_the_files_of_another_site_are_not_saved_as_ours(site: Path, folder: Path) -> None:
    (site / StoreMark.objects.get().name).unlink()
    with pytest.raises(CommandError, match="not visible here"):
        backup(folder)


# --- the folder ---


def test_nobody_else_may_read_it(site: Path, folder: Path) -> None:
    backup(folder)
    for path in (folder, *folder.rglob("*")):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_a_folder_of_something_else_is_left_alone(site: Path, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"")
    with pytest.raises(CommandError, match="something else"):
        backup(tmp_path / "photos")


def test_two_backups_at_once_are_one(site: Path, folder: Path) -> None:
    with Folder(folder).opened_to_write(), pytest.raises(CommandError, match="Another backup"):
        backup(folder)


def test_the_manifest_says_what_can_be_counted_by_hand(site: Path, folder: Path) -> None:
    backup(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["tables"]["replays_replay"]["rows"] == Replay.objects.count() == 4
    (path,) = folder.glob("database-*/replays_replay.gz")
    assert len(gzip.decompress(path.read_bytes()).splitlines()) == 4
