"""Recomputes: values, versions and boards, in chunks, with interruptions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.recording import Level
from analysis.statistics import BASE, DERIVED, STORED, VERSION, StatKind
from players.leaderboards.boards import COMBINED
from players.leaderboards.services import rebuild_boards
from players.models import CombinedBest, Identity, PersonalBest, Player, RankChange, RecordEvent, User
from replays.models import PlayTrace, RecomputeProgress, Replay, file_store
from replays.upload.intake.services import receive_many
from replays.upload.processing.recompute import (
    AlreadyRunning,
    Pass,
    derived,
    from_files,
    passes,
    recompute,
    restart,
    run,
)
from replays.upload.processing.recompute.progress import START, NextRow, next_rows
from replays.upload.processing.services import analyse_replays
from tests.factories import give_name
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.conftest import Ingest
from tests.replays.games import avf_file, game_file, other_wrapper, recording

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]

_LEVELS = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)


@pytest.fixture
def games(db: None) -> list[Replay]:
    """Twelve games of three players on three levels, a custom one without a player, and a lost one."""
    sources = [
        (f"{player}{number}.rawvf", game_file(number + 10 * place, _LEVELS[number % 3], player=player))
        for place, player in enumerate(("Ada", "Bob", "Eve"))
        for number in range(4)
    ]
    lost = recording(77)
    sources.append(("lost.rawvf", game_file(77, events=lost.events[:-1], player="Ada")))
    sources.append(("nobody.rawvf", game_file(78, player="")))
    receipts = receive_many(sources, uploader=None, enqueue=False)
    analyse_replays([receipt.replay_id for receipt in receipts if receipt.replay_id is not None])
    rows = list(Replay.objects.order_by("pk"))
    assert [row.status for row in rows] == [Replay.Status.DONE] * 14
    assert PersonalBest.objects.exists()
    return rows


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rows in a chunk: each player has replays in two chunks, and some chunks have replays of two players."""
    monkeypatch.setattr(run, "DERIVED_ROWS", 3)
    monkeypatch.setattr(run, "FILES", 3)


def numbers() -> dict[int, tuple[Any, ...]]:
    """All columns that an analysis fills, of every replay."""
    names = [*(row.name for row in STORED), "statistics_version", "game_hash", "level", "win", "ranked", "player_id"]
    return {row[0]: row for row in Replay.objects.values_list("pk", *names)}


def go(*chosen: Pass) -> tuple[int, int]:
    """Run the passes; returns how many rows were visited, and how many changed."""
    chunks = [chunk for pass_ in chosen for chunk in recompute(pass_)]
    return sum(chunk.rows for chunk in chunks), sum(chunk.changed for chunk in chunks)


def command(*arguments: str) -> tuple[int, str]:
    """The exit status and what was printed."""
    out = StringIO()
    try:
        call_command("recompute", *arguments, stdout=out, stderr=out)
    except SystemExit as error:
        return int(error.code or 0), out.getvalue()
    return 0, out.getvalue()


def spoil(*names: str, version: int | None = 0) -> None:
    """Make rows as of an older version: other values, in another order, and NULL in some rows."""
    for pk in Replay.objects.values_list("pk", flat=True):
        values = {
            name: None if (pk + place) % 5 == 0 else 3 + (pk * 7 + place) % 11 for place, name in enumerate(names)
        }
        Replay.objects.filter(pk=pk).update(statistics_version=version, **values)
    rebuild_boards()


DERIVED_NAMES = tuple(row.name for row in DERIVED)
BASE_NAMES = tuple(row.name for row in BASE if row.name != "time_ms")


# --- derived ----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small_chunks")
def test_derived_statistics_come_from_stored_values_alone(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    before, boards = numbers(), stored_boards()
    spoil(*DERIVED_NAMES, version=VERSION)
    monkeypatch.setattr(file_store, "get", None)  # reading a file would fail
    assert go(*passes(kind=StatKind.DERIVED, every_row=True)) == (len(games), len(games))
    assert numbers() == before
    assert stored_boards() == expected_boards() == boards
    assert not RecomputeProgress.objects.exists()


def test_unchanged_rows_are_not_written(games: list[Replay]) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert go(*passes(kind=StatKind.DERIVED, every_row=True)) == (len(games), 0)
    updated = [query["sql"] for query in queries if query["sql"].startswith('UPDATE "replays_replay"')]
    assert updated == []


def test_only_named_statistics_and_their_dependents_change(games: list[Replay]) -> None:
    before = numbers()
    spoil(*DERIVED_NAMES, version=0)
    spoiled = {row.pk: row for row in Replay.objects.all()}
    (pass_,) = passes(statistics=["qg"])
    assert pass_.names == ("qg", "stnb", "stnb2023")
    go(pass_)
    for row in Replay.objects.all():
        for name in DERIVED_NAMES:
            stands = row.statistic(name) == spoiled[row.pk].statistic(name)
            assert stands or name in pass_.names
        right = dict(zip([one.name for one in STORED], before[row.pk][1:], strict=False))
        assert row.statistic("qg") == right["qg"]
        assert row.statistics_version == 0  # the others are still old
    assert stored_boards() == expected_boards()


@pytest.mark.long(
    beside="tests/replays/upload/processing/test_recompute.py::test_a_replay_that_must_not_be_ranked_is_removed_from_the_boards"
)
def test_a_better_and_a_worse_formula_on_the_boards(games: list[Replay], small_chunks: None) -> None:
    """Values get worse and better row by row; the boards are right after every chunk."""
    for step in range(3):
        spoil(*DERIVED_NAMES, version=step)
        for pass_ in passes(kind=StatKind.DERIVED, every_row=True):
            for _chunk in recompute(pass_):
                assert stored_boards() == expected_boards()


def test_both_ways_of_finding_the_next_best(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    """A query for each player and level, and reading all games, give the same boards."""
    for few in (0, 1_000):
        monkeypatch.setattr("players.leaderboards.services._FEW_PLAYER_LEVELS", few)
        best = PersonalBest.objects.get(statistic="bvs", level="beginner", style="all", player__name="Ada")
        Replay.objects.filter(pk=best.replay_id).update(bvs=99.0, statistics_version=0)
        rebuild_boards()
        go(*passes(kind=StatKind.DERIVED))
        assert stored_boards() == expected_boards()


def test_the_record_history_is_not_changed(games: list[Replay]) -> None:
    events = list(RecordEvent.objects.order_by("pk").values_list())
    spoil(*DERIVED_NAMES)
    go(*passes(kind=StatKind.DERIVED, every_row=True))
    assert list(RecordEvent.objects.order_by("pk").values_list()) == events


@pytest.mark.parametrize("kind", [StatKind.DERIVED, StatKind.BASE])
def test_rank_changes_are_logged(games: list[Replay], kind: StatKind) -> None:
    """The rank keys before, minus the old and plus the new keys of the changes, are those after."""
    spoil(*DERIVED_NAMES, version=VERSION)
    RankChange.objects.all().delete()
    keys = _keys()
    go(*passes(kind=kind, every_row=True))
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


@pytest.mark.long(
    beside="tests/replays/upload/processing/test_recompute.py::test_rows_with_current_base_values_need_no_file"
)
@pytest.mark.parametrize("kind", [StatKind.DERIVED, StatKind.BASE])
def test_a_chunk_takes_the_same_statements_however_many_rows(
    games: list[Replay], monkeypatch: pytest.MonkeyPatch, kind: StatKind
) -> None:
    monkeypatch.setattr("players.leaderboards.services._FEW_PLAYER_LEVELS", 0)
    (pass_,) = passes(kind=kind, every_row=True)
    counts = []
    for rows in (3, 14):  # of one player, and of all
        spoil(*DERIVED_NAMES, version=VERSION)
        monkeypatch.setattr(run, "DERIVED_ROWS", rows)
        monkeypatch.setattr(run, "FILES", rows)
        with CaptureQueriesContext(connection) as queries:
            next(recompute(pass_))
        counts.append(len(queries))
        restart(pass_)
    assert counts[0] in (counts[1] - 1, counts[1])  # finding the next rows may take one more statement
    assert counts[1] <= 33


# --- from files -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small_chunks")
def test_everything_comes_from_the_files(games: list[Replay]) -> None:
    before, boards = numbers(), stored_boards()
    spoil(*BASE_NAMES, *DERIVED_NAMES)
    Replay.objects.filter(pk=games[0].pk).update(level="custom", ranked=False)
    Replay.objects.filter(pk=games[1].pk).update(win=False, result="lost", ranked=False)
    Replay.objects.filter(pk=games[2].pk).update(style="NF", time_ms=1_234)
    rebuild_boards()
    assert go(*passes()) == (len(games), len(games))
    assert numbers() == before
    assert stored_boards() == expected_boards() == boards


def test_a_replay_that_must_not_be_ranked_is_removed_from_the_boards(games: list[Replay]) -> None:
    lost = Replay.objects.get(original_name="lost.rawvf")
    player = Player.objects.get(name="Ada")
    Replay.objects.filter(pk=lost.pk).update(
        win=True, ranked=True, player=player, time_ms=1, time=0.001, statistics_version=0
    )
    rebuild_boards()
    assert PersonalBest.objects.filter(replay=lost).exists()
    go(*passes())
    assert not Replay.objects.get(pk=lost.pk).ranked
    assert stored_boards() == expected_boards()


def test_a_corrected_name_changes_the_player(games: list[Replay]) -> None:
    wrong = Player.objects.create(name="?????")
    Identity.objects.create(name="?????", player=wrong, first_player=wrong)
    Replay.objects.filter(identifier="Eve").update(identifier="?????", player=wrong, statistics_version=0)
    rebuild_boards()
    go(*passes())
    assert set(Replay.objects.filter(identifier="Eve").values_list("player__name", flat=True)) == {"Eve"}
    assert not PersonalBest.objects.filter(player=wrong).exists()
    assert stored_boards() == expected_boards()


@pytest.mark.parametrize("one_chunk", [True, False])
def test_two_replays_turn_out_to_be_one_game(
    ingest: Ingest, owner: User, monkeypatch: pytest.MonkeyPatch, one_chunk: bool
) -> None:
    if not one_chunk:
        monkeypatch.setattr(run, "FILES", 1)
    first = ingest(avf_file(5), name="first.avf", uploader=owner)
    PlayTrace.objects.all().delete()  # as if an older version had seen the games in another way
    Replay.objects.update(game_hash="0" * 64)
    second = ingest(other_wrapper(avf_file(5)), name="second.rawvf", uploader=owner)
    assert second.ranked
    Replay.objects.update(statistics_version=0)
    go(*passes())
    rows = {row.pk: row for row in Replay.objects.all()}
    assert (rows[first.pk].ranked, rows[first.pk].game_hash) == (True, second.game_hash)
    assert (rows[second.pk].judgement, rows[second.pk].judgement_code) == ("linked", "same_game")
    assert not rows[second.pk].ranked
    assert stored_boards() == expected_boards()
    assert RecordEvent.objects.filter(replay=second).count() == 0


def test_missing_and_damaged_files_are_reported_and_skipped(games: list[Replay], store: Any) -> None:
    before = numbers()
    missing, damaged = games[0], games[1]
    file_store.delete(missing.sha256)
    (store / file_store.path_of(damaged.sha256)).write_bytes(b"something else")
    spoil(*DERIVED_NAMES)
    spoiled = numbers()
    status, text = command()
    assert status == 1
    assert f"#{missing.pk}: file_missing" in text
    assert f"#{damaged.pk}: file_damaged" in text
    assert "14 replays visited, 12 with new values, 2 skipped" in text
    after = numbers()
    assert {pk for pk in after if after[pk] != before[pk]} == {missing.pk, damaged.pk}
    assert all(after[pk] == spoiled[pk] for pk in (missing.pk, damaged.pk))
    assert stored_boards() == expected_boards()
    # Only they are tried again by the next run.
    status, text = command()
    assert status == 1
    assert "2 replays visited, 0 with new values, 2 skipped" in text


def test_a_file_that_is_no_longer_accepted_is_reported_and_skipped(
    games: list[Replay], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.management.commands.recompute.compile_group", lambda _name: None)
    monkeypatch.setattr("analysis.formats.FORMATS", ())
    Replay.objects.update(statistics_version=0)
    before = numbers()
    status, text = command("--kind", "base")
    assert status == 1
    assert f"#{games[0].pk}: unknown_format: " in text
    assert numbers() == before


def test_files_of_one_batch_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_files, "MAX_BATCH_BYTES", 10)
    stops = [NextRow(None, number, size) for number, size in enumerate((4, 6, 1, 30, 2, 8, 1))]
    sizes = [[stop.size_bytes for stop in batch] for batch in from_files.batches(stops)]
    assert sizes == [[4, 6], [1], [30], [2, 8], [1]]
    assert list(from_files.batches([])) == []


def test_rows_that_are_being_analysed_are_left_alone(games: list[Replay]) -> None:
    spoil(*DERIVED_NAMES)
    Replay.objects.filter(pk=games[0].pk).update(status=Replay.Status.RUNNING)
    Replay.objects.filter(pk=games[1].pk).update(status=Replay.Status.QUEUED)
    left = {pk: row for pk, row in numbers().items() if pk in (games[0].pk, games[1].pk)}
    assert go(*passes())[0] == len(games) - 2
    assert {pk: row for pk, row in numbers().items() if pk in left} == left


# --- which rows -------------------------------------------------------------------------------------------------------


def test_rows_with_current_base_values_need_no_file(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    """VERSION is 3 and base values last changed in 2: rows of version 1 and without a version need their files."""
    for module in ("plan", "derived"):
        monkeypatch.setattr(f"replays.upload.processing.recompute.{module}.VERSION", 3, raising=False)
    monkeypatch.setattr("replays.upload.processing.recompute.plan.BASE_VERSION", 2)
    monkeypatch.setattr("replays.upload.processing.columns.VERSION", 3)
    by_version = {None: games[0].pk, 1: games[1].pk, 2: games[2].pk, 3: games[3].pk}
    Replay.objects.update(statistics_version=3)
    for version, pk in by_version.items():
        Replay.objects.filter(pk=pk).update(statistics_version=version)
    base, quick = passes()
    assert {row.pk for row in base.rows()} == {by_version[None], by_version[1]}
    assert {row.pk for row in quick.rows()} == {by_version[2]}
    assert go(base, quick) == (3, 0)
    assert set(Replay.objects.values_list("statistics_version", flat=True)) == {3}


def test_some_derived_statistics_do_not_change_the_version(games: list[Replay]) -> None:
    Replay.objects.update(statistics_version=0)
    go(*passes(kind=StatKind.DERIVED))
    assert set(Replay.objects.values_list("statistics_version", flat=True)) == {0}


def test_nothing_to_do(games: list[Replay]) -> None:
    status, text = command()
    assert status == 0
    assert "0 replays visited" in text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("bsv", "Unknown statistic “bsv”. Did you mean bv, bvs"),
        ("xyzzy", "Unknown statistic “xyzzy”. Available: "),
        ("rzini", "The statistic “rzini” isn't stored"),
    ],
)
def test_a_name_that_is_no_statistic(db: None, name: str, sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        command("--statistic", "bvs", name)


def test_a_base_statistic_needs_the_files(games: list[Replay]) -> None:
    before = numbers()
    spoil("bv", "bvs")
    assert passes(statistics=["bvs", "bv"]) == passes(kind=StatKind.BASE)
    status, _text = command("--statistic", "bv", "bvs")
    assert status == 0
    assert numbers() == before


# --- interruptions ----------------------------------------------------------------------------------------------------


class _Killed(Exception):
    pass


@pytest.fixture
def killed_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Make chunk number N fail inside its transaction, after its rows were written."""

    def arm(chunks: int) -> None:
        done = 0
        for module, name in ((run, "recompute_derived"), (run, "write_again")):
            real = getattr(module, name)

            def fail(*arguments: Any, real: Any = real) -> int:
                nonlocal done
                done += 1
                result: int = real(*arguments)
                if done > chunks:
                    raise _Killed
                return result

            monkeypatch.setattr(module, name, fail)

    return arm


@pytest.mark.long(beside="tests/replays/upload/processing/test_recompute.py::test_a_chunk_is_repeated_after_a_deadlock")
@pytest.mark.parametrize("kind", [StatKind.DERIVED, StatKind.BASE])
@pytest.mark.usefixtures("small_chunks")
def test_a_killed_run_continues_after_the_last_chunk(
    games: list[Replay], killed_after: Any, monkeypatch: pytest.MonkeyPatch, kind: StatKind
) -> None:
    before, boards = numbers(), stored_boards()
    spoil(*DERIVED_NAMES, version=VERSION)
    (pass_,) = passes(kind=kind, every_row=True)
    with monkeypatch.context():
        killed_after(2)
        with pytest.raises(_Killed):
            go(pass_)
    right = sum(row == before[pk] for pk, row in numbers().items())
    assert right == 6
    assert stored_boards() == expected_boards()  # the failed chunk was rolled back
    monkeypatch.undo()
    monkeypatch.setattr(run, "DERIVED_ROWS", 3)
    assert go(pass_)[0] == len(games) - 6
    assert numbers() == before
    assert stored_boards() == boards
    assert go(pass_)[0] == len(games)  # it was finished: the next run starts from the first row


@pytest.mark.usefixtures("small_chunks")
def test_restart(games: list[Replay]) -> None:
    (pass_,) = passes(kind=StatKind.DERIVED, every_row=True)
    next(iter(recompute(pass_)))
    assert RecomputeProgress.objects.count() == 1
    status, text = command("--kind", "derived", "--all")
    assert (status, "11 replays visited" in text) == (0, True)
    next(iter(recompute(pass_)))
    status, text = command("--kind", "derived", "--all", "--restart")
    assert (status, "14 replays visited" in text) == (0, True)


@pytest.mark.usefixtures("small_chunks")
def test_two_processes_do_not_run_the_same_recompute(games: list[Replay]) -> None:
    (pass_,) = passes(kind=StatKind.DERIVED, every_row=True)
    first, second = recompute(pass_), recompute(pass_)
    next(first)
    next(second)  # it starts after the first one's chunk
    with pytest.raises(AlreadyRunning):
        next(first)
    restart(pass_)
    with pytest.raises(AlreadyRunning):
        next(second)
    run._advance(pass_.key, timezone.now(), START, START)
    with pytest.raises(AlreadyRunning):  # both tried to start
        run._advance(pass_.key, timezone.now(), START, START)


class Deadlock(Exception):
    sqlstate = "40P01"


@pytest.mark.django_db(transaction=True)
def test_a_chunk_is_repeated_after_a_deadlock(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    before = numbers()
    spoil(*DERIVED_NAMES, version=VERSION)
    real, calls = derived.recompute_derived, []

    def deadlock_at_first(*arguments: Any) -> int:
        calls.append(1)
        done = real(*arguments)
        if len(calls) == 1:
            raise OperationalError("deadlock detected") from Deadlock()
        return done

    monkeypatch.setattr(run, "recompute_derived", deadlock_at_first)
    go(*passes(kind=StatKind.DERIVED, every_row=True))
    assert numbers() == before
    assert len(calls) == 2


@pytest.mark.usefixtures("small_chunks")
def test_replays_that_a_claim_moves_during_a_recompute_are_visited(games: list[Replay], owner: Any) -> None:
    """Eve's replays move to a player that was visited already."""
    first = Player.objects.order_by("pk")[0]
    Player.objects.filter(user=owner).delete()
    Player.objects.filter(pk=first.pk).update(user=owner)
    Replay.objects.filter(identifier="Eve").update(uploader=owner)
    before = numbers()
    spoil(*DERIVED_NAMES, version=VERSION)
    steps = recompute(passes(kind=StatKind.DERIVED, every_row=True)[0])
    for _ in range(2):
        next(steps)  # past the first player
    give_name(owner, "Eve")
    assert set(Replay.objects.filter(identifier="Eve").values_list("player_id", flat=True)) == {first.pk}
    for _chunk in steps:
        pass
    names = len(STORED) + 1
    assert {pk: row[:names] for pk, row in numbers().items()} == {pk: row[:names] for pk, row in before.items()}
    assert stored_boards() == expected_boards()


# --- order ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_every_row_is_visited_once(games: list[Replay], size: int) -> None:
    rows, progress, seen = Replay.objects.all(), START, []
    while chunk := next_rows(rows, progress, size):
        assert len(chunk) <= size
        seen += chunk
        progress = chunk[-1].progress
    ranked = sorted((row.player_id, -row.pk) for row in games if row.player_id is not None)
    alone = sorted(-row.pk for row in games if row.player_id is None)
    assert [(row.player_id, -row.replay_id) for row in seen] == [*ranked, *((None, pk) for pk in alone)]
