"""A file that is watched and not uploaded: the same numbers and film as an upload, for one visitor."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from analysis.limits import MEMORY_BYTES, WATCHED_BYTES, WATCHED_FORM_BYTES
from analysis.statistics import ANALYSED
from players.models import User
from replays.models import Replay
from replays.trust.judging.findings import finding_sentences
from replays.watch.any_file.selectors import WATCH_LIMIT
from replays.watch.film.selectors import packed_film
from tests.replays.conftest import Ingest
from tests.replays.games import avf_file, game_file
from tests.replays.watch.any_file.conftest import API, PAGE, Watch

pytestmark = pytest.mark.django_db


#: As a recorder for a site in the web writes it: claims that nobody can read, and a chord of the left button alone.
HELPED = b"""\
Program: Sample Site
Level: Medium
Level: Hard
SuperClick: On
Marks: perhaps
Time: about a second
LClicks: 1
RClicks: 1
DClicks: 1
Status: won
Width: 3
Height: 3
Mines: 1
Board:
*00
000
000
Events:
0.000 lc 2 2 (24 24)
0.050 lr 2 2 (24 24)
0.400 rc 1 1 (8 8)
0.450 rr 1 1 (8 8)
0.900 lc 2 2 (24 24)
0.950 lr 2 2 (24 24)
"""


def _file(data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("game.rawvf", data)


def data_of(page: Any, name: str) -> Any:
    found = re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', page.content.decode())
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("data", [game_file(3), avf_file(4), HELPED], ids=["rawvf", "avf", "helped"])
def test_it_shows_what_an_upload_of_the_same_file_has(ingest: Ingest, watch: Watch, data: bytes) -> None:
    answer, page = watch(data, API), watch(data)
    assert (answer.status_code, page.status_code) == (200, 200)
    replay, values = ingest(data), answer.json()
    for row in ANALYSED:
        if row.stored:
            assert values["statistics"][row.public] == replay.statistic(row.name), row.name
    assert values["game_hash"] == replay.game_hash
    assert [finding["code"] for finding in values["findings"]] == [finding["code"] for finding in replay.findings]
    film = gzip.decompress(packed_film(replay).data)
    assert b64decode(values["film"]) == film
    assert b64decode(data_of(page, "film-data")["bytes"]) == film
    text = unescape(page.content.decode())
    assert [one for one in finding_sentences(replay.findings) if one not in text] == []


def test_a_helped_game_is_replayed_and_its_claims_are_remarks(ingest: Ingest, watch: Watch) -> None:
    replay, values = ingest(HELPED), watch(HELPED, API).json()
    assert (replay.status, replay.result, replay.mode, replay.ranked) == (Replay.Status.DONE, "won", "no-guess", False)
    assert (replay.statistic("bvdone"), replay.statistic("lcl"), replay.statistic("dcl")) == (1, 1, 1)
    remarks = ["option_twice", "level_unknown", "claim_unread", "claim_unread"]
    assert [finding["code"] for finding in replay.findings if finding["code"] in remarks] == remarks
    assert [finding for finding in values["findings"] if finding["code"].endswith("_differs")] == []


def test_it_gives_the_file_back_for_an_upload(settings: Any, watch: Watch) -> None:
    settings.ANONYMOUS_UPLOADS = True
    sent = data_of(watch(game_file(3), name="läuft.rawvf"), "file-data")
    assert (sent["name"], b64decode(sent["bytes"])) == ("läuft.rawvf", game_file(3))


def test_guests_are_asked_to_sign_in_before_they_upload(watch: Watch, owner_client: Client) -> None:
    assert "file-data" not in watch(game_file(3)).content.decode()
    assert "file-data" in owner_client.post(PAGE, {"file": _file(game_file(3))}).content.decode()


def test_nothing_in_the_page_names_an_address_of_a_replay(watch: Watch) -> None:
    data = data_of(watch(game_file(3)), "film-data")
    assert not {"film", "odds", "route", "review", "luck", "position", "page", "embed"} & data.keys()
    assert "/replays/" not in json.dumps({name: value for name, value in data.items() if name != "bytes"})
    assert watch(game_file(3))["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("address", [PAGE, API])
def test_no_cache_keeps_an_answer(watch: Watch, address: str) -> None:
    assert watch(game_file(3), address)["Cache-Control"] == "no-store"
    assert watch(b"no replay", PAGE)["Cache-Control"] == "no-store"


def test_a_form_of_another_site_is_refused(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(PAGE, {"file": _file(game_file(3))}).status_code == 403
    client.force_login(owner)
    assert client.post(API, {"file": _file(game_file(3))}).status_code == 403


def test_its_limit_is_counted_by_address(client: Client) -> None:
    statuses = [client.post(API if number % 2 else PAGE).status_code for number in range(WATCH_LIMIT.amount + 1)]
    assert [status for status in statuses if status == 429] == statuses[WATCH_LIMIT.amount :]
    refused = client.post(API, {"file": _file(game_file(3))})
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert int(refused["Retry-After"]) > 0


def test_a_file_fits_into_the_memory_of_a_request() -> None:
    """Otherwise Django's default handlers, which the CSRF check of a session uses, would write it to disk."""
    assert WATCHED_BYTES + WATCHED_FORM_BYTES < MEMORY_BYTES


def test_the_form_is_there_without_a_file(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    assert 'type="file" name="file"' in page
    assert client.post(PAGE).status_code == 400


@pytest.mark.parametrize(
    ("content_type", "status"), [("application/json", 415), ("multipart/form-data; boundary=x", 400)]
)
def test_a_program_that_sends_no_form_is_told_so(client: Client, content_type: str, status: int) -> None:
    assert client.post(API, b"{}", content_type=content_type).status_code == status
