"""Downloads of replays as RawVF, and uploads of sets of replays (EVFS)."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from analysis import formats
from analysis.analyse import analyse
from analysis.formats import evfs, rawvf
from analysis.statistics import ANALYSED
from players.models import User
from replays.models import Replay
from replays.upload.intake.archives import members, replays_of_set
from replays.upload.intake.receipts import Outcome, Receipt
from replays.upload.intake.services import receive_many
from replays.upload.processing.services import analyse_replays
from tests.bench.fuzz.seeds import own_seeds
from tests.encoders import evf
from tests.factories import receive_one
from tests.replays.conftest import Ingest

pytestmark = pytest.mark.django_db

SEEDS = {seed.name: seed.data for seed in own_seeds()}
ONE, TWO = SEEDS["short evf 4"], SEEDS["whole evf 3"]
ADDRESSES = ("replay-rawvf", "api-replay-rawvf")


# --- downloads --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_export_gives_the_stored_numbers(address: str, ingest: Ingest, client: Client) -> None:
    row = ingest(SEEDS["whole mvf 2007"], name="王.mvf")
    response = client.get(reverse(address, args=[row.pk]))
    assert response.status_code == 200
    assert response.content == rawvf.write(formats.read(SEEDS["whole mvf 2007"]))
    analysis = analyse(formats.read(response.content))
    assert analysis.game_hash == row.game_hash
    assert analysis.values == {statistic.name: row.statistic(statistic.name) for statistic in ANALYSED}


@pytest.mark.parametrize("address", ADDRESSES)
def test_it_is_only_ever_saved(address: str, ingest: Ingest, client: Client) -> None:
    row = ingest(SEEDS["short avf"], name='a "b".avf')
    response = client.get(reverse(address, args=[row.pk]))
    assert response.headers["Content-Disposition"] == f'attachment; filename="a \\"b\\"-{row.pk}.rawvf"'
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    again = client.get(reverse(address, args=[row.pk]), headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("address", ADDRESSES)
def test_there_is_none_without_an_analysis_or_a_file(
    address: str, ingest: Ingest, owner: User, owner_client: Client, store: Any
) -> None:
    waiting = receive_one(SEEDS["short avf"], name="a.avf", uploader=owner, enqueue=False)
    rejected = ingest(b"nonsense", uploader=owner)
    lost = ingest(SEEDS["whole avf"], uploader=owner)
    for path in store.rglob(lost.sha256):
        path.unlink()
    for pk in (waiting.replay_id, rejected.pk, lost.pk, 10**9):
        assert owner_client.get(reverse(address, args=[pk])).status_code == 404


def test_the_page_links_it(ingest: Ingest, client: Client) -> None:
    row = ingest(SEEDS["short avf"])
    assert f'href="/replays/{row.pk}.rawvf"' in client.get(reverse("replay", args=[row.pk])).content.decode()


# --- uploads of sets --------------------------------------------------------------------------------------------------


def test_each_replay_of_a_set_is_its_own(owner: User) -> None:
    data = evf.encode_set([(b"first", ONE), ("二".encode(), TWO), (b"", b"nonsense"), (b"x", b"")])
    receipts = receive_many([("all.evfs", data)], uploader=owner, enqueue=False)
    assert [receipt.name for receipt in receipts] == ["first (1).evf", "二 (2).evf", "all.evfs (3).evf", "x (4).evf"]
    assert [receipt.outcome for receipt in receipts] == [*[Outcome.STORED] * 3, Outcome.REFUSED]
    assert receipts[3].code == "empty"
    ids = _ids(receipts)
    analyse_replays(ids)
    assert [Replay.objects.get(pk=pk).status for pk in ids] == ["done", "done", "rejected"]


def test_a_set_beside_its_replay_is_a_duplicate(ingest: Ingest) -> None:
    row = ingest(ONE)
    (receipt,) = receive_many([("all.evfs", evf.encode_set([(b"1", ONE)]))], uploader=None, enqueue=False)
    assert (receipt.outcome, receipt.replay_id) == (Outcome.DUPLICATE, row.pk)


def test_a_set_in_a_zip_archive() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.evfs", evf.encode_set([(b"1", ONE), (b"2", TWO)]))
        archive.writestr("b.avf", SEEDS["short avf"])
    receipts = receive_many([("all.zip", packed.getvalue())], uploader=None, enqueue=False)
    assert [receipt.name for receipt in receipts] == ["1 (1).evf", "2 (2).evf", "b.avf"]
    assert {receipt.outcome for receipt in receipts} == {Outcome.STORED}


def test_sets_in_an_archive_share_its_limit_of_files() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("a", "b", "c"):
            archive.writestr(name, evf.encode_set([(b"1", ONE), (b"2", TWO)]))
    found = list(members(io.BytesIO(packed.getvalue()), "all.zip", max_files=4, max_bytes=10**9))
    assert [member.refused for member in found] == ["", "", "set_too_many", "set_too_many"]
    found = list(members(io.BytesIO(packed.getvalue()), "all.zip", max_files=6, max_bytes=10**9))
    assert [member.refused for member in found] == [""] * 6


def test_a_damaged_set_has_one_refusal_after_its_replays() -> None:
    data = evf.encode_set([(b"1", ONE), (b"2", TWO)])
    first, rest = receive_many([("all.evfs", data[:-40])], uploader=None, enqueue=False)
    assert (first.outcome, rest.outcome, rest.code) == (Outcome.STORED, Outcome.REFUSED, "broken_set")


def test_too_many_replays_in_a_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.limits.ARCHIVE_MAX_FILES", 2)
    data = evf.encode_set([(b"1", ONE)] * 3)
    (receipt,) = receive_many([("all.evfs", data)], uploader=None, enqueue=False)
    assert (receipt.outcome, receipt.code) == (Outcome.REFUSED, "set_too_many")
    assert "2 files" in receipt.message


def test_names_in_a_set_are_no_paths() -> None:
    data = evf.encode_set([(b"../../etc/passwd", ONE), (rb"C:\x\y", TWO)])
    names = [member.name for member in replays_of_set(data, "all.evfs", max_files=9)]
    assert names == [".._.._etc_passwd (1).evf", "C:_x_y (2).evf"]


def test_the_set_of_the_encoder_is_what_the_reader_takes() -> None:
    assert [cell.data for cell in evfs.cells(evf.encode_set([(b"1", ONE), (b"2", TWO)]))] == [ONE, TWO]


def _ids(receipts: list[Receipt]) -> list[int]:
    return [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]
