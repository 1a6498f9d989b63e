"""Rows of an older version of the statistics, and rows that are marked: found by the sweep, analysed behind all uploads."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.recording import Level
from analysis.statistics import BASE, DERIVED, STORED, VERSION
from players.leaderboards.boards import COMBINED
from players.leaderboards.services import rebuild_boards
from players.models import CombinedBest, Identity, PersonalBest, Player, RankChange, RecordEvent, User
from replays import tasks
from replays.models import PlayTrace, Replay, file_store
from replays.upload.intake.services import receive_many
from replays.upload.processing import queue, services
from replays.upload.processing.compute import compute_results
from replays.upload.processing.services import MAX_ATTEMPTS, analyse_again, analyse_replays
from replays.upload.processing.stale import requeue_outdated
from tests.factories import EPOCH
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.again import analyse_outdated, outdated
from tests.replays.conftest import Ingest
from tests.replays.games import avf_file, game_file, other_wrapper, recording
from tests.replays.upload.processing.dying import Killed, dies_at

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]

_LEVELS = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)
NAMES = tuple(row.name for row in (*BASE, *DERIVED) if row.name != "time_ms")


@pytest.fixture
def games(db: None) -> list[Replay]:
    """Six games of two players on three levels, a custom one without a player, and a lost one."""
    sources = [
        (f"{player}{number}.rawvf", game_file(number + 10 * place, _LEVELS[number % 3], player=player))
        for place, player in enumerate(("Ada", "Eve"))
        for number in range(3)
    ]
    sources.append(("lost.rawvf", game_file(77, events=recording(77).events[:-1], player="Ada")))
    sources.append(("nobody.rawvf", game_file(78, player="")))
    receipts = receive_many(sources, uploader=None, enqueue=False)
    analyse_replays([receipt.replay_id for receipt in receipts if receipt.replay_id is not None])
    return list(Replay.objects.order_by("pk"))


def numbers() -> dict[int, tuple[Any, ...]]:
    """All columns that an analysis fills, of every replay."""
    names = [*(row.name for row in STORED), "statistics_version", "game_hash", "level", "win", "ranked", "player_id"]
    return {row[0]: row for row in Replay.objects.values_list("pk", *names)}


def spoil(*names: str, version: int = VERSION - 1) -> None:
    """Make rows as of an older version: other values, in another order, and NULL in some rows."""
    for pk in Replay.objects.values_list("pk", flat=True):
        values = {
            name: None if (pk + place) % 5 == 0 else 3 + (pk * 7 + place) % 11 for place, name in enumerate(names)
        }
        Replay.objects.filter(pk=pk).update(statistics_version=version, claimed_at=EPOCH, **values)
    rebuild_boards()


# --- which rows


def test_the_sweep_finds_rows_of_an_older_version_and_queues_them_behind_uploads(
    games: list[Replay], settings: Any
) -> None:
    old, claimed, tried, current, *_others = games
    Replay.objects.filter(pk__in=[old.pk, claimed.pk, tried.pk]).update(
        statistics_version=VERSION - 1, claimed_at=EPOCH
    )
    Replay.objects.filter(pk=claimed.pk).update(claimed_at=timezone.now())
    Replay.objects.filter(pk=tried.pk).update(attempts=MAX_ATTEMPTS)
    assert requeue_outdated() == [old.pk]
    assert requeue_outdated() == []
    analyse_again([old.pk, current.pk])
    assert outdated() == [claimed.pk, tried.pk]
    assert tasks.renew.name == queue.AGAIN.name
    assert settings.CELERY_TASK_ROUTES[queue.AGAIN.name]["queue"] == "luck"


def test_the_command_marks_all_rows_also_those_that_were_given_up(games: list[Replay]) -> None:
    Replay.objects.filter(pk=games[0].pk).update(attempts=MAX_ATTEMPTS)
    before, out = numbers(), StringIO()
    call_command("recompute", stdout=out)
    assert f"{len(games)} replays marked." in out.getvalue()
    assert requeue_outdated() == outdated() == [row.pk for row in games]
    assert analyse_outdated() == []
    assert numbers() == before


def test_rows_that_wait_for_their_first_analysis_are_left_alone(games: list[Replay]) -> None:
    spoil("bvs")
    Replay.objects.filter(pk=games[0].pk).update(status=Replay.Status.RUNNING)
    Replay.objects.filter(pk=games[1].pk).update(status=Replay.Status.QUEUED)
    left = Replay.objects.exclude(status=Replay.Status.DONE)
    before = list(left.values())
    analyse_again([row.pk for row in games])
    assert list(left.values()) == before


# --- what is written


def test_everything_comes_from_the_files_and_the_record_history_stays(games: list[Replay]) -> None:
    before, boards = numbers(), stored_boards()
    events = list(RecordEvent.objects.order_by("pk").values_list())
    spoil(*NAMES)
    assert analyse_outdated(chunk=3) == []
    assert numbers() == before
    assert stored_boards() == expected_boards() == boards
    assert list(RecordEvent.objects.order_by("pk").values_list()) == events


def test_other_levels_results_and_styles_leave_and_enter_boards(games: list[Replay]) -> None:
    before, boards = numbers(), stored_boards()
    spoil(*NAMES)
    Replay.objects.filter(pk=games[0].pk).update(level="custom", ranked=False)
    Replay.objects.filter(pk=games[1].pk).update(win=False, result="lost", ranked=False)
    Replay.objects.filter(pk=games[2].pk).update(style="NF", time_ms=1_234)
    rebuild_boards()
    assert analyse_outdated(chunk=3) == []
    assert numbers() == before
    assert stored_boards() == expected_boards() == boards


def test_a_replay_that_must_not_be_ranked_is_removed_from_the_boards(games: list[Replay]) -> None:
    lost = Replay.objects.get(original_name="lost.rawvf")
    Replay.objects.filter(pk=lost.pk).update(win=True, ranked=True, time_ms=1, time=0.001, statistics_version=0)
    rebuild_boards()
    assert PersonalBest.objects.filter(replay=lost).exists()
    analyse_outdated()
    assert not Replay.objects.get(pk=lost.pk).ranked
    assert stored_boards() == expected_boards()


def test_a_corrected_name_changes_the_player(games: list[Replay]) -> None:
    wrong = Player.objects.create(name="?????")
    Identity.objects.create(name="?????", player=wrong, first_player=wrong)
    Replay.objects.filter(identifier="Eve").update(identifier="?????", player=wrong, statistics_version=0)
    rebuild_boards()
    analyse_outdated()
    assert set(Replay.objects.filter(identifier="Eve").values_list("player__name", flat=True)) == {"Eve"}
    assert not PersonalBest.objects.filter(player=wrong).exists()
    assert stored_boards() == expected_boards()


def test_a_vouched_game_under_a_corrected_name_is_asked_about_again(ingest: Ingest, owner: User, staff: User) -> None:
    """A moderator vouched for it as a game of the other name; nobody gets into somebody's games that way."""
    row = ingest(game_file(player="Ada"), uploader=staff)
    Identity.objects.filter(name="Ada").update(state="claimed", claimant=owner)
    Player.objects.filter(user=owner).delete()
    Player.objects.filter(pk=row.player_id or 0).update(user=owner)
    other = Player.objects.create(name="?????")
    Replay.objects.update(identifier="?????", player=other, ownership="vouched", statistics_version=0)
    rebuild_boards()
    analyse_outdated()
    row.refresh_from_db()
    assert (row.identifier, row.ownership, row.ranked) == ("Ada", "waiting", False)


@pytest.mark.parametrize("chunk", [1, 2])
def test_two_replays_turn_out_to_be_one_game(ingest: Ingest, owner: User, chunk: int) -> None:
    first = ingest(avf_file(5), name="first.avf", uploader=owner)
    PlayTrace.objects.all().delete()  # as if an older version had seen the games in another way
    Replay.objects.update(game_hash="0" * 64)
    second = ingest(other_wrapper(avf_file(5)), name="second.rawvf", uploader=owner)
    assert second.ranked
    Replay.objects.update(statistics_version=0)
    analyse_outdated(chunk)
    rows = {row.pk: row for row in Replay.objects.all()}
    assert (rows[first.pk].ranked, rows[first.pk].game_hash) == (True, second.game_hash)
    assert (rows[second.pk].judgement, rows[second.pk].judgement_code) == ("linked", "same_game")
    assert not rows[second.pk].ranked
    assert stored_boards() == expected_boards()
    assert RecordEvent.objects.filter(replay=second).count() == 0


def test_both_ways_of_finding_the_next_best(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    """A query for each player and level, and reading all games, give the same boards."""
    for few in (0, 1_000):
        monkeypatch.setattr("players.leaderboards.services._FEW_PLAYER_LEVELS", few)
        best = PersonalBest.objects.get(statistic="bvs", level="beginner", style="all", player__name="Ada")
        Replay.objects.filter(pk=best.replay_id).update(bvs=99.0, statistics_version=0)
        rebuild_boards()
        analyse_outdated()
        assert stored_boards() == expected_boards()


def test_rank_changes_are_logged(games: list[Replay]) -> None:
    """The rank keys before, minus the old and plus the new keys of the changes, are those after."""
    spoil(*NAMES)
    RankChange.objects.all().delete()
    keys = _keys()
    analyse_outdated()
    changes = list(RankChange.objects.values_list("level", "statistic", "style", "old_key", "new_key"))
    assert changes
    keys.update((*board, new) for *board, _old, new in changes if new is not None)
    keys.subtract((*board, old) for *board, old, _new in changes if old is not None)
    assert +keys == _keys()
    assert not -keys


def _keys() -> Counter[tuple[Any, ...]]:
    """The rank keys of all boards, also combined ones."""
    single = PersonalBest.objects.values_list("level", "statistic", "style", "rank_key")
    combined = CombinedBest.objects.values_list("statistic", "style", "rank_key")
    return Counter([*single, *((COMBINED, *row) for row in combined)])


def test_a_chunk_takes_the_same_statements_however_many_rows(
    games: list[Replay], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("players.leaderboards.services._FEW_PLAYER_LEVELS", 0)
    counts = []
    for rows in (3, 8):  # of one player, and of all
        spoil(*(row.name for row in DERIVED))
        with CaptureQueriesContext(connection) as queries:
            analyse_again([row.pk for row in games[:rows]])
        counts.append(len(queries))
    assert counts[1] <= counts[0] + 1
    assert counts[1] <= 45


# --- failures


def test_missing_and_damaged_files_leave_their_rows_as_they_are(
    games: list[Replay], store: Any, caplog: pytest.LogCaptureFixture
) -> None:
    before = numbers()
    missing, damaged = games[0], games[1]
    file_store.delete(missing.sha256)
    (store / file_store.path_of(damaged.sha256)).write_bytes(b"something else")
    spoil("bvs", "qg")
    spoiled = numbers()
    left = [missing.pk, damaged.pk]
    for _attempt in range(MAX_ATTEMPTS):
        assert analyse_outdated() == left
    assert f"Replay {missing.pk} cannot be analysed again and stays as it is: file_missing" in caplog.text
    assert f"Replay {damaged.pk} cannot be analysed again and stays as it is: file_damaged" in caplog.text
    after = numbers()
    assert {pk for pk in after if after[pk] != before[pk]} == set(left)
    assert all(after[pk] == spoiled[pk] for pk in left)
    assert set(Replay.objects.values_list("status", flat=True)) == {"done"}
    assert stored_boards() == expected_boards()
    assert requeue_outdated() == [], "nor are they tried for ever"


def test_a_store_that_cannot_be_reached_costs_no_attempt(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    spoil("bvs")

    def down(_sha256: str) -> bytes:
        raise OSError("no route")

    with monkeypatch.context() as patch:
        patch.setattr(file_store, "get", down)
        for _attempt in range(MAX_ATTEMPTS + 1):
            analyse_outdated()
    assert set(Replay.objects.values_list("status", "attempts")) == {("done", 0)}
    assert analyse_outdated() == []


def test_a_file_that_kills_its_worker_is_tried_alone_and_keeps_its_place(
    games: list[Replay], monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil("bvs")
    ids, groups = [row.pk for row in games], list[int]()
    with monkeypatch.context() as patch:
        dies_at(patch, services, "compute_results", 1)
        with pytest.raises(Killed):
            analyse_again(ids)
    assert set(Replay.objects.values_list("status", "attempts")) == {("done", 1)}
    assert stored_boards() == expected_boards()

    def noting(rows: Any) -> Any:
        groups.append(len(rows))
        return compute_results(rows)

    monkeypatch.setattr(services, "compute_results", noting)
    analyse_again(ids)
    assert groups == [1] * len(ids)
    assert outdated() == []


def test_large_files_are_not_in_memory_at_once(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    groups = list[int]()

    def noting(rows: Any) -> Any:
        groups.append(len(rows))
        return compute_results(rows)

    monkeypatch.setattr(services, "compute_results", noting)
    monkeypatch.setattr(services, "CLAIMED_BYTES", 1)
    Replay.objects.update(statistics_version=0)
    assert analyse_outdated() == []
    assert groups == [1] * len(games)


def test_who_was_slower_than_another_worker_writes_nothing(
    games: list[Replay], monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil("bvs")

    def slow(rows: Any) -> Any:
        results = compute_results(rows)
        Replay.objects.filter(pk=games[0].pk).update(attempts=2)  # another worker has claimed it
        return results

    monkeypatch.setattr(services, "compute_results", slow)
    analyse_again([row.pk for row in games])
    assert outdated() == [games[0].pk]
