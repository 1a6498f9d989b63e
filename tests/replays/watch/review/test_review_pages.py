"""The review of a replay and the needless guesses of a player, on pages and in the API."""

from __future__ import annotations

import numpy as np
import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from analysis import formats
from analysis.answers import review_of_file
from analysis.formats import rawvf
from analysis.recording import Board, Kind, Recording, events_from
from analysis.review import KINDS, Annotation, Reason, Weight
from players.models import Player
from replays.models import Replay, file_store
from replays.upload.processing.luck import luck_measure
from replays.watch.review import review_texts
from replays.watch.review.selectors import needless_page
from tests.replays.conftest import Ingest

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("luck_compiled")]


def one_row(mines: list[int], *columns: int, step_ms: int = 300) -> bytes:
    """A game of Ada on a board of one row, with a left click on each of ``columns``."""
    clicks = [(kind, column) for column in columns for kind in (Kind.LEFT_PRESS, Kind.LEFT_RELEASE)]
    events = [(step_ms * place, 16 * column + 8, 8, kind) for place, (kind, column) in enumerate(clicks)]
    board = Board(np.array([mines], np.uint8))
    return rawvf.write(Recording("rawvf", "", board, events_from(events), player="Ada"))


def guessed(number: int = 0) -> bytes:
    """A game with a needless guess of one half and a wasted click; ``number`` makes different ones."""
    return one_row([0, 0, 1, 0, 0], 1, 1, 0, step_ms=300 + number)


@pytest.fixture
def replay(ingest: Ingest) -> Replay:
    row = ingest(guessed())
    luck_measure([row.pk])
    return row


def test_the_api_tells_what_the_analysis_found(client: Client, replay: Replay) -> None:
    response = client.get(f"/api/v1/replays/{replay.pk}/review/")
    body = response.json()
    expected = review_of_file(file_store.get(replay.sha256), max_seconds=5)
    assert [(one["kind"], one["event"], one["time_ms"], one["reason"]) for one in body["annotations"]] == [
        (one.kind.value, one.event, one.time_ms, one.reason) for one in expected.annotations
    ]
    assert body["scores"]["accuracy"] == pytest.approx(50)
    again = client.get(f"/api/v1/replays/{replay.pk}/review/", headers={"If-None-Match": response["ETag"]})
    assert again.status_code == 304


def test_the_page_holds_the_same_remarks(client: Client, replay: Replay) -> None:
    """Slips from the worst kind down, then the guesses of the first 2 seconds, then hints and facts."""
    found = review_of_file(file_store.get(replay.sha256), max_seconds=5).annotations

    def part_of(one: Annotation) -> int:
        if one.risk is not None and one.time_ms < 2000:
            return 1
        return 2 if one.weight in (Weight.HINT, Weight.FACT) else 0

    order = sorted(found, key=lambda one: (part_of(one), list(KINDS).index(one.kind), one.time_ms))
    assert {part_of(one) for one in order} >= {0, 1}
    events = [one.event for one in order]
    whole = client.get(f"/replays/{replay.pk}/review/").content.decode()
    part = client.get(f"/replays/{replay.pk}/review/", headers={"HX-Request": "true"}).content.decode()
    for page in (whole, part):
        assert [int(piece.split('"')[0]) for piece in page.split('data-event="')[1:]] == events
        assert f"/replays/{replay.pk}/?t=0.900" in page or f"/replays/{replay.pk}/?t=" in page
    for count in ("1 error", "1 slip"):  # of the legend of the film
        assert count in part
        assert count not in whole
    assert "<html" in whole
    assert "<html" not in part


def test_a_lost_file_is_no_review(client: Client, replay: Replay) -> None:
    file_store.delete(replay.sha256)
    assert client.get(f"/replays/{replay.pk}/review/").status_code == 404
    assert client.get(f"/api/v1/replays/{replay.pk}/review/").status_code == 404


def test_needless_guesses_of_a_player(
    client: Client, ingest: Ingest, replay: Replay, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rows = [ingest(guessed(number)) for number in (1, 2)]
    luck_measure([row.pk for row in rows])
    player = Player.objects.get(name="Ada")
    address = f"/players/{player.pk}/needless-guesses/"
    found = needless_page(player, None, None).rows
    assert [row.pk for row in found] == [rows[1].pk, rows[0].pk, replay.pk]
    (guess,) = found[2].shown_needless  # type: ignore[attr-defined]  # prefetched
    assert (guess.event, guess.time_ms, guess.risk, guess.rule) == (5, 1200, 0.5, "count")
    assert needless_page(player, "md1", None).rows == []
    assert client.get(f"{address}?rule=magic").status_code == 400
    with django_assert_num_queries(3):
        page = client.get(address).content.decode()
    assert page.count("?t=") == 3


def test_games_without_measured_luck_are_left_out(replay: Replay) -> None:
    Replay.objects.update(luck_version=None)
    player = Player.objects.get(name="Ada")
    assert needless_page(player, None, None).rows == []


def test_every_kind_has_its_texts() -> None:
    assert set(review_texts.TITLES) == set(KINDS)
    assert set(review_texts.WEIGHTS) == set(Weight)
    assert set(review_texts._REASONS) == set(Reason)


def test_every_remark_has_a_sentence(replay: Replay) -> None:
    found = review_of_file(file_store.get(replay.sha256), max_seconds=5)
    assert formats.read(file_store.get(replay.sha256)).player == "Ada"
    assert all(review_texts.detail(one) for one in found.annotations)
