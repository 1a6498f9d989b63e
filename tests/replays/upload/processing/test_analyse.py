from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.utils import timezone

from analysis import formats
from analysis.analyse import analyse
from analysis.analyse import analyse_many as analyse_many_for_real
from analysis.recording import Level, Mode, Recording
from analysis.statistics import ANALYSED, VERSION
from players.models import Identity, PersonalBest, SecondCount, User
from replays.models import Place, Replay, file_store
from replays.trust.reasons import reject_detail, reject_text
from replays.upload.intake.services import receive_many
from replays.upload.processing.columns import fill as fill_for_real
from replays.upload.processing.columns import json_params, played_at
from replays.upload.processing.compute import Analysed
from replays.upload.processing.compute import compute_results as compute_results_for_real
from replays.upload.processing.services import analyse_replays
from replays.upload.processing.stale import requeue_stale
from tests.factories import receive_one
from tests.replays.conftest import Ingest
from tests.replays.games import avf_file, game_file, other_wrapper

pytestmark = pytest.mark.django_db


def queued(*contents: bytes) -> list[int]:
    receipts = receive_many([(str(number), data) for number, data in enumerate(contents)], uploader=None, enqueue=False)
    return [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]


def make_stale(*ids: int) -> None:
    Replay.objects.filter(pk__in=ids).update(claimed_at=timezone.now() - timedelta(days=1))


def test_every_column_comes_from_the_analysis(ingest: Ingest) -> None:
    data = game_file()
    expected = analyse(formats.read(data))
    row = ingest(data)
    assert row.status == Replay.Status.DONE
    assert {stat.name: row.statistic(stat.name) for stat in ANALYSED} == pytest.approx(expected.values)
    assert (row.result, row.win, row.style) == ("won", True, "FL")
    assert (row.level, row.rows, row.columns, row.mines) == ("beginner", 8, 8, 10)
    assert (row.board_object().mines == expected.recording.board.mines).all()
    assert (row.format, row.identifier, row.mode) == ("rawvf", "Ada Bot", "standard")
    assert (row.game_hash, row.statistics_version, row.attempts) == (expected.game_hash, VERSION, 0)
    assert row.ranked
    assert row.player == Identity.objects.get(name="Ada Bot").player


def test_a_ranked_replay_makes_personal_bests(ingest: Ingest) -> None:
    row = ingest(game_file())
    best = PersonalBest.objects.get(player=row.player, statistic="time", level="beginner", style="all")
    assert (best.replay, best.value) == (row, row.statistic("time"))


def test_analysing_twice_changes_nothing(ingest: Ingest) -> None:
    row = ingest(game_file())
    before = Replay.objects.filter(pk=row.pk).values().get()
    analyse_replays([row.pk, row.pk, 10**9])
    assert Replay.objects.filter(pk=row.pk).values().get() == before


@pytest.mark.parametrize(
    ("data", "code", "sentence"),
    [
        (b"hello", "unknown_format", "isn't a replay"),
        (bytes(1000), "unknown_format", "isn't a replay"),
        (b"<html><script>alert(1)</script></html>", "unknown_format", "isn't a replay"),
        (avf_file()[:60], "truncated", "The file is incomplete."),
        (game_file().replace(b"Width: 8", b"Width: 9999"), None, "9999"),
        (game_file().replace(b"Mines: 10", b"Mines: 11"), None, ""),
    ],
)
def test_bad_content_is_rejected_with_a_sentence(data: bytes, code: str | None, sentence: str, ingest: Ingest) -> None:
    row = ingest(data)
    assert row.status == Replay.Status.REJECTED
    assert code in (None, row.reject_code)
    assert sentence in f"{reject_text(row)} {reject_detail(row)}"
    assert reject_text(row) != row.reject_code
    assert row.game_hash is None
    assert not Identity.objects.exists()


def test_every_cut_of_a_file_is_a_row_with_a_reason(ingest: Ingest) -> None:
    data = avf_file()
    ids = queued(*(data[:length] for length in range(1, len(data), max(1, len(data) // 60))))
    analyse_replays(ids)
    assert not Replay.objects.exclude(status__in=[Replay.Status.REJECTED, Replay.Status.DONE]).exists()
    assert not Replay.objects.filter(reject_code="internal_error").exists()
    assert all(reject_text(row) for row in Replay.objects.filter(status=Replay.Status.REJECTED))


def test_one_bad_file_does_not_affect_others(ingest: Ingest) -> None:
    ids = queued(game_file(1), b"bad", game_file(2))
    analyse_replays(ids)
    states = dict(Replay.objects.values_list("pk", "status"))
    assert [states[pk] for pk in ids] == ["done", "rejected", "done"]


def test_the_same_game_in_another_wrapper_is_linked(ingest: Ingest, owner: User) -> None:
    first = ingest(avf_file(), name="game.avf", uploader=owner)
    second = ingest(other_wrapper(avf_file()), name="game.rawvf", uploader=owner)
    assert (first.status, first.format) == (Replay.Status.DONE, "avf")
    assert (second.status, second.judgement, second.judgement_code) == (Replay.Status.DONE, "linked", "same_game")
    assert second.judgement_params == {"replay": first.pk}
    assert PersonalBest.objects.exclude(replay=first).count() == 0


def test_appended_bytes_do_not_make_another_game(ingest: Ingest) -> None:
    first, second = queued(game_file(), game_file() + b"\n")
    analyse_replays([second, first])
    rows = Replay.objects.in_bulk([first, second])
    assert {row.status for row in rows.values()} == {Replay.Status.DONE}
    assert [rows[pk].judgement_code for pk in (first, second)] == ["", "same_game"]
    assert Place.objects.get().holder == first


def test_a_missing_and_a_damaged_file(store: Any) -> None:
    missing, damaged = queued(game_file(1), game_file(2))
    for pk, data in ((missing, None), (damaged, b"other")):
        path = store / file_store.path_of(Replay.objects.get(pk=pk).sha256)
        path.unlink() if data is None else path.write_bytes(data)
    analyse_replays([missing, damaged])
    codes = dict(Replay.objects.values_list("pk", "reject_code"))
    assert codes == {missing: "file_missing", damaged: "file_damaged"}


def test_an_unreachable_store_costs_no_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    (pk,) = queued(game_file())

    def fail(_: str) -> bytes:
        raise ConnectionError("no route")

    with monkeypatch.context() as broken:
        broken.setattr(file_store, "get", fail)
        for _ in range(5):
            analyse_replays([pk])
    row = Replay.objects.get(pk=pk)
    assert (row.status, row.attempts) == (Replay.Status.QUEUED, 0)
    analyse_replays([pk])
    assert Replay.objects.get(pk=pk).status == Replay.Status.DONE


@pytest.mark.parametrize("fault", [MemoryError, RuntimeError, AssertionError])
def test_an_internal_error_is_retried_and_then_reported(
    fault: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    good, bad, better = queued(game_file(1), game_file(2), game_file(3))
    victim = formats.read(game_file(2))
    real = analyse_many_for_real

    def analyse_many(recordings: list[Recording]) -> list[Any]:
        if any((recording.board.mines == victim.board.mines).all() for recording in recordings):
            raise fault("a bug")
        return list(real(recordings))

    monkeypatch.setattr("replays.upload.processing.compute.analyse_many", analyse_many)
    for attempt in (1, 2):
        analyse_replays([good, bad, better])
        row = Replay.objects.get(pk=bad)
        assert (row.status, row.attempts) == (Replay.Status.QUEUED, attempt)
    analyse_replays([bad])
    row = Replay.objects.get(pk=bad)
    assert (row.status, row.reject_code) == (Replay.Status.REJECTED, "internal_error")
    assert "Traceback" in caplog.text
    assert set(Replay.objects.exclude(pk=bad).values_list("status", flat=True)) == {Replay.Status.DONE}


def test_a_row_that_cannot_be_saved_does_not_affect_others(monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad, better = queued(game_file(1), game_file(2), game_file(3))
    real = fill_for_real

    def fill(replay: Replay, analysed: Analysed) -> None:
        real(replay, analysed)
        if replay.pk == bad:
            raise DatabaseError("no")

    monkeypatch.setattr("replays.upload.processing.settling.settle.fill", fill)
    analyse_replays([good, bad, better])
    states = dict(Replay.objects.values_list("pk", "status"))
    assert states == {good: "done", bad: "queued", better: "done"}


def test_a_file_that_kills_its_worker_is_rejected_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    (pk,) = queued(game_file())

    class Killed(BaseException):
        pass

    def die(_: object) -> None:
        raise Killed

    monkeypatch.setattr("replays.upload.processing.services.compute_results", die)
    for attempt in (1, 2, 3):
        with pytest.raises(Killed):
            analyse_replays([pk])
        row = Replay.objects.get(pk=pk)
        assert (row.status, row.attempts) == (Replay.Status.RUNNING, attempt)
        make_stale(pk)
        assert requeue_stale() == [pk]
    analyse_replays([pk])
    row = Replay.objects.get(pk=pk)
    assert (row.status, row.reject_code) == (Replay.Status.REJECTED, "worker_lost")
    assert "3 times" in reject_text(row)


def test_replays_that_were_tried_before_are_analysed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = queued(game_file(1), game_file(2))
    tried = queued(game_file(3), game_file(4))
    Replay.objects.filter(pk__in=tried).update(attempts=1)
    chunks: list[list[int]] = []
    real = compute_results_for_real

    def compute_results(replays: Any) -> Any:
        chunks.append([replay.pk for replay in replays])
        return real(replays)

    monkeypatch.setattr("replays.upload.processing.services.compute_results", compute_results)
    analyse_replays(fresh + tried)
    assert sorted(map(len, chunks)) == [1, 1, 2]
    assert set(chunks[0]) == set(fresh)
    assert set(Replay.objects.values_list("status", flat=True)) == {"done"}


def test_a_worker_that_lost_its_claim_saves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    (pk,) = queued(game_file())
    real = compute_results_for_real

    def slow(replays: Any) -> Any:
        found = real(replays)
        Replay.objects.filter(pk=pk).update(attempts=2)  # the sweep queued it again and another worker claimed it
        return found

    monkeypatch.setattr("replays.upload.processing.services.compute_results", slow)
    analyse_replays([pk])
    row = Replay.objects.get(pk=pk)
    assert (row.status, row.attempts, row.game_hash) == (Replay.Status.RUNNING, 2, None)


def test_a_replay_that_was_deleted_during_its_analysis_does_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    (pk,) = queued(game_file())
    real = compute_results_for_real

    def slow(replays: Any) -> Any:
        found = real(replays)
        Replay.objects.filter(pk=pk).delete()
        return found

    monkeypatch.setattr("replays.upload.processing.services.compute_results", slow)
    analyse_replays([pk])
    assert not Replay.objects.exists()


def test_replays_of_another_worker_are_not_touched() -> None:
    (pk,) = queued(game_file())
    Replay.objects.update(status=Replay.Status.RUNNING, claimed_at=timezone.now(), attempts=1)
    analyse_replays([pk])
    assert Replay.objects.get().status == Replay.Status.RUNNING
    make_stale(pk)
    analyse_replays([pk])
    assert Replay.objects.get().status == Replay.Status.DONE


def test_a_chunk_takes_a_fixed_number_of_queries(django_assert_max_num_queries: Any) -> None:
    few = queued(*(game_file(seed) for seed in range(1, 4)))
    many = queued(*(game_file(seed) for seed in range(4, 24)))
    analyse_replays(few)
    with django_assert_max_num_queries(36):
        analyse_replays(many)
    assert Replay.objects.filter(status="done").count() == 23


def test_a_ranked_replay_that_is_analysed_again_counts_once(ingest: Ingest) -> None:
    row = ingest(game_file(1))
    ingest(game_file(2))
    for _ in range(2):
        Replay.objects.filter(pk=row.pk).update(status=Replay.Status.QUEUED, attempts=0)
        analyse_replays([row.pk])
    assert sum(SecondCount.objects.filter(style="all").values_list("games", flat=True)) == 2
    assert PersonalBest.objects.filter(statistic="time", style="all").count() == 1


def test_a_mislabelled_file_is_known_by_its_content(ingest: Ingest) -> None:
    assert ingest(avf_file(), name="game.rawvf").format == "avf"
    assert ingest(game_file(2), name="picture.png").format == "rawvf"


# --- ranked games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "ranked"),
    [({}, True), ({"mode": Mode.UPK}, False), ({"player": "", "player_bytes": b""}, False)],
)
def test_what_is_ranked(change: dict[str, Any], ranked: bool, ingest: Ingest) -> None:
    row = ingest(game_file(**change))
    assert row.status == Replay.Status.DONE
    assert row.ranked is ranked
    assert PersonalBest.objects.exists() is ranked


def test_a_board_below_the_minimum_is_not_ranked(ingest: Ingest, settings: Any) -> None:
    bv = analyse(formats.read(game_file())).facts.bv
    settings.MINIMUM_3BV = {"beginner": bv + 1}
    assert not ingest(game_file()).ranked
    settings.MINIMUM_3BV = {"beginner": analyse(formats.read(game_file(2))).facts.bv}
    assert ingest(game_file(2)).ranked


def test_a_lost_game_is_stored_and_not_ranked(ingest: Ingest) -> None:
    recording = formats.read(game_file(level=Level.EXPERT))
    cut = replace(recording, events=recording.events[: len(recording.events) // 2].copy())
    from analysis.formats import rawvf

    row = ingest(rawvf.write(cut))
    assert (row.status, row.win, row.ranked, row.result) == (Replay.Status.DONE, False, False, "unfinished")
    assert not PersonalBest.objects.exists()


# --- dates ------------------------------------------------------------------------------------------------------------

UPLOADED = datetime(2024, 6, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stated", "expected", "code"),
    [
        (None, None, None),
        (datetime(2024, 5, 1, 8, 0), datetime(2024, 5, 1, 8, 0, tzinfo=UTC), None),  # noqa: DTZ001
        (datetime(1980, 1, 1), None, "date_too_early"),  # noqa: DTZ001
        (datetime(2030, 1, 1), None, "date_in_future"),  # noqa: DTZ001
        (datetime(2024, 6, 1, 20, 0), datetime(2024, 6, 1, 20, 0, tzinfo=UTC), None),  # noqa: DTZ001 - east of UTC
        (datetime(2024, 6, 1, 20, 0, tzinfo=UTC), None, "date_in_future"),
        (datetime(1, 1, 1), None, "date_too_early"),  # noqa: DTZ001
        (datetime.max.replace(tzinfo=UTC), None, "date_in_future"),
    ],
)
def test_played_at(stated: datetime | None, expected: datetime | None, code: str | None) -> None:
    when, finding = played_at(stated, UPLOADED)
    assert when == expected
    assert (finding.code if finding else None) == code


def test_achieved_at_is_never_after_the_upload(ingest: Ingest) -> None:
    row = ingest(game_file(played_at=timezone.now().replace(tzinfo=None, microsecond=0) + timedelta(hours=8)))
    assert row.played_at is not None
    assert row.achieved_at == row.uploaded_at < row.played_at


def test_parameters_fit_json_in_every_database() -> None:
    plain = json_params({"a\x00": "x\x00\ud800", "n": 2**80, "f": float("nan"), "b": b"\xff", "ok": 3}, "message\x00")
    assert plain == {"a": "x\ufffd", "n": str(2**80), "f": "nan", "b": "b'\\xff'", "ok": 3, "message": "message"}


@pytest.mark.parametrize("name", ["名前\x00", "<b>x</b>", "\ud800", "x" * 999])
def test_names_inside_replays_are_stored_as_far_as_they_can_be(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (pk,) = queued(game_file())
    real = formats.read
    monkeypatch.setattr(
        formats,
        "read",
        lambda data: replace(real(data), player=name, software=name, format_variant=name),
    )
    analyse_replays([pk])
    row = Replay.objects.get()
    assert row.status == Replay.Status.DONE
    assert row.identifier == Identity.objects.get().name
    assert 0 < len(row.identifier) <= 255


def test_a_single_upload_is_what_receive_gives() -> None:
    receipt = receive_one(game_file(), name="a", uploader=None, enqueue=False)
    assert receipt.replay_id == Replay.objects.get().pk
