"""A chunk is analysed in groups, and results do not wait for a slow file of a later group."""

from __future__ import annotations

from typing import Any

import pytest

from replays.models import Replay, file_store
from replays.upload.processing import services as analysis_service
from replays.upload.processing.compute import compute_results as compute_results_for_real
from replays.upload.processing.save import save_all as save_all_for_real
from replays.upload.processing.services import analyse_replays
from tests.replays.games import game_file
from tests.replays.upload.processing.test_analyse import queued

pytestmark = pytest.mark.django_db


class Clock:
    """A clock that only a slow file advances."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_slow_file_delays_only_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of two, the third file is slow: earlier results are saved before later files are read."""
    ids = queued(*(game_file(seed) for seed in range(1, 8)))
    slow = Replay.objects.get(pk=ids[2]).sha256
    clock = Clock()
    done_before: dict[int, set[int]] = {}
    real = file_store.get

    def get(sha256: str) -> bytes:
        pk = Replay.objects.get(sha256=sha256).pk
        done_before[pk] = set(Replay.objects.filter(status=Replay.Status.DONE).values_list("pk", flat=True))
        clock.seconds += 60.0 if sha256 == slow else 0.0
        return real(sha256)

    monkeypatch.setattr(analysis_service, "_now", clock)
    monkeypatch.setattr(analysis_service, "GROUP", 2)
    monkeypatch.setattr(file_store, "get", get)
    analyse_replays(ids)
    assert list(done_before) == ids
    saved_with_the_slow_one = set(ids[:4])
    assert [done_before[pk] for pk in ids] == [set()] * 4 + [saved_with_the_slow_one] * 3
    assert set(Replay.objects.values_list("status", flat=True)) == {Replay.Status.DONE}


def test_results_are_saved_before_a_later_group_kills_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = queued(*(game_file(seed) for seed in range(1, 5)))
    clock = Clock()
    real = compute_results_for_real

    class Killed(BaseException):
        pass

    def compute_results(replays: Any) -> Any:
        if clock.seconds > 0:
            raise Killed
        clock.seconds += 60.0
        return real(replays)

    monkeypatch.setattr(analysis_service, "_now", clock)
    monkeypatch.setattr(analysis_service, "GROUP", 2)
    monkeypatch.setattr(analysis_service, "compute_results", compute_results)
    with pytest.raises(Killed):
        analyse_replays(ids)
    states = dict(Replay.objects.values_list("pk", "status"))
    assert [states[pk] for pk in ids] == ["done", "done", "running", "running"]


def test_a_quick_chunk_is_saved_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = queued(*(game_file(seed) for seed in range(1, 6)))
    saved: list[int] = []
    real = save_all_for_real

    def save_all(settled: Any) -> Any:
        saved.append(len(settled))
        return real(settled)

    monkeypatch.setattr(analysis_service, "_now", Clock())
    monkeypatch.setattr(analysis_service, "GROUP", 2)
    monkeypatch.setattr(analysis_service, "save_all", save_all)
    analyse_replays(ids)
    assert saved == [5]
