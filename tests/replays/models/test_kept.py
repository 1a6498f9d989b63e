"""Films, odds, reviews and luck are computed once and kept; the folder stays small, and nobody sees more by it."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from pytest_django import Settings

from analysis.luck import luck_of
from analysis.recording import Level
from players.models import User
from replays.models import Replay, file_store, kept
from replays.models.kept import KeptResult, take
from replays.odds.luck import selectors as luck
from replays.odds.luck.packing import packed, unpacked
from replays.trust.judging import permissions
from replays.upload.processing.deletion import replay_delete
from replays.watch.film import selectors as films
from replays.watch.review.selectors import replay_review
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, recording

HASH = "ab" * 32


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.KEPT_DIR = tmp_path / "kept"
    settings.KEPT_MB = 64
    return tmp_path / "kept"


@pytest.fixture
def replay(ingest: Ingest) -> Replay:
    return ingest(game_file(1, Level.INTERMEDIATE))


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


ADDRESSES = ["/replays/{}/film", "/replays/{}/odds", "/api/v1/replays/{}/film/", "/api/v1/replays/{}/odds/",
             "/api/v1/replays/{}/luck/", "/api/v1/replays/{}/review/", "/replays/{}/review/"]  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("address", ADDRESSES)
def test_the_second_visitor_gets_what_the_first_one_got_and_nothing_is_computed(
    address: str, client: Client, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get(address.format(replay.pk), follow=True)
    assert first.status_code == 200
    monkeypatch.setattr(films, "film_of_replay", lambda *_: pytest.fail("the film is computed again"))
    monkeypatch.setattr(luck, "calculate_for", lambda *_, **__: pytest.fail("it is computed again"))
    monkeypatch.setattr("replays.watch.review.selectors.calculate_for", lambda *_, **__: pytest.fail("computed again"))
    second = Client().get(address.format(replay.pk), follow=True)
    assert second.status_code == 200
    if "review" not in address or "api" in address:  # a page has a form token of its own
        assert second.content == first.content
    for name in ("Content-Type", "Cache-Control", "ETag"):
        assert second.get(name) == first.get(name)


@pytest.mark.django_db
def test_who_may_not_see_a_replay_does_not_get_what_is_kept_of_it(client: Client, replay: Replay) -> None:
    for address in ADDRESSES:
        assert client.get(address.format(replay.pk), follow=True).status_code == 200
    Replay.objects.filter(pk=replay.pk).update(status=Replay.Status.REJECTED)
    for address in ADDRESSES:
        assert client.get(address.format(replay.pk), follow=True).status_code == 404, address


@pytest.mark.django_db
def test_a_deleted_replay_leaves_nothing_behind(client: Client, replay: Replay) -> None:
    for address in ADDRESSES:
        client.get(address.format(replay.pk), follow=True)
    before = [path for path in site.KEPT_DIR.rglob("*") if path.is_file()]
    assert len(before) == 6  # the page of the review shows the same as the API
    file_store.delete(replay.sha256)
    assert size_of(site.KEPT_DIR) == 0


@pytest.mark.django_db(transaction=True)
def test_deleting_a_replay_deletes_what_is_kept(client: Client, replay: Replay) -> None:
    client.get(f"/replays/{replay.pk}/film", follow=True)
    assert size_of(site.KEPT_DIR) > 0
    assert replay_delete(replay, by=User.objects.create_superuser("staff"))
    assert size_of(site.KEPT_DIR) == 0


def test_an_error_keeps_nothing_and_gives_its_place_back(folder: Path) -> None:

    def fail() -> KeptResult:
        raise RuntimeError("a bug")

    for _ in range(3):
        with pytest.raises(RuntimeError):
            take(HASH, "film", fail)
    assert take(HASH, "film", lambda: KeptResult(b"x")).data == b"x"


def test_what_is_not_final_is_not_kept(folder: Path) -> None:
    assert take(HASH, "odds", lambda: KeptResult(b"half", is_final=False)).data == b"half"
    assert take(HASH, "odds", lambda: KeptResult(b"whole")).data == b"whole"
    assert take(HASH, "odds", lambda: KeptResult(b"never")).data == b"whole"


def test_the_folder_never_holds_more_than_its_room_and_the_oldest_goes_first(folder: Path, settings: Settings) -> None:
    """Somebody asks for the film of every replay: a megabyte each, of which 64 fit."""
    data = os.urandom(200_000)
    for number in range(40):
        name = f"00{number:062x}"
        take(name, "film", lambda: KeptResult(data))
        for path in folder.rglob(f"{name}-*"):
            os.utime(path, (number + 1, number + 1))  # in the order of their numbers
        assert size_of(folder / "00") <= 1024 * 1024
    left = sorted(path.name[:64] for path in folder.rglob("*") if path.is_file())
    assert left == [f"00{number:062x}" for number in range(35, 40)]


def test_what_is_larger_than_a_folder_is_not_kept_and_nothing_else_goes_for_it(folder: Path) -> None:
    take(f"00{0:062x}", "film", lambda: KeptResult(b"small"))
    take(f"00{1:062x}", "film", lambda: KeptResult(bytes(1024 * 1024)))
    assert [path.name[:64] for path in folder.rglob("*") if path.is_file()] == [f"00{0:062x}"]


@pytest.mark.parametrize("damage", [b"", b"\0\0", b"torn by a crash"])
def test_a_damaged_file_is_computed_again(damage: bytes, folder: Path) -> None:
    take(HASH, "film", lambda: KeptResult(b"right"))
    (path,) = (path for path in folder.rglob("*") if path.is_file())
    path.write_bytes(damage)
    assert take(HASH, "film", lambda: KeptResult(b"again")).data == b"again"
    assert take(HASH, "film", lambda: KeptResult(b"never")).data == b"again"


def test_nothing_is_kept_while_the_disk_is_full_or_without_room_for_it(
    folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "has_room", lambda: False)
    take(HASH, "film", lambda: KeptResult(b"x"))
    monkeypatch.setattr(kept, "has_room", lambda: True)
    settings.KEPT_MB = 0
    take(HASH, "film", lambda: KeptResult(b"x"))
    assert not folder.exists()


def test_what_older_code_kept_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take(HASH, "film", lambda: KeptResult(b"old"))
    monkeypatch.setattr(kept, "_stamp", lambda: "other sources")
    assert take(HASH, "film", lambda: KeptResult(b"new")).data == b"new"


@pytest.mark.parametrize("level", [Level.BEGINNER, Level.EXPERT])
def test_luck_and_reviews_come_back_as_they_were(level: Level) -> None:
    from analysis.answers import review_of_file

    for seed in range(3):
        luck = luck_of(recording(seed, level))
        assert unpacked(packed(luck)) == luck
        review = review_of_file(game_file(seed, level), max_seconds=60.0)
        back = unpacked(packed(review))
        assert back == review
        assert [one.weight for one in back.annotations] == [one.weight for one in review.annotations]


@pytest.mark.parametrize("value", [object(), permissions, threading.Lock])
def test_only_known_classes_are_packed(value: Any) -> None:
    with pytest.raises(TypeError):
        packed(value)


@pytest.mark.django_db
def test_what_was_too_hard_is_not_tried_again_for_a_while(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    from replays.odds.positions.refusal import Refusal

    asked: list[int] = []

    def too_hard(*_: object, **__: object) -> None:
        asked.append(1)
        raise Refusal("too_hard")

    monkeypatch.setattr("replays.watch.review.selectors.calculate_for", too_hard)
    for _ in range(3):
        with pytest.raises(Refusal):
            replay_review(replay)
    assert len(asked) == 1
