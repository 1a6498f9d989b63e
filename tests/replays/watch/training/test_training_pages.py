"""Puzzles and the training of an account."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import Player, User
from replays.models import NeedlessGuess, Replay, TrainingCard, TrainingDay, file_store
from replays.upload.processing.luck import luck_measure
from replays.upload.processing.luck_measuring import undefined_luck
from replays.upload.processing.settling.settle_luck import settle_luck
from replays.watch.review.selectors import needless_page
from replays.watch.training.selectors import Puzzle, puzzle_or_404, training_of
from tests.cases import check_each_on_site
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.watch.review.test_review_pages import guessed, one_row

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


def answer(client: Client, replay: Replay, column: int) -> str:
    """Return the verdict that the page gives."""
    page: str = client.post(page_of(replay), {"cell": f"0,{column}"}).content.decode()
    return page.split('id="verdict"')[1]


def test_a_puzzle_tells_the_position_alone(client: Client, replay: Replay) -> None:
    page = client.get(page_of(replay)).content.decode()
    assert [part.split('"')[0] for part in page.split('name="cell" value="')[1:]] == ["0,0", "0,2", "0,3", "0,4"]


def test_answers_tell_what_follows_from_the_position_and_nothing_of_the_mines(replay: Replay) -> None:
    """The mine is in column 2, and column 0 safe, yet both answers are the same: neither could be known."""
    found = replay_puzzle(replay)
    verdicts = [found.verdict(0, column) for column in (0, 2)]
    assert verdicts[0] == verdicts[1]
    assert (verdicts[0].right, verdicts[0].provable, verdicts[0].risk) == (False, True, 0.5)
    safe = found.verdict(0, 3)
    assert (safe.right, safe.risk, safe.best) == (True, 0, ((0, 3), (0, 4)))
    assert found.steps


def replay_puzzle(replay: Replay) -> Puzzle:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    return puzzle_or_404(request, replay.pk, EVENT)


def test_the_page_judges_by_it(client: Client, replay: Replay) -> None:
    right = client.post(page_of(replay), {"cell": "0,4"}).content.decode()
    wrong = client.post(page_of(replay), {"cell": "0,2"}).content.decode()
    assert [page.split('id="verdict"')[1].split("<h2>")[1][0] for page in (right, wrong)] == ["✓", "✕"]
    for page in (right, wrong):
        assert "2 cells" in page, "how many were provably safe"
        assert 'name="cell"' not in page


def test_other_cells_are_refused(client: Client, replay: Replay) -> None:
    def is_refused(cell: str) -> None:
        assert client.post(page_of(replay), {"cell": cell}).status_code == 400

    cases = ["", "0", "0,1", "0,9", "9,0", "-1,0", "a,b", "0,0,0", "0,99999999999999999999"]
    check_each_on_site(is_refused, cases)


@pytest.mark.parametrize(("mine", "is_best"), [(4, False), (5, True)])
def test_a_guess_worse_than_another_is_a_slip_too(
    ingest: Ingest, owner: User, owner_client: Client, *, mine: int, is_best: bool
) -> None:
    """One of columns 0 and 2 is a mine, and one of 3 to 5: the click on column 2 risks 1/2 where 1/3 was enough."""
    column = 3 if is_best else 2
    row = ingest(one_row([int(place in (0, mine)) for place in range(6)], 1, column))
    luck_measure([row.pk])
    Replay.objects.filter(pk=row.pk).update(player=Player.objects.get(user=owner))
    slips = [slip.event for slip in training_of(owner, timezone.localdate()).slips]
    assert slips == ([] if is_best else [3])
    assert needless_page(owner.player, None, None).rows == []
    for event in slips:
        owner_client.post(page_of(row, event), {"cell": "0,4"})
        assert TrainingDay.objects.get().right == 1


def test_only_slips_are_puzzles(client: Client, replay: Replay) -> None:
    for event in (0, 3, 4, 6, 10**30):
        assert client.get(page_of(replay, event)).status_code == 404


@pytest.mark.parametrize("status", [Replay.Status.REJECTED, Replay.Status.QUEUED])
def test_hidden_games_have_no_puzzles(client: Client, replay: Replay, status: str) -> None:
    Replay.objects.filter(pk=replay.pk).update(status=status)
    assert client.get(page_of(replay)).status_code == 404
    assert client.post(page_of(replay), {"cell": "0,4"}).status_code == 404


def test_a_lost_file_has_no_puzzles(client: Client, replay: Replay) -> None:
    file_store.delete(replay.sha256)
    assert client.get(page_of(replay)).status_code == 404


def test_a_flood_is_refused(client: Client, replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "3/minute")
    sent = [client.post(page_of(replay), {"cell": "0,0"}).status_code for _ in range(4)]
    assert sent == [200, 200, 200, 429]
    page = client.get(page_of(replay))
    assert page.status_code == 429
    assert int(page["Retry-After"]) > 0


def test_guests_sign_in_first(client: Client, replay: Replay) -> None:
    assert client.get("/training/").status_code == 302
    client.post(page_of(replay), {"cell": "0,4"})
    assert not TrainingCard.objects.exists()


def test_own_answers_count_once(
    owner: User, other_player: User, owner_client: Client, other_client: Client, replay: Replay
) -> None:
    today = timezone.localdate()
    answer(other_client, replay, 4)
    before = training_of(owner, today)
    assert [(slip.replay_id, slip.event, slip.box) for slip in before.slips] == [(replay.pk, EVENT, 1)]
    answer(owner_client, replay, 0)
    answer(owner_client, replay, 4)
    after = training_of(owner, today)
    assert (after.tried, after.right, list(after.slips)) == (1, 0, [])
    assert [box.cards for box in after.boxes] == [1, 0, 0, 0, 0, 0]
    others = training_of(other_player, today)
    assert (others.tried, list(others.slips), list(others.days)) == (0, [], [])
    assert sum(box.cards for box in others.boxes) == 0


def test_the_page_shows_what_is_left_and_done(owner_client: Client, replay: Replay) -> None:
    page = owner_client.get("/training/").content.decode()
    assert page_of(replay) in page
    assert '<svg class="chart fluid"' not in page
    owner_client.post(page_of(replay), {"cell": "0,4"})
    page = owner_client.get("/training/").content.decode()
    assert "1 of 1" in page
    assert page_of(replay) not in page, "nothing is left for today"
    assert '<svg class="chart fluid"' in page
    assert TrainingDay.objects.get().right == 1


def test_statements_do_not_grow(owner: User, owner_client: Client, replay: Replay) -> None:
    """Statements of the training, a puzzle and an answer, with one slip and with many slips, cards and days."""

    def statements() -> list[int]:
        found = []
        for method, address in (
            ("GET", "/training/"),
            ("GET", page_of(replay)),
            ("POST", page_of(replay)),
        ):
            with CaptureQueriesContext(connection) as queries:
                send = owner_client.post if method == "POST" else owner_client.get
                assert send(address, {"cell": "0,4"} if method == "POST" else None).status_code == 200
            found.append(len(queries))
        return found

    owner_client.get(page_of(replay))  # the review is kept from now on
    few = statements()
    today = timezone.localdate()
    for event in range(100, 140):
        due = today if event < 104 else today + timedelta(days=1)
        NeedlessGuess.objects.create(replay=replay, event=event, time_ms=event, risk=0.5)
        TrainingCard.objects.create(user=owner, replay=replay, event=event + 100, box=event % 6 + 1, due_on=due)
        TrainingDay.objects.create(user=owner, day=today - timedelta(days=event), tried=1)
    TrainingCard.objects.filter(event=EVENT).delete()
    TrainingDay.objects.filter(day=today).delete()
    assert statements() == few == QUERIES


#: Of the training: session, account, games that wait for an answer; days, boxes, cards that are due, new slips.  Of a puzzle: session, account, games that wait, replay.  Of an answer too, and: the
#: transaction and its end, account, card, number of cards, new card, day and its count, and the training for what is next.
QUERIES = [7, 4, 19]


def test_slips_that_a_recompute_no_longer_finds_go(owner: User, owner_client: Client, replay: Replay) -> None:
    today = timezone.localdate()
    for event in (EVENT, EVENT + 1):
        TrainingCard.objects.create(user=owner, replay=replay, event=event, box=2, due_on=today)
    assert owner_client.get(page_of(replay, EVENT + 1)).status_code == 404
    Replay.objects.update(luck_version=None)
    luck_measure([replay.pk])
    assert list(TrainingCard.objects.values_list("event", "box")) == [(EVENT, 2)]


def test_games_whose_luck_was_not_measured_in_time_keep_their_cards(owner: User, replay: Replay) -> None:
    TrainingCard.objects.create(user=owner, replay=replay, event=EVENT, box=2, due_on=timezone.localdate())
    with transaction.atomic():
        settle_luck({replay.pk: undefined_luck(replay, "limit_exceeded")})
    assert TrainingCard.objects.exists()


def test_nothing_to_repeat(other_client: Client) -> None:
    page = other_client.get("/training/").content.decode()
    assert 'class="training-set"' not in page
    assert 'href="/upload/"' in page


def test_slips_of_one_game_are_told_apart(owner: User, owner_client: Client, replay: Replay) -> None:
    NeedlessGuess.objects.filter(replay=replay).delete()
    for number, time_ms in enumerate((1_000, 2_500, 4_000)):
        NeedlessGuess.objects.create(replay=replay, event=100 + number, time_ms=time_ms, risk=0.5)
    TrainingCard.objects.create(user=owner, replay=replay, event=101, box=2, due_on=timezone.localdate())
    page = Document(owner_client.get("/training/").content.decode())
    assert all(f"at {moment}" in page.text for moment in ("1.00", "2.50", "4.00")), page.text
