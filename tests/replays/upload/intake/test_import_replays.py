from __future__ import annotations

import logging
import os
import re
import threading
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from kombu.exceptions import OperationalError

from players.models import User
from replays.models import Replay
from replays.upload.intake.from_disk import analysing
from replays.upload.intake.from_disk.paths import files_below
from replays.upload.intake.receipts import Receipt
from replays.upload.processing import queue as sending
from replays.upload.processing.services import analyse_replays
from tests.replays.games import avf_file, game_file, other_wrapper
from tests.replays.upload.intake.test_archives import archive
from tests.shared_files import REPLAYS, needs_shared
from tests.worker import Worker

pytestmark = pytest.mark.django_db


def run(*arguments: str | Path) -> tuple[int, str]:
    """The exit status and what was printed."""
    out = StringIO()
    try:
        call_command("import_replays", *map(str, arguments), stdout=out, stderr=out)
    except SystemExit as error:
        return int(error.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with games, an archive, a copy, hidden entries and links that lead out, nowhere and in circles."""
    top = tmp_path / "games"
    (top / "deep" / "deeper").mkdir(parents=True)
    (top / ".hidden").mkdir()
    (top / "b.rawvf").write_bytes(game_file(1))
    (top / "deep" / "deeper" / "copy.rawvf").write_bytes(game_file(1))
    (top / "deep" / "all.zip").write_bytes(archive(("in/zip.rawvf", game_file(2))))
    (top / ".hidden" / "x.rawvf").write_bytes(game_file(3))
    (top / ".x.rawvf").write_bytes(game_file(3))
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.rawvf").write_bytes(game_file(3))
    (top / "out").symlink_to(outside)
    (top / "circle").symlink_to(top)
    (top / "file-link.rawvf").symlink_to(outside / "x.rawvf")
    (top / "nowhere.rawvf").symlink_to(top / "missing.rawvf")
    (top / "itself.rawvf").symlink_to(top / "itself.rawvf")
    return top


def test_the_search_stays_inside_the_folder(tree: Path) -> None:
    notes: list[Receipt] = []
    found = [path.relative_to(tree).as_posix() for path in files_below([tree], notes)]
    assert found == ["b.rawvf", "deep/all.zip", "deep/deeper/copy.rawvf"]
    not_followed = ["file-link.rawvf", "itself.rawvf", "nowhere.rawvf", "out"]
    assert [(note.name, note.code) for note in notes] == [(name, "link_not_followed") for name in not_followed]


def test_links_inside_the_folder_are_followed_and_nothing_is_found_twice(tmp_path: Path) -> None:
    """A folder of links into a hidden store, as some tools make it; and links to what is found anyway."""
    (tmp_path / ".store" / "kept").mkdir(parents=True)
    (tmp_path / ".store" / "1").write_bytes(game_file(1))
    (tmp_path / ".store" / "kept" / "2.rawvf").write_bytes(game_file(2))
    (tmp_path / "z").mkdir()
    (tmp_path / "z" / "3.rawvf").write_bytes(game_file(3))
    (tmp_path / "first.rawvf").symlink_to(Path(".store", "1"))
    (tmp_path / "second.rawvf").symlink_to(tmp_path / "first.rawvf")
    (tmp_path / "a").symlink_to(tmp_path / ".store" / "kept")
    (tmp_path / "best.rawvf").symlink_to(Path("z", "3.rawvf"))
    (tmp_path / "best").symlink_to("z")
    notes: list[Receipt] = []
    found = [path.relative_to(tmp_path).as_posix() for path in files_below([tmp_path], notes)]
    assert found == ["z/3.rawvf", "a/2.rawvf", "first.rawvf"]
    assert notes == []
    (tmp_path / "name").symlink_to(tmp_path / "z")
    assert [path.name for path in files_below([tmp_path / "name"], notes)] == ["3.rawvf"], (
        "a folder that is itself a link"
    )
    status, text = run(tmp_path, "--inline")
    assert (status, "3 files" in text, "stored: 3" in text) == (0, True, True)


def test_links_out_of_the_folder_are_named(tmp_path: Path) -> None:
    """A folder of nothing else is not told as “0 files” alone."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.rawvf").write_bytes(game_file(1))
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.rawvf").symlink_to(tmp_path / "outside" / "x.rawvf")
    status, text = run(tmp_path / "games", "--inline")
    assert status == 0
    assert "0 files" in text
    assert re.search(r"^ *links skipped.*: 1\n    mine\.rawvf$", text, re.MULTILINE)
    assert Replay.objects.count() == 0


def test_a_folder_with_an_archive_and_a_copy(tree: Path) -> None:
    status, text = run(tree, "--inline")
    assert status == 0
    assert "3 files" in text
    assert "stored: 2" in text
    assert "duplicate file: 1" in text
    assert set(Replay.objects.values_list("status", flat=True)) == {"done"}
    assert set(Replay.objects.values_list("original_name", flat=True)) == {"b.rawvf", "zip.rawvf"}


def test_again_everything_is_a_duplicate(tree: Path) -> None:
    run(tree, "--inline")
    status, text = run(tree, "--inline")
    assert status == 0
    assert "stored: 0" in text
    assert "duplicate file: 3" in text
    assert Replay.objects.count() == 2


def test_a_linked_game_is_reported_and_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "a.avf").write_bytes(avf_file())
    (tmp_path / "b.rawvf").write_bytes(other_wrapper(avf_file()))
    status, text = run(tmp_path, "--inline")
    first = Replay.objects.get(judgement="accepted")
    assert status == 0
    assert "stored: 2" in text
    assert re.search(rf"^    b\.rawvf: .*#{first.pk}\b", text, re.MULTILINE)


def test_files_of_an_operating_system_are_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "game.rawvf").write_bytes(game_file())
    for name in (".DS_Store", "Thumbs.db", "a/desktop.ini", "a/._game.rawvf", "a/.DS_Store", "a/.hidden"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "all.zip").write_bytes(archive(("__MACOSX/._x", b"1"), ("game.rawvf", game_file(2))))
    status, text = run("--inline", tmp_path)
    assert (status, Replay.objects.count()) == (0, 2)
    assert "  operating system files skipped: 6 (.DS_Store, ._game.rawvf, ._x, Thumbs.db, desktop.ini)" in text
    assert "2 files\n" in text


def test_failures_are_reported_with_their_reason_and_exit_status(tmp_path: Path) -> None:
    (tmp_path / "good.rawvf").write_bytes(game_file())
    (tmp_path / "bad.avf").write_bytes(b"not a replay")
    (tmp_path / "empty.avf").write_bytes(b"")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04")
    status, text = run(tmp_path, "--inline")
    assert status == 1
    assert "stored: 1" in text
    assert "failed: 2" in text
    for code, name in (("empty", "empty.avf"), ("broken_archive", "broken.zip")):
        assert f"{code}: 1" in text
        assert f"{name}: " in text


@pytest.fixture
def other_files(tmp_path: Path) -> Path:
    """A folder of a web site with one game, and an archive with another."""
    (tmp_path / "good.rawvf").write_bytes(game_file(1))
    (tmp_path / "icon.ico").write_bytes(b"\0\0\1\0" * 100)
    (tmp_path / "page.vue").write_bytes(b"<template></template>")
    (tmp_path / "all.zip").write_bytes(archive(("code.js", b"let a;"), ("game.rawvf", game_file(2))))
    return tmp_path


def test_what_no_format_recognises_is_named_and_not_stored(other_files: Path) -> None:
    status, text = run(other_files, "--inline")
    assert status == 0
    assert "stored: 2" in text
    assert "unknown format, not stored: 3" in text
    for name in ("icon.ico", "page.vue", "code.js"):
        assert f"    {name}\n" in text
    assert set(Replay.objects.values_list("status", flat=True)) == {"done"}


def test_a_recognised_file_that_is_damaged_is_stored(tmp_path: Path) -> None:
    (tmp_path / "damaged.rawvf").write_bytes(game_file()[:200])
    status, text = run(tmp_path, "--inline")
    assert status == 1
    assert "failed: 1" in text
    assert Replay.objects.get().status == "rejected"


def test_all_stores_what_no_format_recognises(other_files: Path) -> None:
    status, text = run(other_files, "--inline", "--all")
    assert status == 1
    assert "unknown_format: 3" in text
    assert Replay.objects.filter(reject_code="unknown_format").count() == 3


def test_a_file_that_vanishes_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.rawvf").write_bytes(game_file())
    real = Path.open

    def vanish(self: Path, *arguments: Any, **options: Any) -> Any:
        if self.name == "a.rawvf":
            raise FileNotFoundError(2, "No such file or directory")
        return real(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", vanish)
    status, text = run(tmp_path, "--inline")
    assert status == 1
    assert "unreadable: 1" in text


def test_a_folder_that_cannot_be_read_is_reported(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.scandir

    def scandir(path: Any) -> Any:
        if os.fspath(path).endswith("deeper"):
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    status, text = run(tree, "--inline")
    assert status == 1
    assert re.search(r"deeper: .*Permission denied", text)
    assert "stored: 2" in text


def test_the_uploader_is_an_account(tree: Path, owner: User) -> None:
    run(tree, "--inline", "--uploader", owner.username)
    assert set(Replay.objects.values_list("uploader", flat=True)) == {owner.pk}
    with pytest.raises(CommandError, match="nobody"):
        call_command("import_replays", str(tree), "--uploader", "nobody")


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="missing"):
        call_command("import_replays", str(tmp_path / "missing"))


def test_without_a_worker_the_command_analyses_the_replays(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.management.commands.import_replays.worker_answers", lambda: False)
    status, text = run(tree)
    assert status == 0
    assert "No worker is responding" in text
    assert "stored: 2" in text


@pytest.mark.django_db(transaction=True)
def test_inline_looks_for_the_broker_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def no_broker() -> object:
        raise OperationalError("refused")

    for number in range(3):
        (tmp_path / f"{number}.rawvf").write_bytes(game_file(number + 1))
    monkeypatch.setattr(analysing, "CHUNK", 1)
    monkeypatch.setattr(sending, "broker_connection", no_broker)
    with caplog.at_level(logging.INFO, sending.__name__):
        assert run(tmp_path, "--inline")[0] == 0
    assert Replay.objects.filter(status="done").count() == 3
    lines = [record.getMessage() for record in caplog.records if "broker" in record.getMessage()]
    assert lines == ["The broker cannot be reached (refused); 3 replays without luck wait for the sweep."]


def test_no_wait_only_queues(tree: Path) -> None:
    status, text = run(tree, "--no-wait")
    assert status == 0
    assert "not analysed yet: 2" in text
    assert set(Replay.objects.values_list("status", flat=True)) == {"queued"}


def test_rows_of_an_interrupted_import_are_analysed(tree: Path) -> None:
    run(tree, "--no-wait")
    status, _ = run(tree, "--inline")
    assert status == 0
    assert set(Replay.objects.values_list("status", flat=True)) == {"done"}


def test_waiting_ends_without_progress(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tree, "--no-wait")
    ids = list(Replay.objects.values_list("pk", flat=True))
    monkeypatch.setattr("time.sleep", lambda _: None)
    assert sorted(analysing.wait_for_workers(ids, lambda _: None, timeout_seconds=0)) == sorted(ids)


@pytest.mark.django_db(transaction=True)
def test_waiting_ends_when_all_rows_are_settled(tree: Path) -> None:
    run(tree, "--no-wait")
    ids = list(Replay.objects.values_list("pk", flat=True))
    moved: list[int] = []

    def work() -> None:
        analyse_replays(ids)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    assert analysing.wait_for_workers(ids, moved.append, timeout_seconds=60) == []
    worker.join()
    assert sum(moved) == len(ids)


@pytest.mark.long(
    beside="tests/replays/upload/intake/test_import_replays.py::test_links_inside_the_folder_are_followed_and_nothing_is_found_twice"
)
@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_the_workers_do_it(tree: Path, worker: Worker, settings: Any) -> None:
    from django.conf import settings as real

    settings.STORAGES = {
        **settings.STORAGES,
        "replays": {**settings.STORAGES["replays"], "OPTIONS": {"location": real.REPLAY_FILES_DIR}},
    }
    worker.start()
    status, text = run(tree)
    assert status == 0
    assert "No worker" not in text
    assert "stored: 2" in text
    assert "The analysis is ready after" in worker.text()


@pytest.mark.long(
    beside="tests/replays/upload/intake/test_import_replays.py::test_waiting_ends_when_all_rows_are_settled"
)
@needs_shared
@pytest.mark.shared
def test_all_real_avf_files() -> None:
    status, text = run(REPLAYS / "avf", "--inline")
    assert status == 0, text
    assert "205 files" in text
    assert "failed: 0" in text
    before = Replay.objects.count()
    status, text = run(REPLAYS / "avf", "--inline")
    assert status == 0
    assert "duplicate file: 205" in text
    assert Replay.objects.count() == before
