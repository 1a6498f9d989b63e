from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from analysis.limits import MAX_REPLAY_BYTES
from players.models import User
from replays.models import Replay, file_store
from replays.upload.intake.receipts import Outcome
from replays.upload.intake.services import receive_many
from replays.upload.processing.queue import ANALYSE
from tests.factories import receive_one
from tests.replays.conftest import Ingest
from tests.replays.games import avf_file, game_file
from tests.replays.sent_tasks import sent_ids
from tests.replays.upload.intake.test_archives import archive, large_set, unix_entry
from tests.services import Broker

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Ids whose analysis was queued."""
    return sent_ids(monkeypatch, ANALYSE)


def test_a_new_file_is_stored_before_its_row_and_task(
    owner: User, sent: list[list[int]], django_capture_on_commit_callbacks: Any
) -> None:
    data = game_file()
    with django_capture_on_commit_callbacks(execute=True):
        receipt = receive_one(data, name="../a.rawvf", uploader=owner)
        assert sent == []  # not before the commit
    row = Replay.objects.get()
    assert (receipt.outcome, receipt.replay_id, receipt.status, receipt.code) == (Outcome.STORED, row.pk, "queued", "")
    assert (row.original_name, row.uploader, row.size_bytes) == ("a.rawvf", owner, len(data))
    assert file_store.get(row.sha256) == data
    assert sent == [[row.pk]]


def test_there_is_no_row_if_the_file_cannot_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(file_store, "put_many", fail)
    with pytest.raises(OSError, match="disk full"):
        receive_one(game_file(), name="a", uploader=None)
    assert not Replay.objects.exists()


def test_the_same_bytes_again_are_a_duplicate(owner: User, other_player: User) -> None:
    first = receive_one(game_file(), name="a", uploader=owner)
    second = receive_one(game_file(), name="b", uploader=other_player)
    assert (second.outcome, second.replay_id, second.status) == (Outcome.DUPLICATE, first.replay_id, "queued")
    assert f"#{first.replay_id}" in second.message
    assert Replay.objects.get().uploader == owner


def test_the_same_bytes_twice_in_one_request() -> None:
    receipts = receive_many([("a", game_file(1)), ("b", game_file(2)), ("c", game_file(1))], uploader=None)
    assert [receipt.outcome for receipt in receipts] == [Outcome.STORED, Outcome.STORED, Outcome.DUPLICATE]
    assert receipts[2].replay_id == receipts[0].replay_id
    assert Replay.objects.count() == 2


def test_the_receipt_of_a_duplicate_has_the_status_of_the_first(ingest: Ingest) -> None:
    data = avf_file()[:60]
    ingest(data)
    receipt = receive_one(data, name="again", uploader=None)
    assert (receipt.outcome, receipt.status) == (Outcome.DUPLICATE, Replay.Status.REJECTED)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (bytes(MAX_REPLAY_BYTES + 1), "too_large"),
        (b"Rar!\x1a\x07\x01\x00", "other_archive"),
    ],
)
def test_a_refused_file_has_no_row(data: bytes, code: str) -> None:
    for sent in (data, SimpleUploadedFile("a.avf", data)):
        receipt = receive_one(sent, name="a.avf", uploader=None)
        assert (receipt.outcome, receipt.replay_id, receipt.code) == (Outcome.REFUSED, None, code)
        assert receipt.message not in {"", code}
    assert not Replay.objects.exists()


def test_a_file_of_exactly_the_limit_is_accepted() -> None:
    assert receive_one(bytes(MAX_REPLAY_BYTES), name="a", uploader=None).outcome is Outcome.STORED


def test_an_archive_gives_a_receipt_a_member() -> None:
    data = archive(
        ("games/one.rawvf", game_file(1)), (unix_entry("link", 0o120000), b"x"), ("empty", b""), ("again", game_file(1))
    )
    receipts = receive_many([("first", game_file(2)), ("all.zip", data), ("last", b"x")], uploader=None)
    assert [(receipt.name, receipt.outcome, receipt.code) for receipt in receipts] == [
        ("first", Outcome.STORED, ""),
        ("one.rawvf", Outcome.STORED, ""),
        ("link", Outcome.REFUSED, "link"),
        ("empty", Outcome.REFUSED, "empty"),
        ("again", Outcome.DUPLICATE, "duplicate_file"),
        ("last", Outcome.STORED, ""),
    ]
    assert set(Replay.objects.values_list("original_name", flat=True)) == {"first", "one.rawvf", "last"}


def test_a_zip_by_another_name_is_opened() -> None:
    (receipt,) = receive_many([SimpleUploadedFile("game.avf", archive(("one", game_file())))], uploader=None)
    assert (receipt.name, receipt.outcome) == ("one", Outcome.STORED)


def test_a_broken_archive_is_one_clear_receipt() -> None:
    (receipt,) = receive_many([("all.zip", b"PK\x03\x04broken")], uploader=None)
    assert (receipt.name, receipt.outcome, receipt.code) == ("all.zip", Outcome.REFUSED, "broken_archive")


def test_a_thousand_files_take_a_fixed_number_of_queries_a_batch(django_assert_max_num_queries: Any) -> None:
    batches, statements = 5, 9
    with django_assert_max_num_queries(batches * statements):
        receipts = receive_many(((f"{number}.avf", b"file %d" % number) for number in range(1000)), uploader=None)
    assert [receipt.name for receipt in receipts] == [f"{number}.avf" for number in range(1000)]
    assert len({receipt.replay_id for receipt in receipts}) == 1000


def test_file_names_are_cleaned() -> None:
    receipt = receive_one(b"1", name="a\x00\r\n" + "長" * 300 + ".avf", uploader=None)
    assert Replay.objects.get(pk=receipt.replay_id or 0).original_name == receipt.name
    assert len(receipt.name) == 255
    assert receipt.name.isprintable()


@pytest.mark.parametrize("loss", ["missing", "damaged"])
def test_a_lost_file_comes_back_with_the_next_upload(
    loss: str, ingest: Ingest, store: Any, sent: list[list[int]], django_capture_on_commit_callbacks: Any
) -> None:  # fmt: skip
    data = game_file()
    receipt = receive_one(data, name="a", uploader=None, enqueue=False)
    path = store / file_store.path_of(file_store.sha256_of(data))
    path.unlink() if loss == "missing" else path.write_bytes(b"x" * len(data))
    assert ingest(data).status == Replay.Status.DONE  # ingest uploaded the file again
    row = Replay.objects.get(pk=receipt.replay_id or 0)
    Replay.objects.update(status=Replay.Status.REJECTED, reject_code=f"file_{loss}", attempts=3)
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        again = receive_one(data, name="a", uploader=None)
    assert sent == [[row.pk]], "it does not wait for the sweep"
    row.refresh_from_db()
    assert (again.status, row.status, row.attempts, row.reject_code) == ("queued", "queued", 0, "")


def test_a_file_of_unknown_format_is_analysed_again_when_sent_again(ingest: Ingest) -> None:
    row = ingest(b"of a format yet to come")
    assert row.reject_code == "unknown_format"
    receipt = receive_one(b"of a format yet to come", name="again", uploader=None)
    assert (receipt.outcome, receipt.replay_id, receipt.status) == (Outcome.DUPLICATE, row.pk, Replay.Status.QUEUED)


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_does_not_refuse_an_upload(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    broker.stop()
    receipts = receive_many([(str(number), b"%d" % number) for number in range(300)], uploader=None)
    assert {receipt.outcome for receipt in receipts} == {Outcome.STORED}
    assert Replay.objects.filter(status=Replay.Status.QUEUED).count() == 300
    assert "wait for the sweep" in caplog.text


def test_an_open_file_is_read_from_its_start() -> None:
    stream = io.BytesIO(game_file())
    stream.read()
    (receipt,) = receive_many([("a", stream)], uploader=None)
    assert file_store.get(Replay.objects.get(pk=receipt.replay_id or 0).sha256) == game_file()


def test_zip_bombs_end_as_receipts() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("zeros", bytes(30 * 1024 * 1024))
        bomb.writestr("small", game_file())
    receipts = receive_many([("bomb.zip", stream.getvalue())], uploader=None)
    assert [(receipt.code, receipt.outcome) for receipt in receipts] == [
        ("too_large", Outcome.REFUSED),
        ("", Outcome.STORED),
    ]


def test_a_set_larger_than_a_replay_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    data = large_set()
    receipts = receive_many([("games.evfs", data)], uploader=None)
    assert (len(receipts), {receipt.code for receipt in receipts}) == (8, {"", "duplicate_file"})
    assert receipts[0].name == "game (1).evf"
    monkeypatch.setattr("analysis.limits.ARCHIVE_MAX_FILES", 7)
    assert [one.code for one in receive_many([("games.evfs", data)], uploader=None)] == ["set_too_many"]
    monkeypatch.setattr("analysis.limits.ARCHIVE_MAX_BYTES", len(data) - 1)
    assert [one.code for one in receive_many([("games.evfs", data)], uploader=None)] == ["too_large"]


@pytest.mark.parametrize("name", ["._game.rawvf", "__MACOSX/game.rawvf"])
def test_a_replay_is_no_file_of_an_operating_system(name: str) -> None:
    (receipt,) = receive_many([(name, game_file())], uploader=None)
    assert receipt.outcome is Outcome.STORED
    (receipt,) = receive_many([(name, b"\0\5\x16\7" + game_file())], uploader=None)
    assert receipt.code == "system_files"


def test_files_of_an_operating_system_are_passed_over() -> None:
    data = archive(("a/.DS_Store", b"1"), ("__MACOSX/a/._b.rawvf", b"2"), ("a/b.rawvf", game_file()))
    receipts = receive_many([("all.zip", data), ("Thumbs.db", b"3")], uploader=None)
    assert [(one.name, one.code) for one in receipts] == [
        ("b.rawvf", ""), ("all.zip", "system_files"), ("Thumbs.db", "system_files"),
    ]  # fmt: skip
    assert "2 (.DS_Store, ._b.rawvf)" in receipts[1].message
    assert Replay.objects.count() == 1
