"""When slips are asked again, by a clock that the test turns."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial

import pytest

from players.accounts.claims.merging import player_merge
from players.accounts.claims.numbers import NAMELESS
from players.models import Player, User
from replays.models import NeedlessGuess, Replay, TrainingCard, TrainingDay
from replays.watch.training import services
from replays.watch.training.schedule import LEARNED, box_after, due_on
from replays.watch.training.selectors import DAILY, slips_of, training_of
from replays.watch.training.services import answer_store
from tests.factories import stored_replay
from tests.replays.upload.processing.test_concurrency import at_once

TODAY = date(2026, 1, 1)


@pytest.fixture
def game(owner: User) -> Replay:
    row = stored_replay(owner.player)
    Replay.objects.filter(pk=row.pk).update(luck_version=1, status=Replay.Status.DONE)
    return Replay.objects.select_related("player").get(pk=row.pk)


def slip_make(game: Replay, *events: int) -> None:
    NeedlessGuess.objects.bulk_create(NeedlessGuess(replay=game, event=one, time_ms=one, risk=0.5) for one in events)


def events_of(user: User, today: date) -> list[int]:
    return [slip.event for slip in training_of(user, today).slips]


def test_the_intervals() -> None:
    box, day, waits = 1, TODAY, []
    while box != LEARNED:
        box = box_after(box, right=True)
        following = due_on(box, day)
        waits.append(following and (following - day).days)
    assert waits == [3, 7, 16, 35, None]
    assert [box_after(one, right=False) for one in range(1, 6)] == [1] * 5
    assert due_on(1, TODAY) == TODAY + timedelta(days=1)


@pytest.mark.django_db
def test_right_waits_longer_and_wrong_comes_back_tomorrow(owner: User, game: Replay) -> None:
    slip_make(game, 5, 9)
    assert events_of(owner, TODAY) == [5, 9]
    assert answer_store(owner, game, 5, right=True, today=TODAY)
    assert answer_store(owner, game, 9, right=False, today=TODAY)
    assert not answer_store(owner, game, 9, right=True, today=TODAY), "only the first answer of a turn counts"
    assert events_of(owner, TODAY) == []
    assert events_of(owner, TODAY + timedelta(days=1)) == [9]
    assert events_of(owner, TODAY + timedelta(days=3)) == [9, 5]
    day = TODAY + timedelta(days=3)
    assert answer_store(owner, game, 5, right=False, today=day)
    assert TrainingCard.objects.get(event=5).due_on == day + timedelta(days=1)
    assert list(TrainingDay.objects.order_by("day").values_list("tried", "right")) == [(2, 1), (1, 0)]


@pytest.mark.django_db
def test_learned_slips_do_not_come_back(owner: User, game: Replay) -> None:
    slip_make(game, 5)
    TrainingCard.objects.create(user=owner, replay=game, event=5, box=5, due_on=TODAY)
    assert answer_store(owner, game, 5, right=True, today=TODAY)
    assert events_of(owner, TODAY + timedelta(days=10_000)) == []
    assert training_of(owner, TODAY).boxes[-1].cards == 1
    assert not answer_store(owner, game, 5, right=False, today=TODAY + timedelta(days=10_000))


@pytest.mark.django_db
def test_ten_a_day_and_what_is_due_goes_first(owner: User, game: Replay) -> None:
    slip_make(game, *range(1, 21))
    TrainingCard.objects.create(user=owner, replay=game, event=20, box=2, due_on=TODAY - timedelta(days=4))
    first = events_of(owner, TODAY)
    assert first == [20, *range(1, DAILY)]
    for event in first:
        assert answer_store(owner, game, event, right=True, today=TODAY)
    assert events_of(owner, TODAY) == []
    assert len(events_of(owner, TODAY + timedelta(days=1))) == DAILY


@pytest.mark.django_db
def test_slips_of_others_are_no_ones_training(owner: User, other_player: User, game: Replay) -> None:
    slip_make(game, 5)
    assert events_of(other_player, TODAY) == []
    assert not answer_store(other_player, game, 5, right=True, today=TODAY)
    assert not TrainingCard.objects.exists()
    TrainingCard.objects.create(user=other_player, replay=game, event=5, box=1, due_on=TODAY)
    assert events_of(other_player, TODAY) == [], "the game belongs to somebody else by now"


@pytest.mark.django_db
def test_an_account_has_so_many_cards(owner: User, game: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_CARDS", 2)
    stored = [answer_store(owner, game, event, right=False, today=TODAY) for event in range(4)]
    assert stored == [True, True, False, False]
    assert answer_store(owner, game, 0, right=True, today=TODAY + timedelta(days=1)), "those it has go on"


@pytest.mark.django_db
def test_deleted_games_take_their_slips_with_them(owner: User, game: Replay) -> None:
    slip_make(game, 5)
    answer_store(owner, game, 5, right=False, today=TODAY)
    Replay.objects.filter(pk=game.pk).delete()
    assert not TrainingCard.objects.exists()
    assert slips_of(owner, TODAY + timedelta(days=1), DAILY) == []


@pytest.mark.django_db
def test_a_merge_of_players_keeps_the_training(owner: User, staff: User, game: Replay) -> None:
    """The account goes to the other player with the games; what it repeats is the account's."""
    Replay.objects.filter(pk=game.pk).update(identifier=NAMELESS)  # it was played here
    slip_make(game, 5, 9)
    answer_store(owner, game, 5, right=False, today=TODAY)
    target = Player.objects.create(name="Ada")
    player_merge(owner.player, target, staff, "The same person.")
    following = TODAY + timedelta(days=1)
    assert User.objects.get(pk=owner.pk).player == target
    assert events_of(owner, following) == [5, 9]
    assert answer_store(owner, Replay.objects.get(pk=game.pk), 5, right=True, today=following)
    assert list(TrainingDay.objects.order_by("day").values_list("tried", "right")) == [(1, 0), (1, 1)]


@pytest.mark.django_db
def test_what_is_no_longer_its_game_is_neither_asked_nor_counted(owner: User, other_player: User, game: Replay) -> None:
    answer_store(owner, game, 5, right=False, today=TODAY)
    Replay.objects.filter(pk=game.pk).update(player=other_player.player)
    later = training_of(owner, TODAY + timedelta(days=1))
    assert later.slips == []
    assert sum(box.cards for box in later.boxes) == 0
    assert [day.tried for day in later.days] == [1], "what was done that day stays"


@pytest.mark.django_db
def test_boards_too_large_for_a_puzzle_give_none(owner: User, game: Replay) -> None:
    slip_make(game, 5)
    Replay.objects.filter(pk=game.pk).update(rows=100, columns=100)
    assert events_of(owner, TODAY) == [5]
    Replay.objects.filter(pk=game.pk).update(rows=255, columns=255)
    assert events_of(owner, TODAY) == []


@pytest.mark.django_db(transaction=True)
def test_two_answers_at_once_count_once(owner: User, game: Replay) -> None:
    """Both a new slip and one that is due; the second answer waits for the first, and finds that its turn is over."""
    for day in (TODAY, TODAY + timedelta(days=1)):
        works = [partial(answer_store, owner, game, 5, right=False, today=day) for _ in range(2)]
        assert sorted(at_once(*works)) == [False, True]
    assert list(TrainingCard.objects.values_list("box", "due_on")) == [(1, TODAY + timedelta(days=2))]
    assert list(TrainingDay.objects.values_list("tried", flat=True)) == [1, 1]
