"""Missing and changed files are found, whole ones are not, and no run takes longer than it may."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from config.http import vitals
from replays.management.commands import check_files
from replays.models import Replay, file_store, store_mark
from replays.models.file_store import path_of, sha256_of
from replays.upload.processing import stored_files
from replays.upload.processing.stored_files import PARTS, check_part, faulty_files
from tests.factories import receive_one
from tests.replays.conftest import store as store
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db


def stored(seed: int) -> Replay:
    receipt = receive_one(game_file(seed), name=f"{seed}.rawvf", uploader=None)
    assert receipt.replay_id is not None
    return Replay.objects.get(pk=receipt.replay_id)


def place(replay: Replay) -> Path:
    return Path(storages["replays"].path(path_of(replay.sha256)))


@pytest.fixture
def few_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some parts in place of 720: each is asked for in statements of its own, and tests that check all do so again."""
    for module in (stored_files, check_files):
        monkeypatch.setattr(module, "PARTS", 16)


def part_of(replay: Replay) -> int:
    return next(
        part for part in range(PARTS) if stored_files._bounds(part)[0] <= replay.sha256 < stored_files._bounds(part)[1]
    )


def check_all() -> dict[str, list[int]]:
    found = [check_part(part) for part in range(stored_files.PARTS)]
    return {
        "missing": sorted(pk for one in found for pk in one.missing),
        "changed": sorted(pk for one in found for pk in one.changed),
    }


def test_every_hash_is_in_one_part() -> None:
    bounds = [stored_files._bounds(part) for part in range(PARTS)]
    assert bounds[0][0] == "0" * 16
    assert [high for _low, high in bounds[:-1]] == [low for low, _high in bounds[1:]]
    assert bounds[-1][1] > "f" * 64
    for text in ("0" * 64, "f" * 64, sha256_of(b"")):
        assert sum(low <= text < high for low, high in bounds) == 1


@pytest.mark.usefixtures("few_parts")
def test_missing_and_changed_files_are_found(store: Path, caplog: pytest.LogCaptureFixture) -> None:
    whole, missing, changed, cut = (stored(seed) for seed in range(4))
    assert check_all() == {"missing": [], "changed": []}
    place(missing).unlink()
    data = bytearray(place(changed).read_bytes())
    data[len(data) // 2] ^= 1
    place(changed).write_bytes(data)
    place(cut).write_bytes(place(cut).read_bytes()[:-1])
    assert check_all() == {"missing": [missing.pk], "changed": sorted([changed.pk, cut.pk])}
    assert faulty_files() == 3
    assert f"The file of replay {missing.pk} is missing" in caplog.text
    vitals.forget()
    assert json.loads(Client().get("/readyz").content)["faulty_files"] == 3
    file_store.put_many({missing.sha256: game_file(1), changed.sha256: game_file(2), cut.sha256: game_file(3)})
    assert check_all() == {"missing": [], "changed": []}
    assert faulty_files() == 0
    assert place(whole).exists()


def test_a_file_that_was_deleted_is_not_missing(store: Path) -> None:
    replay = stored(1)
    place(replay).unlink()
    Replay.objects.update(file_deleted_at=timezone.now())
    assert check_part(part_of(replay)).files == 0


def test_a_file_that_is_deleted_meanwhile_is_not_missing(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = stored(1)

    def deleted(sha256: str) -> bytes:
        Replay.objects.update(file_deleted_at=timezone.now())
        raise file_store.FileMissingError(sha256)

    monkeypatch.setattr(file_store, "get", deleted)
    assert check_part(part_of(replay)).missing == []


def test_a_store_that_is_not_ours_is_no_fault_of_the_files(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replay = stored(1)
    place(replay).unlink()
    monkeypatch.setattr(store_mark, "is_visible", lambda: False)
    found = check_part(part_of(replay))
    assert (found.files, found.missing, found.complete) == (0, [], False)
    with pytest.raises(CommandError, match="not visible"):
        call_command("check_files", stdout=StringIO())


def test_a_run_ends_in_time_and_begins_elsewhere_next_time(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(5):
        stored(seed)
    monkeypatch.setattr(stored_files, "_bounds", lambda _part: ("0" * 16, "g"))
    monkeypatch.setattr(stored_files, "_CHUNK", 1)
    monkeypatch.setattr(stored_files, "_now", iter(range(1_000)).__next__)
    begun: set[str] = set()
    monkeypatch.setattr(file_store, "get", begun.add)
    for _ in range(60):
        found = check_part(0, seconds=1)
        assert (found.files, found.complete) == (2, False)
    assert len(begun) == 5


def test_the_range_is_walked_once(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(7):
        stored(seed)
    monkeypatch.setattr(stored_files, "_CHUNK", 2)
    for _ in range(10):
        assert sorted(pk for chunk in stored_files._chunks("0" * 16, "g") for pk, _ in chunk) == sorted(
            Replay.objects.values_list("pk", flat=True)
        )


@pytest.mark.usefixtures("few_parts")
def test_the_command_checks_all_and_fails_if_one_is_faulty(store: Path) -> None:
    replay = stored(1)
    output = StringIO()
    call_command("check_files", stdout=output)
    assert "1 files: 0 missing, 0 changed." in output.getvalue()
    place(replay).unlink()
    with pytest.raises(CommandError, match="1 missing"):
        call_command("check_files", stdout=output)
    assert f"replay {replay.pk}: missing" in output.getvalue()
