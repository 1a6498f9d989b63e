"""Files that should crash, hang or fill: each is refused with a reason, or shown."""

from __future__ import annotations

import io
import random
import zipfile
from typing import Any

import pytest
from django.utils.html import escape

from analysis.formats import FORMATS
from analysis.limits import WATCHED_BYTES
from players.web.problems import Refused
from replays.odds.calculator import calculator_client
from replays.trust.reasons import sentence
from replays.watch.any_file.selectors import watched_file
from tests.effort import seeds
from tests.heavy import heavy_file
from tests.replays.games import avf_file, game_file, largest_game
from tests.replays.watch.any_file.conftest import API, Watch

pytestmark = pytest.mark.django_db


def bomb() -> bytes:
    """A zip archive of 100 MB of zeros."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("game.avf", b"\0" * 100_000_000)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 422, "empty"),
        (b"no replay", 422, "unknown_format"),
        (b"\0" * WATCHED_BYTES, 422, "unknown_format"),
        (b"x" * (WATCHED_BYTES + 1), 413, "too_large"),
        (b"EVFS", 422, None),
        (avf_file()[:100], 422, None),
    ],
    ids=["empty", "text", "zeros", "too large", "set", "cut"],
)  # fmt: skip
def test_each_is_refused_with_its_reason(data: bytes, status: int, code: str | None) -> None:
    with pytest.raises(Refused) as refused:
        watched_file(data)
    assert refused.value.http_status == status
    assert str(refused.value)
    if code is not None:
        assert str(refused.value) == sentence(code, {"limit": WATCHED_BYTES})


def test_an_archive_is_not_opened() -> None:
    data = bomb()
    assert len(data) < WATCHED_BYTES
    with pytest.raises(Refused) as refused:
        watched_file(data)
    assert str(refused.value) == sentence("archive")


def test_the_api_says_why(watch: Watch) -> None:
    answer = watch(b"no replay", API)
    assert (answer.status_code, answer.json()["code"]) == (422, "unreadable_replay")
    large = watch(b"x" * (WATCHED_BYTES + 1), API)
    assert (large.status_code, large.json()["code"]) == (413, "body_too_large")
    assert str(WATCHED_BYTES) in large.json()["detail"]
    assert escape(answer.json()["detail"]) in watch(b"no replay").content.decode()


@pytest.mark.parametrize("seed", seeds(*range(4)))
def test_damaged_files_are_refused_or_shown(seed: int) -> None:
    source, outcomes = random.Random(seed), []
    for whole in (avf_file(seed + 1), game_file(seed + 1)):
        for _ in range(12):
            data = bytearray(whole[: source.randrange(1, len(whole))] if source.random() < 0.5 else whole)
            for _change in range(source.randrange(8)):
                data[source.randrange(len(data))] = source.randrange(256)
            outcomes.append(_outcome(bytes(data)))
    assert set(outcomes) == {"refused", "shown"}, (seed, outcomes)


def _outcome(data: bytes) -> str:
    try:
        found = watched_file(data)
    except Refused as error:
        return "refused" if error.http_status == 422 else error.code
    assert found.replay.game_hash
    return "shown"


def test_the_largest_board_is_shown(watch: Watch) -> None:
    data = largest_game()
    assert len(data) < WATCHED_BYTES
    assert watch(data).status_code == 200


def test_what_takes_too_long_is_ended(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    data = heavy_file(28_000)
    assert len(data) < WATCHED_BYTES
    assert watch(data).status_code == 200
    monkeypatch.setattr(calculator_client, "CPU_SECONDS", 1e-3)  # a tenth of what it needs, or less
    answer: Any = watch(data, API)
    assert (answer.status_code, answer.json()["code"]) == (422, "unreadable_replay")
    assert "took longer" in answer.json()["detail"]


def test_every_format_of_the_site_is_told_to_visitors(watch: Watch) -> None:
    page = watch(b"no replay").content.decode()
    assert all(f".{module.NAME}" in page for module in FORMATS)
