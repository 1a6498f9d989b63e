"""Compression: what gets smaller, what is left alone, and that ETags go on working."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from whitenoise.compress import Compressor

from analysis.recording import Level
from config.http.compression import CompressionMiddleware
from players.models import User
from replays.models import Replay
from tests.pages.conftest import MakePlayers, make_players  # noqa: F401 - a fixture
from tests.replays.conftest import Ingest, ingest, store  # noqa: F401 - fixtures
from tests.replays.games import game_file

GZIP = {"accept-encoding": "gzip, deflate, br"}
LONG = b"The same words again. " * 100


def answer(response: Any, **headers: str) -> Any:
    request = RequestFactory().get("/", headers=headers or GZIP)
    return CompressionMiddleware(lambda _request: response)(request)


@pytest.mark.long(beside="tests/config/http/test_compression.py::test_pages_with_secrets_are_not_compressed")
@pytest.mark.django_db
def test_pages_and_lists_are_four_times_smaller(
    make_players: MakePlayers,  # noqa: F811
    ingest: Ingest,  # noqa: F811
    client: Client,
) -> None:
    player = make_players(60)[0]
    replay = ingest(game_file(level=Level.EXPERT))
    for address in (
        "/", "/leaderboards/expert/time/", f"/players/{player.pk}/", f"/replays/{replay.pk}/",
        "/api/v1/leaderboards/expert/time/", "/api/v1/replays/", f"/api/v1/players/{player.pk}/",
    ):  # fmt: skip
        client.get(address)  # caches are filled
        plain, packed = client.get(address), client.get(address, headers=GZIP)
        assert packed["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in packed["Vary"]
        assert int(packed["Content-Length"]) == len(packed.content)
        assert without_masks(gzip.decompress(packed.content)) == without_masks(plain.content)
        assert len(packed.content) * 4 <= len(plain.content), (address, len(plain.content), len(packed.content))


def without_masks(page: bytes) -> bytes:
    """``page`` without its form tokens, which are other ones in each response."""
    return re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", page)


def test_the_length_of_a_compressed_response_is_random() -> None:
    lengths = {len(answer(HttpResponse(LONG)).content) for _number in range(30)}
    assert len(lengths) > 5
    assert max(lengths) - min(lengths) <= 100


def test_the_token_of_a_form_is_another_one_in_each_response(db: None, owner_client: Client) -> None:
    tokens = {
        token
        for _number in range(3)
        for token in re.findall(r'csrfmiddlewaretoken" value="(\w+)"', owner_client.get("/upload/").content.decode())
    }
    assert len(tokens) >= 3


@pytest.mark.django_db
def test_pages_with_secrets_are_not_compressed(owner_client: Client, staff_client: Client) -> None:
    for client, address in ((owner_client, "/account/"), (staff_client, "/admin/")):
        response = client.get(address, headers=GZIP)
        assert "no-store" in response["Cache-Control"]
        assert len(response.content) > 1_000
        assert "Content-Encoding" not in response


@pytest.mark.django_db
def test_replay_files_are_not_compressed(ingest: Ingest, client: Client) -> None:  # noqa: F811
    row: Replay = ingest(game_file())
    for address in (f"/api/v1/replays/{row.pk}/file", f"/replays/{row.pk}/file", f"/api/v1/replays/{row.pk}/rawvf"):
        response = client.get(address, headers=GZIP)
        assert "Content-Encoding" not in response
        assert response["ETag"].startswith('"')


def streamed() -> Iterator[bytes]:
    yield LONG
    yield LONG


@pytest.mark.parametrize(
    ("response", "headers"),
    [
        (StreamingHttpResponse(streamed()), {}),
        (HttpResponse(LONG, content_type="image/png"), {}),
        (HttpResponse(LONG, headers={"Content-Encoding": "br"}), {}),
        (HttpResponse(LONG, headers={"Cache-Control": "private, no-store"}), {}),
        (HttpResponse(b"short"), {}),
        (HttpResponse(LONG), {"accept-encoding": "identity"}),
    ],
    ids=["streamed", "image", "encoded", "no-store", "short", "not asked for"],
)  # fmt: skip
def test_what_is_left_alone(response: HttpResponse, headers: dict[str, str]) -> None:
    before = response.get("Content-Encoding")
    assert answer(response, **headers).get("Content-Encoding") == before


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_caches_keep_both_forms(accepted: str) -> None:
    assert answer(HttpResponse(LONG), **{"accept-encoding": accepted})["Vary"] == "Accept-Encoding"


def test_the_weight_of_gzip_may_be_given() -> None:
    assert answer(HttpResponse(LONG), **{"accept-encoding": "br, gzip;q=0.5"})["Content-Encoding"] == "gzip"


@pytest.mark.long(beside="tests/config/http/test_compression.py::test_caches_keep_both_forms")
@pytest.mark.django_db
def test_a_client_that_has_the_compressed_response_gets_304(ingest: Ingest, owner: User, client: Client) -> None:  # noqa: F811
    row = ingest(game_file(), uploader=owner)
    address = f"/api/v1/replays/{row.pk}/luck/"
    first = client.get(address, headers=GZIP)
    assert (first["Content-Encoding"], first["ETag"][:3]) == ("gzip", 'W/"')
    again = client.get(address, headers={**GZIP, "if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "Content-Encoding" not in again


def test_static_files_are_compressed_when_they_are_collected(tmp_path: Path) -> None:
    script = tmp_path / "site.js"
    script.write_bytes(LONG)
    made = set(Compressor(quiet=True).compress(str(script)))
    assert made == {f"{script}.gz"}
