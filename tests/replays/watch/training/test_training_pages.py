"""Puzzles and the training of an account, on pages and in the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from players.models import Player, User
from replays.models import Replay, TrainingCard, TrainingDay, file_store
from replays.upload.processing.luck import luck_measure
from replays.watch.training import selectors
from tests.replays.conftest import Ingest
from tests.replays.watch.review.test_review_pages import guessed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("luck_compiled")]
EVENT = 5


@pytest.fixture
def replay(ingest: Ingest, owner: User) -> Replay:
    """A game of ``owner``: column 1 of five is open, the only mine is beside it, and three cells are safe."""
    row = ingest(guessed())
    luck_measure([row.pk])
    Replay.objects.filter(pk=row.pk).update(player=Player.objects.get(user=owner))
    return Replay.objects.get(pk=row.pk)


def page_of(replay: Replay, event: int = EVENT) -> str:
    return f"/replays/{replay.pk}/puzzles/{event}/"


def api_of(replay: Replay, event: int = EVENT) -> str:
    return f"/api/v1/replays/{replay.pk}/puzzles/{event}/"


def answer(client: Client, replay: Replay, column: Any, row: Any = 0) -> Any:
    return client.post(api_of(replay), {"row": row, "column": column}, content_type="application/json")


def test_a_puzzle_tells_the_position_alone(client: Client, replay: Replay) -> None:
    body = client.get(api_of(replay)).json()
    assert body == {"event": EVENT, "mines": 1, "rows": [".1..."]}
    page = client.get(page_of(replay)).content.decode()
    assert [part.split('"')[0] for part in page.split('name="cell" value="')[1:]] == ["0,0", "0,2", "0,3", "0,4"]


def test_answers_tell_what_follows_from_the_position_and_nothing_of_the_mines(client: Client, replay: Replay) -> None:
    """The mine is in column 2, and column 0 safe, yet both answers are the same: neither could be known."""
    bodies = [answer(client, replay, column).json() for column in (0, 2)]
    assert bodies[0] == bodies[1]
    assert (bodies[0]["right"], bodies[0]["provable"], bodies[0]["risk"], bodies[0]["counted"]) == (
        False,
        True,
        0.5,
        False,
    )
    safe = answer(client, replay, 3).json()
    assert (safe["right"], safe["risk"], safe["best"]) == (True, 0, [[0, 3], [0, 4]])
    assert safe["steps"]


def test_the_page_judges_as_the_api_does(client: Client, replay: Replay) -> None:
    right = client.post(page_of(replay), {"cell": "0,4"}).content.decode()
    wrong = client.post(page_of(replay), {"cell": "0,2"}).content.decode()
    assert "Correct." in right
    assert "Not the best." in wrong
    for page in (right, wrong):
        assert "2 cells were provably safe." in page
        assert 'name="cell"' not in page


@pytest.mark.parametrize("cell", ["", "0", "0,1", "0,9", "9,0", "-1,0", "a,b", "0,0,0", "0,99999999999999999999"])
def test_other_cells_are_refused(client: Client, replay: Replay, cell: str) -> None:
    assert client.post(page_of(replay), {"cell": cell}).status_code == 400


@pytest.mark.parametrize(("row", "column"), [(0, 1), (0, 9), (-1, 0), (None, 0), ("x", 0)])
def test_other_cells_are_refused_by_the_api(client: Client, replay: Replay, row: Any, column: Any) -> None:
    assert answer(client, replay, column, row).status_code == 400


def test_only_slips_are_puzzles(client: Client, replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    for event in (0, 3, 4, 6, 10**30):
        assert client.get(page_of(replay, event)).status_code == 404
        assert client.get(api_of(replay, event)).status_code == 404
    monkeypatch.setattr(selectors, "MOST_PUZZLES", 0)
    assert client.get(page_of(replay)).status_code == 404


@pytest.mark.parametrize("status", [Replay.Status.REJECTED, Replay.Status.QUEUED])
def test_hidden_games_have_no_puzzles(client: Client, replay: Replay, status: str) -> None:
    Replay.objects.filter(pk=replay.pk).update(status=status)
    assert client.get(page_of(replay)).status_code == client.get(api_of(replay)).status_code == 404
    assert client.post(page_of(replay), {"cell": "0,4"}).status_code == answer(client, replay, 4).status_code == 404


def test_a_lost_file_has_no_puzzles(client: Client, replay: Replay) -> None:
    file_store.delete(replay.sha256)
    assert client.get(page_of(replay)).status_code == client.get(api_of(replay)).status_code == 404


def test_a_flood_is_refused(client: Client, replay: Replay, settings: Any) -> None:
    settings.POSITION_RATE = "3/minute"
    assert [answer(client, replay, 0).status_code for _ in range(4)] == [200, 200, 200, 429]
    page = client.get(page_of(replay))
    assert page.status_code == 429
    assert int(page["Retry-After"]) > 0


def test_guests_sign_in_first(client: Client, replay: Replay) -> None:
    assert client.get("/training/").status_code == 302
    assert client.get("/api/v1/me/training/").status_code == 401
    client.post(page_of(replay), {"cell": "0,4"})
    assert not TrainingCard.objects.exists()


def test_own_answers_count_once(owner_client: Client, other_client: Client, replay: Replay) -> None:
    assert answer(other_client, replay, 4).json()["counted"] is False
    before = owner_client.get("/api/v1/me/training/").json()
    assert [(slip["replay"]["id"], slip["event"], slip["box"]) for slip in before["slips"]] == [(replay.pk, EVENT, 1)]
    assert answer(owner_client, replay, 0).json()["counted"] is True
    assert answer(owner_client, replay, 4).json()["counted"] is False
    after = owner_client.get("/api/v1/me/training/").json()
    assert (after["tried"], after["right"], after["slips"]) == (1, 0, [])
    assert [box["cards"] for box in after["boxes"]] == [1, 0, 0, 0, 0, 0]
    others = other_client.get("/api/v1/me/training/").json()
    assert (others["tried"], others["slips"], others["days"]) == (0, [], [])
    assert sum(box["cards"] for box in others["boxes"]) == 0


def test_the_page_shows_what_the_api_tells(
    owner_client: Client, replay: Replay, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page = owner_client.get("/training/").content.decode()
    assert page_of(replay) in page
    assert "Your first answer starts the chart." in page
    owner_client.post(page_of(replay), {"cell": "0,4"})
    with django_assert_num_queries(QUERIES):
        page = owner_client.get("/training/").content.decode()
    assert "1 of 1 right" in page
    assert "Done for today." in page
    assert '<svg class="chart"' in page
    assert TrainingDay.objects.get().right == 1


#: Session, account, games that wait for an answer; days, boxes, cards that are due, new slips.
QUERIES = 7


def test_nothing_to_repeat(other_client: Client) -> None:
    assert "Nothing to practise yet." in other_client.get("/training/").content.decode()
