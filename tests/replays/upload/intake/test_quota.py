"""The quota of an account: files and bytes of a day, by page and API together, and archives that grow."""

from __future__ import annotations

import random
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from players.models import User
from players.web import rate_limits
from players.web.problems import Refused
from replays.models import Replay, file_store
from replays.upload.intake.permissions import Sender, sender_problem
from replays.upload.intake.quota import Quota
from replays.upload.intake.receipts import Receipt
from replays.upload.intake.services import receive_in_batches, receive_many
from tests.replays.upload.intake.test_archives import archive

pytestmark = pytest.mark.django_db
MEGABYTE = 1024 * 1024


def by_page(client: Client, *files: bytes, json: bool = True) -> Any:
    sent = [SimpleUploadedFile(f"{number}.avf", data) for number, data in enumerate(files)]
    return client.post("/upload/", {"files": sent}, headers={"Accept": "application/json"} if json else {})


def by_api(client: Client, *files: bytes) -> Any:
    sent = [SimpleUploadedFile(f"{number}.avf", data) for number, data in enumerate(files)]
    return client.post("/api/v1/replays/", {"files": sent})


def receive(files: list[tuple[str, bytes]], owner: User, quota: Quota) -> list[Receipt]:
    return [one for some in receive_in_batches(files, Sender(owner, quota), enqueue=False) for one in some]


@pytest.fixture(autouse=True)
def _no_counts_are_left() -> Iterator[None]:
    yield
    rate_limits.reset()


@pytest.mark.parametrize(("first", "second"), [(by_page, by_api), (by_api, by_page), (by_page, by_page)])
def test_page_and_api_share_one_quota(
    first: Any, second: Any, owner_client: Client, other_client: Client, staff_client: Client, settings: Settings
) -> None:
    settings.UPLOAD_QUOTA_FILES = 3
    assert first(owner_client, b"1", b"2", b"3").status_code in (200, 202)
    refused = second(owner_client, b"4")
    assert refused.status_code == 429
    assert refused.json()["code"] == "quota_files"
    assert 0 < int(refused["Retry-After"]) <= 24 * 3600
    assert second(other_client, b"5").status_code in (200, 202)
    assert all(second(staff_client, b"s%d" % number).status_code in (200, 202) for number in range(6))
    assert not Replay.objects.filter(sha256=file_store.sha256_of(b"4")).exists()


def test_the_page_says_why(owner_client: Client, settings: Settings) -> None:
    settings.UPLOAD_QUOTA_FILES = 1
    by_page(owner_client, b"1")
    page = by_page(owner_client, b"2", json=False)
    assert page.status_code == 429
    assert "file limit (1)" in page.content.decode()


def test_bytes_that_are_stored_count_and_duplicates_do_not(owner_client: Client, settings: Settings) -> None:
    settings.UPLOAD_QUOTA_MB = 1
    data = bytes(400_000)
    assert by_api(owner_client, data + b"1").status_code == 202
    for _ in range(3):
        assert by_api(owner_client, data + b"1").status_code == 200
    assert by_api(owner_client, data + data).status_code == 429
    assert by_api(owner_client, b"small").status_code == 202


def test_an_archive_stops_where_the_quota_ends(
    owner: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty members of 100 KB that pack to little: ten are stored, and each of the others has its receipt."""
    settings.UPLOAD_QUOTA_MB = 1
    body = random.Random(1).randbytes(1_024) * 100
    members = [(f"{number}.avf", b"%06d" % number + body) for number in range(30)]
    packed = archive(*members)
    assert len(packed) < MEGABYTE / 10
    unpacked: list[int] = []
    real = Quota.take

    def take(self: Quota, size_bytes: int) -> str:
        unpacked.append(size_bytes)
        return real(self, size_bytes)

    monkeypatch.setattr(Quota, "take", take)
    receipts = receive([("all.zip", packed)], owner, Quota("account-1"))
    assert [receipt.name for receipt in receipts] == [name for name, _data in members]
    assert [receipt.code for receipt in receipts] == [""] * 10 + ["quota_bytes"] * 20
    assert sum(Replay.objects.values_list("size_bytes", flat=True)) <= MEGABYTE
    assert len(unpacked) == 11, "members after the end of the quota are not unpacked"
    (further,) = receive([("one.avf", bytes(100_000))], owner, Quota("account-1"))
    assert further.code == "quota_bytes"


def test_imports_have_no_quota(owner: User, settings: Settings) -> None:
    settings.UPLOAD_QUOTA_FILES = 1
    files = [(f"{number}.avf", b"%d" % number) for number in range(5)]
    assert all(receipt.code == "" for receipt in receive_many(files, uploader=owner, enqueue=False))


def test_a_used_up_quota_refuses_a_large_body_before_it_is_read(owner_client: Client, settings: Settings) -> None:
    settings.UPLOAD_QUOTA_FILES = 1
    environ = {
        "REQUEST_METHOD": "POST", "PATH_INFO": "/upload/", "wsgi.input": BytesIO(), "REMOTE_ADDR": "192.0.2.1",
        "HTTP_COOKIE": f"sessionid={owner_client.cookies['sessionid'].value}", "SERVER_NAME": "x", "SERVER_PORT": "80",
    }  # fmt: skip
    assert sender_problem(environ) is None
    by_api(owner_client, b"1")
    problem = sender_problem(environ)
    assert problem is not None
    assert (problem.http_status, problem.code) == (429, "quota_files")
    assert problem.retry_seconds
    del environ["HTTP_COOKIE"]
    problem = sender_problem(environ)
    assert problem is not None
    assert problem.http_status == 401


# --- one address, and the whole site ----------------------------------------------------------------------------------


@pytest.mark.parametrize("send", [by_page, by_api])
def test_accounts_of_one_address_share_what_it_may_store_in_an_hour(
    send: Any, owner_client: Client, other_client: Client, staff_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.upload.intake.quota.ADDRESS_MB", 1)
    assert send(owner_client, random.Random(1).randbytes(MEGABYTE)).status_code in (200, 202)
    refused = send(other_client, b"small")
    assert (refused.status_code, refused.json()["code"]) == (429, "quota_address")
    assert 0 < int(refused["Retry-After"]) <= 3600
    assert not Replay.objects.filter(sha256=file_store.sha256_of(b"small")).exists()
    sent = {"files": [SimpleUploadedFile("a.avf", b"small")]}
    assert other_client.post("/api/v1/replays/", sent, REMOTE_ADDR="192.0.2.7").status_code == 202
    assert send(staff_client, b"of staff").status_code in (200, 202)


@pytest.mark.parametrize("send", [by_page, by_api])
def test_the_site_stores_so_much_in_an_hour_and_says_so(
    send: Any, owner_client: Client, other_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.upload.intake.quota.SITE_MB", 1)
    assert send(owner_client, random.Random(1).randbytes(MEGABYTE)).status_code in (200, 202)
    refused = send(other_client, b"small")
    assert (refused.status_code, refused.json()["code"]) == (507, "quota_site")
    assert 0 < int(refused["Retry-After"]) <= 3600


def test_what_fits_is_stored_and_each_of_the_rest_is_told(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost: a receipt says of each file whether it is here."""
    monkeypatch.setattr("replays.upload.intake.quota.ADDRESS_MB", 1)
    files = [("a.avf", random.Random(number).randbytes(MEGABYTE // 4)) for number in range(6)]
    receipts = receive(files, owner, Quota("account-1", "192.0.2.1"))
    assert [receipt.code for receipt in receipts] == [""] * 4 + ["quota_address"] * 2
    assert "1 MB" in receipts[-1].message
    assert Replay.objects.count() == 4


def test_requests_at_the_same_time_see_what_the_others_have_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.upload.intake.quota.ADDRESS_MB", 1)
    first, second = Quota("account-1", "192.0.2.1"), Quota("account-2", "192.0.2.1")
    for quota in (first, second):
        assert quota.take(MEGABYTE // 2) == ""
        quota.settle(1, MEGABYTE // 2, 0)
    assert (first.take(1), second.take(1)) == ("", "quota_address")
    first.settle(1, 1, 0)
    assert first.take(1) == "quota_address"


def test_copies_cost_no_room(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.upload.intake.quota.ADDRESS_MB", 1)
    monkeypatch.setattr("replays.upload.intake.quota.SITE_MB", 1)
    data = random.Random(1).randbytes(MEGABYTE // 2)
    for _ in range(5):
        receive([("a.avf", data)], owner, Quota("account-1", "192.0.2.1"))
    assert Quota("account-1", "192.0.2.1").take(MEGABYTE // 2) == ""


def test_refused_members_of_archives_count(owner: User, settings: Settings) -> None:
    """Unpacking them is work; the room of the site and of others behind the address is nobody's loss."""
    settings.UPLOAD_QUOTA_FILES, settings.UPLOAD_QUOTA_MB = 10, 3
    bomb = archive(*((f"{number}.avf", bytes(4 * MEGABYTE)) for number in range(20)))
    sender = Quota("account-1", "192.0.2.1")
    codes = [receipt.code for receipt in receive([("all.zip", bomb)], owner, sender)]
    assert codes[0] == "compression_ratio"
    assert codes[-1] == "quota_bytes"
    with pytest.raises(Refused):
        Quota("account-1", "192.0.2.1").check()
    Quota("account-2", "192.0.2.1").check()
    empty = archive(*((f"{number}.avf", b"") for number in range(20)))
    codes = [receipt.code for receipt in receive([("all.zip", empty)], owner, Quota("account-3", "192.0.2.1"))]
    assert codes == ["empty"] * 10 + ["quota_files"] * 10
