"""Conflicting transactions are repeated, and changes of one player that overlap mostly do not conflict."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction

from analysis.recording import Level
from players.accounts.claims import numbers as claims
from players.db import retry
from players.db.retry import MAX_ATTEMPTS, is_conflict, retry_on_conflict
from players.leaderboards import services as boards
from players.leaderboards.services import rebuild_boards
from players.models import Identity, PersonalBest, Player, User
from replays.models import Replay
from replays.trust.judging.services import replay_judge
from replays.upload.processing.deletion import replay_delete
from tests.factories import give_name, rank_replays, stored_replay
from tests.players.naive_boards import expected_boards, stored_boards

pytestmark = pytest.mark.django_db(transaction=True)


class Locked(Exception):
    sqlstate = "40P01"


def failing(times: int, cause: Exception) -> tuple[Callable[[], int], list[int]]:
    """Work that fails so many times, and the list of its calls."""
    calls: list[int] = []

    def work() -> int:
        calls.append(1)
        if len(calls) <= times:
            raise OperationalError("deadlock detected") from cause
        return len(calls)

    return retry_on_conflict(work), calls


def test_work_is_repeated_after_a_conflict() -> None:
    work, calls = failing(MAX_ATTEMPTS - 1, Locked())
    assert work() == len(calls) == MAX_ATTEMPTS


def test_the_number_of_attempts_is_limited() -> None:
    work, calls = failing(MAX_ATTEMPTS, Locked())
    with pytest.raises(OperationalError):
        work()
    assert len(calls) == MAX_ATTEMPTS


def test_other_errors_are_raised_at_once() -> None:
    work, calls = failing(1, ConnectionError())
    with pytest.raises(OperationalError):
        work()
    assert len(calls) == 1


def test_work_inside_another_transaction_is_not_repeated() -> None:
    work, calls = failing(1, Locked())
    with pytest.raises(OperationalError), transaction.atomic():
        work()
    assert len(calls) == 1


def test_a_real_deadlock_is_resolved_and_both_changes_are_made() -> None:
    ada, bob = (Player.objects.create(name=name) for name in ("Ada", "Bob"))
    both_hold_one = threading.Barrier(2, timeout=30)
    tried: list[str] = []

    @retry_on_conflict
    def rename(first: Player, second: Player) -> None:
        with transaction.atomic():
            Player.objects.filter(pk=first.pk).update(country="PL")
            tried.append(first.name)
            if len(tried) <= 2:
                both_hold_one.wait()
            Player.objects.filter(pk=second.pk).update(country="PL")

    run_at_once(lambda: rename(ada, bob), lambda: rename(bob, ada))
    assert len(tried) == 3
    assert set(Player.objects.values_list("country", flat=True)) == {"PL"}


# --- overlapping changes ----------------------------------------------------------------------------------------------


class Overlap:
    """Makes the first change lock the players and the second one its replay before either goes on."""

    def __init__(self) -> None:
        self.second_has_replay = threading.Event()
        self.first_has_players = threading.Event()
        self.threads: list[threading.Thread] = []
        self.retries: list[DatabaseError] = []

    def is_conflict(self, error: DatabaseError) -> bool:
        self.retries.append(error)
        return is_conflict(error)

    def lock_players(self, player_ids: Collection[int]) -> list[int]:
        if threading.current_thread() not in self.threads:
            return REAL_LOCK(player_ids)
        if threading.current_thread() is self.threads[0]:
            self.second_has_replay.wait(10)
            locked = REAL_LOCK(player_ids)
            self.first_has_players.set()
            return locked
        self.second_has_replay.set()
        self.first_has_players.wait(10)
        return REAL_LOCK(player_ids)


REAL_LOCK = boards.lock_players


@pytest.fixture
def overlap(monkeypatch: pytest.MonkeyPatch) -> Iterator[Overlap]:
    made = Overlap()
    monkeypatch.setattr(boards, "lock_players", made.lock_players)
    monkeypatch.setattr(claims, "lock_players", made.lock_players)
    monkeypatch.setattr(retry, "is_conflict", made.is_conflict)
    yield made
    assert made.second_has_replay.is_set()
    assert made.first_has_players.is_set()


def run_overlapping(overlap: Overlap, first: Callable[[], Any], second: Callable[[], Any]) -> None:
    """Run both changes as :class:`Overlap` orders them, and compare the boards with the naive ones."""
    run_at_once(first, second, started=overlap.threads)
    assert stored_boards() == expected_boards()


def run_at_once(*works: Callable[[], Any], started: list[threading.Thread] | None = None) -> None:
    """Run each of ``works`` in a thread, appended to ``started`` before any starts; fails if any raises."""
    errors: list[BaseException] = []

    def run(work: Callable[[], Any]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    if started is not None:
        started.extend(threads)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []


@pytest.fixture
def games(owner: User) -> list[Replay]:
    """Three games that the owner uploaded under a name that is not claimed yet, the best one first."""
    player = Player.objects.create(name="Ada")
    Identity.objects.create(name="Ada", player=player, first_player=player)
    replays = [
        stored_replay(player, Level.EXPERT, time_ms=time_ms, uploader=owner) for time_ms in (50_000, 55_000, 60_000)
    ]
    rank_replays(replays)
    return replays


@pytest.mark.parametrize("first", [replay_delete, "freeze"])
@pytest.mark.parametrize("second", [replay_delete, "freeze"])
def test_the_best_and_the_next_best_are_removed_at_once(
    overlap: Overlap, games: list[Replay], staff: User, first: Any, second: Any
) -> None:
    """The first change makes the second replay the best, while the second change has locked it."""

    def work(how: Any, replay: Replay) -> Callable[[], Any]:
        if how == "freeze":
            return lambda: replay_judge(replay, "frozen", "a reason", staff)
        return lambda: how(replay, staff)

    run_overlapping(overlap, work(first, games[0]), work(second, games[1]))
    assert set(PersonalBest.objects.values_list("replay", flat=True)) == {games[2].pk}
    assert overlap.retries == []  # no transaction was repeated


@pytest.mark.long(beside="tests/players/db/test_retry.py::test_a_real_deadlock_is_resolved_and_both_changes_are_made")
def test_a_name_is_claimed_while_a_game_of_it_is_judged(
    overlap: Overlap, games: list[Replay], owner: User, staff: User
) -> None:
    """Both lock replays before players, so that one waits and none deadlocks."""
    run_overlapping(
        overlap,
        lambda: give_name(owner, "Ada"),
        lambda: replay_judge(games[0], "frozen", "a reason", staff),
    )
    player = Player.objects.get(user=owner)
    assert set(PersonalBest.objects.values_list("replay", "player")) == {(games[1].pk, player.pk)}
    assert overlap.retries == []  # no transaction was repeated


def test_boards_are_rebuilt_while_a_game_is_judged(overlap: Overlap, games: list[Replay], staff: User) -> None:
    PersonalBest.objects.all().delete()
    run_overlapping(
        overlap,
        lambda: rebuild_boards([games[0].player_id or 0]),
        lambda: replay_judge(games[0], "frozen", "a reason", staff),
    )
    assert overlap.retries == []
