"""Measuring luck: what is written, which boards change, and failures."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis import formats
from analysis.errors import LimitExceeded
from analysis.formats import rawvf
from analysis.luck import Luck, luck_of
from analysis.recording import Board, Kind, Level, Recording, events_from
from analysis.statistics import LUCK, LUCK_VERSION
from players.db.retry import Conflict
from players.leaderboards.services import rebuild_boards
from players.models import PersonalBest, RecordEvent
from replays import tasks
from replays.models import LUCK_IS_WANTED, Replay, file_store
from replays.upload.intake.services import receive_many
from replays.upload.processing import luck, luck_measuring, queue
from replays.upload.processing.luck import luck_measure
from replays.upload.processing.services import MAX_ATTEMPTS, analyse_replays
from replays.upload.processing.settling.settle_luck import settle_luck
from replays.upload.processing.stale import requeue_luck
from tests.factories import receive_one
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest
from tests.replays.games import game_file
from tests.replays.sent_tasks import sent_ids

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("luck_compiled")]

NAMES = [row.name for row in LUCK]


def luck_in(row: Replay) -> dict[str, float | int | None]:
    return {name: row.statistic(name) for name in NAMES}


def boards() -> list[tuple[Any, ...]]:
    rows = PersonalBest.objects.order_by("player_id", "statistic", "level", "style")
    return list(rows.values_list("player_id", "statistic", "level", "style", "value", "replay_id", "achieved_at"))


def waiting() -> list[int]:
    return sorted(Replay.objects.filter(LUCK_IS_WANTED).values_list("pk", flat=True))


@pytest.fixture
def games(db: None, settings: Any) -> list[Replay]:
    """Some analysed games of one player, ranked and final, without luck."""
    settings.PROVISIONAL_LIMITS = []
    files = [game_file(seed, level) for seed in (1, 2, 3) for level in (Level.BEGINNER, Level.EXPERT)]
    receipts = receive_many([("game.rawvf", data) for data in files], uploader=None, enqueue=False)
    ids = [receipt.replay_id for receipt in receipts if receipt.replay_id]
    analyse_replays(ids)
    return list(Replay.objects.filter(pk__in=ids).order_by("pk"))


# --- results


def _rows() -> list[dict[str, Any]]:
    """Every column but the one that a trigger writes."""
    return [{**row, "updated_at": None} for row in Replay.objects.order_by("pk").values()]


def test_after_an_analysis_luck_is_undefined_and_due(games: list[Replay]) -> None:
    for row in games:
        assert set(luck_in(row).values()) == {None}
        assert (row.luck_version, row.luck_code, row.luck_attempts) == (None, "", 0)
    assert waiting() == [row.pk for row in games]


def test_luck_is_that_of_the_file(games: list[Replay]) -> None:
    luck_measure([row.pk for row in games])
    for row in games:
        row.refresh_from_db()
        expected = luck_of(formats.read(file_store.get(row.sha256)))
        assert luck_in(row) == expected.values
        assert (row.luck_version, row.luck_code, row.luck_attempts, row.luck_claimed_at) == (LUCK_VERSION, "", 0, None)
    assert waiting() == []


def test_the_boards_of_luck_are_led_by_the_least_lucky_win(games: list[Replay]) -> None:
    assert not PersonalBest.objects.filter(statistic="pluck").exists()
    luck_measure([row.pk for row in games])
    for level in ("beginner", "expert"):
        best = PersonalBest.objects.get(statistic="pluck", level=level, style="all")
        values = [float(row.statistic("pluck") or 0) for row in Replay.objects.filter(level=level)]
        assert best.value == best.rank_key == min(values)
    followed = boards()
    rebuild_boards()
    assert boards() == followed


def test_luck_is_logged_as_records_like_an_upload(games: list[Replay]) -> None:
    before = RecordEvent.objects.count()
    for row in games:  # each in a task of its own
        luck_measure([row.pk])
    events = RecordEvent.objects.order_by("id")[before:]
    assert {event.statistic for event in events} == {"pluck"}
    for level in ("beginner", "expert"):
        best: float | None = None
        expected = []
        for row in Replay.objects.filter(level=level).order_by("pk"):
            value = float(row.statistic("pluck") or 0)
            if best is None or value < best:
                expected.append((row.pk, best, value))
                best = value
        site = [event for event in events if (event.level, event.style) == (level, "all")]
        assert {event.kind for event in site} == {"site"}
        assert [(event.replay_id, event.old_value, event.new_value) for event in site] == expected


def test_luck_that_is_recomputed_logs_no_records(games: list[Replay]) -> None:
    luck_measure([row.pk for row in games])
    before = RecordEvent.objects.count()
    Replay.objects.update(pluck=7.0, luck_version=LUCK_VERSION - 1)
    rebuild_boards()
    luck_measure([row.pk for row in games])
    assert RecordEvent.objects.count() == before


def test_other_boards_stay_as_they_are(games: list[Replay]) -> None:
    before = boards()
    luck_measure([row.pk for row in games])
    assert [row for row in boards() if row[1] != "pluck"] == before


def test_measuring_again_changes_nothing(games: list[Replay]) -> None:
    ids = [row.pk for row in games]
    luck_measure(ids)
    rows, stored = _rows(), boards()
    luck_measure(ids)
    assert _rows() == rows
    Replay.objects.update(luck_version=None)
    luck_measure(ids)
    assert _rows() == rows
    assert boards() == stored


@pytest.mark.django_db(transaction=True)
def test_writing_is_repeated_after_a_conflict(ingest: Ingest, monkeypatch: pytest.MonkeyPatch) -> None:
    row = ingest(game_file(1))
    real, calls = settle_luck, []

    def locked_at_first(results: Any) -> Any:
        done = real(results)
        if results:
            calls.append(1)
            if len(calls) == 1:
                raise Conflict("another transaction was first")
        return done

    monkeypatch.setattr(luck, "settle_luck", locked_at_first)
    luck_measure([row.pk])
    assert len(calls) == 2
    assert waiting() == []


@pytest.mark.long(beside="tests/replays/odds/luck/test_luck.py::test_luck_is_that_of_the_file")
def test_a_chunk_takes_a_fixed_number_of_queries(ingest: Ingest) -> None:
    few = [ingest(game_file(seed)).pk for seed in (1, 2)]
    many = [ingest(game_file(seed)).pk for seed in range(3, 12)]
    luck_measure([ingest(game_file(50)).pk])
    with CaptureQueriesContext(connection) as captured:
        luck_measure(few)
    with CaptureQueriesContext(connection) as again:
        luck_measure(many)
    assert len(again) <= len(captured) + 3  # finding the next bests takes some more
    assert len(captured) < 25


def test_a_limit_on_luck_makes_a_win_suspicious_and_takes_it_off_the_boards(games: list[Replay], settings: Any) -> None:
    """Luck is known only now, so a game that was ranked before is removed from the boards."""
    lucky = max(games, key=lambda row: float(luck_of(formats.read(file_store.get(row.sha256))).values["pluck"] or 0))
    bound = float(luck_of(formats.read(file_store.get(lucky.sha256))).values["pluck"] or 0) - 1e-9
    settings.JUDGE_LIMITS = [(lucky.level, "pluck", ">", bound)]
    luck_measure([row.pk for row in games])
    lucky.refresh_from_db()
    assert (lucky.judgement, lucky.judgement_code, lucky.ranked) == ("suspicious", "limit", False)
    assert not PersonalBest.objects.filter(replay=lucky).exists()
    followed = boards()
    rebuild_boards()
    assert boards() == followed


# --- failures


def test_a_game_that_is_too_large_is_marked_and_not_measured_again(
    games: list[Replay], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = LimitExceeded("seconds of counting", limit=1, value=2)
    monkeypatch.setattr(luck_measuring, "luck_of", lambda *_, **__: Luck((), dict.fromkeys(NAMES), problem))
    luck_measure([games[0].pk])
    row = Replay.objects.get(pk=games[0].pk)
    assert (row.luck_version, row.luck_code, row.statistic("pluck")) == (LUCK_VERSION, "limit_exceeded", None)
    assert row.ranked
    assert row.pk not in waiting()


def test_a_missing_file_leaves_luck_undefined_for_good(games: list[Replay]) -> None:
    file_store.delete(games[0].sha256)
    luck_measure([row.pk for row in games])
    row = Replay.objects.get(pk=games[0].pk)
    assert (row.luck_version, row.luck_code, row.statistic("pluck"), row.ranked) == (
        LUCK_VERSION,
        "file_missing",
        None,
        True,
    )


def test_an_unreachable_file_store_costs_no_attempt(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    def down(_sha256: str) -> bytes:
        raise OSError("no route")

    monkeypatch.setattr(file_store, "get", down)
    for _ in range(MAX_ATTEMPTS + 1):
        luck_measure([row.pk for row in games])
    assert waiting() == [row.pk for row in games]
    assert set(Replay.objects.values_list("luck_attempts", flat=True)) == {0}


def fails_on(sha256: str, monkeypatch: pytest.MonkeyPatch) -> None:
    get = file_store.get

    def read(recording: Recording, **options: Any) -> Luck:
        if recording.board.packed() == formats.read(get(sha256)).board.packed():
            raise RuntimeError("a bug")
        return luck_of(recording, **options)

    monkeypatch.setattr(luck_measuring, "luck_of", read)


def test_an_internal_error_does_not_affect_others_and_is_given_up_in_the_end(
    games: list[Replay], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad = games[2]
    fails_on(bad.sha256, monkeypatch)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        luck_measure([row.pk for row in games])
        assert waiting() == [bad.pk]
        assert Replay.objects.get(pk=bad.pk).luck_attempts == attempt
    assert "a bug" in caplog.text
    luck_measure([row.pk for row in games])
    row = Replay.objects.get(pk=bad.pk)
    assert (row.luck_version, row.luck_code, row.luck_attempts, row.statistic("pluck")) == (
        LUCK_VERSION,
        "worker_lost",
        0,
        None,
    )
    assert waiting() == []


def test_a_worker_that_dies_leaves_a_row_that_is_tried_alone(
    games: list[Replay], monkeypatch: pytest.MonkeyPatch
) -> None:
    groups: list[int] = []
    measure = luck_measuring.measure

    def killed(replays: Any, **_: Any) -> Iterator[Any]:
        groups.append(len(replays))
        raise SystemExit

    monkeypatch.setattr("replays.upload.processing.luck.measure", killed)
    with pytest.raises(SystemExit):
        luck_measure([row.pk for row in games])
    assert set(Replay.objects.values_list("luck_attempts", flat=True)) == {1}

    def watched(replays: Any, **_: Any) -> Iterator[Any]:
        groups.append(len(replays))
        return measure(replays)

    monkeypatch.setattr("replays.upload.processing.luck.measure", watched)
    luck_measure([row.pk for row in games])
    assert groups == [len(games), 0, *[1] * len(games)]
    assert waiting() == []


def test_a_chunk_that_takes_too_long_continues_in_another_task(
    games: list[Replay], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent = sent_ids(monkeypatch, queue.LUCK)
    monkeypatch.setattr(luck_measuring, "ENOUGH_SECONDS", -1.0)
    ids = [row.pk for row in games]
    with django_capture_on_commit_callbacks(execute=True):
        luck_measure(ids)
    assert waiting() == ids[1:]
    assert sent == [ids[1:]]
    assert set(Replay.objects.values_list("luck_attempts", flat=True)) == {0}


def test_a_row_that_has_another_game_by_now_is_not_written(games: list[Replay]) -> None:
    [(_row, result)] = luck_measuring.measure(games[:1])
    assert isinstance(result, luck_measuring.Measured)
    Replay.objects.filter(pk=games[0].pk).update(game_hash="0" * 64)
    settle_luck({games[0].pk: result})
    assert Replay.objects.get(pk=games[0].pk).luck_version is None


def test_only_analysed_rows_are_measured(db: None) -> None:
    receipt = receive_one(game_file(1), name="a", uploader=None, enqueue=False)
    assert receipt.replay_id is not None
    luck_measure([receipt.replay_id])
    assert Replay.objects.get().luck_attempts == 0


# --- tasks and the sweep


def test_the_task_has_the_name_and_queue_by_which_it_is_sent(settings: Any) -> None:
    assert tasks.luck.name == queue.LUCK.name
    assert tasks.luck.acks_late
    assert settings.CELERY_TASK_ROUTES[queue.LUCK.name]["queue"] == "luck"
    assert list(settings.CELERY_TASK_QUEUES) == ["celery", "clips", "luck"]
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["queue_order_strategy"] == "priority"


def test_luck_is_queued_when_an_analysis_is_saved(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent = sent_ids(monkeypatch, queue.LUCK)
    ids = [receive_one(game_file(seed), name="a", uploader=None, enqueue=False).replay_id for seed in (1, 2)]
    with django_capture_on_commit_callbacks(execute=True):
        analyse_replays([pk for pk in ids if pk is not None])
    assert sent == [ids]


def test_the_sweep_finds_luck_that_is_missing_or_old_for_too_long(games: list[Replay], settings: Any) -> None:
    long_ago = timezone.now() - timedelta(seconds=10 * settings.STALE_AFTER_SECONDS)
    missing, old, held, fresh, done, left = games
    Replay.objects.exclude(pk=fresh.pk).update(analysed_at=long_ago)
    Replay.objects.filter(pk=old.pk).update(luck_version=LUCK_VERSION - 1)
    Replay.objects.filter(pk=held.pk).update(luck_claimed_at=timezone.now())
    Replay.objects.filter(pk=done.pk).update(luck_version=LUCK_VERSION)
    Replay.objects.filter(pk=left.pk).update(luck_claimed_at=long_ago, luck_attempts=1)
    assert requeue_luck() == [missing.pk, old.pk, left.pk]
    assert requeue_luck() == []


def test_a_game_that_is_analysed_again_has_no_old_luck(games: list[Replay]) -> None:
    """A row that was rejected and is analysed again may have another game."""
    luck_measure([games[0].pk])
    Replay.objects.filter(pk=games[0].pk).update(status="queued", attempts=0, ranked=True)
    analyse_replays([games[0].pk])
    row = Replay.objects.get(pk=games[0].pk)
    assert (row.status, row.luck_version, row.statistic("pluck")) == ("done", None, None)
    assert not PersonalBest.objects.filter(statistic="pluck").exists()


# --- recompute


def test_recompute_of_luck(games: list[Replay], capsys: pytest.CaptureFixture[str]) -> None:
    ids = [row.pk for row in games]
    luck_measure(ids)
    rows, stored = _rows(), boards()
    Replay.objects.update(pluck=7.0, luck_attempts=MAX_ATTEMPTS)
    rebuild_boards()
    call_command("recompute", "--luck")
    assert f"{len(games)} replays marked." in capsys.readouterr().out
    assert waiting() == ids
    luck_measure(ids)
    assert _rows() == rows
    assert boards() == stored


def test_an_analysis_of_the_same_game_does_not_change_luck(games: list[Replay]) -> None:
    luck_measure([row.pk for row in games])
    rows, stored = list(Replay.objects.order_by("pk").values(*NAMES, "luck_version")), boards()
    analyse_all_again()
    assert list(Replay.objects.order_by("pk").values(*NAMES, "luck_version")) == rows
    assert boards() == stored


def test_luck_is_due_after_an_analysis_that_finds_another_game(games: list[Replay]) -> None:
    luck_measure([row.pk for row in games])
    Replay.objects.filter(pk=games[0].pk).update(game_hash="0" * 64)
    analyse_all_again()
    assert waiting() == [games[0].pk]
    assert Replay.objects.get(pk=games[0].pk).statistic("pluck") is None
    followed = boards()
    rebuild_boards()
    assert boards() == followed


def needless_guess() -> bytes:
    """Beside the 1 at (0, 1) of  . 1 * . .  lies the only mine, so the last two cells are safe; it opens (0, 0)."""
    events = [
        (300 * number, 16 * column + 8, 8, kind)
        for number, column in enumerate((1, 0))
        for kind in (Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
    ]
    board = Board(np.array([[0, 0, 1, 0, 0]], np.uint8))
    return rawvf.write(Recording("rawvf", "", board, events_from(events), player="Ada"))


def test_needless_guesses_are_stored_once(ingest: Ingest) -> None:
    row = ingest(needless_guess())
    for _time in range(2):
        luck_measure([row.pk])
        Replay.objects.update(luck_version=None)
    assert list(row.needless.values_list("event", "time_ms", "risk", "rule")) == [(3, 300, 0.5, "count")]


def test_luck_ends_early_while_uploads_wait(games: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the upload of somebody waits for the luck of fifty large games of another."""
    monkeypatch.setattr(luck_measuring, "_ASK_SECONDS", 0.0)
    (upload,) = receive_many([("a", b"somebody's")], uploader=None, enqueue=False)
    luck_measure([row.pk for row in games])
    assert len(waiting()) == len(games) - 1
    assert {row.luck_attempts for row in Replay.objects.filter(pk__in=waiting())} == {0}
    analyse_replays([upload.replay_id or 0])
    luck_measure([row.pk for row in games])
    assert waiting() == []
