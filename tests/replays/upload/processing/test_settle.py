"""Settling the same files in any order, in chunks of any size and with workers that die, ends in the same tables."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from django.db import transaction

from analysis.statistics import ANALYSED
from players.leaderboards.services import rebuild_boards
from players.models import CombinedBest, PersonalBest, RecordEvent, SecondCount
from replays.models import Replay, file_store
from replays.upload.intake.services import receive_many
from replays.upload.processing.services import analyse_replays
from replays.upload.processing.settling import settle
from tests.factories import EPOCH
from tests.players.made_games import Shelf, on_shelf, random_game
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.again import analyse_outdated, outdated
from tests.replays.upload.processing.dying import Killed, dies_at

pytestmark = pytest.mark.django_db

NAMES = ("Ada", "Bob", "Eve", "Kim")
ROWS = (
    "pk", "status", "judgement", "judgement_code", "ranked", "corpse", "ownership", "identifier", "player__name",
    "place__holder", "game", "level", "style", "attempts", "statistics_version", *(row.name for row in ANALYSED),
)  # fmt: skip


@pytest.fixture(autouse=True)
def _rules(settings: Any) -> None:
    """Made values rank, and no game is provisional, which depends on the boards of the day."""
    settings.PROVISIONAL_DAYS, settings.PROVISIONAL_LIMITS = 0, []
    settings.JUDGE_LIMITS, settings.MINIMUM_3BV = [], {}


def tables() -> list[list[tuple[Any, ...]]]:
    """Rows, bests, sums and counts, with players by name since their numbers depend on who came first."""
    of_player = ("player__name", "statistic", "style", "rank_key")
    return [
        list(Replay.objects.order_by("pk").values_list(*ROWS)),
        sorted(PersonalBest.objects.values_list(*of_player, "level", "achieved_at", "replay_id")),
        sorted(CombinedBest.objects.values_list(*of_player, "achieved_at")),
        sorted(SecondCount.objects.values_list("player__name", "level", "style", "second", "games", "first_replay_id")),
    ]


def received(source: Random, shelf: Shelf, count: int) -> list[int]:
    copied = count // 8
    games = [random_game(source, NAMES, plain_win=number < copied) for number in range(count - copied)]
    games += games[:copied]  # the same plays in other files
    files = [(f"{number}.avf", b"made up %d" % number) for number in range(count)]
    shelf.games |= {file_store.sha256_of(data): game for (_name, data), game in zip(files, games, strict=True)}
    receipts = receive_many(files, uploader=None, enqueue=False)
    return [receipt.replay_id or 0 for receipt in receipts]


def analyse(ids: Sequence[int], chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyse so many at a time; a worker dies when it has written the second chunk, or the first if it is the last."""
    chunks = [ids[start : start + chunk] for start in range(0, len(ids), chunk)]
    with monkeypatch.context() as patch:
        dies_at(patch, settle, "write_rows", min(2, len(chunks)))
        for some in chunks:
            try:
                analyse_replays(some)
            except Killed:
                Replay.objects.filter(status=Replay.Status.RUNNING).update(claimed_at=EPOCH)
                analyse_replays(some)


@pytest.mark.parametrize(
    "count", [16, pytest.param(200, marks=pytest.mark.long(beside="the first case of the same test"))]
)
def test_any_order_and_chunks_end_in_the_tables_of_a_rebuild(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    source, shelf, found = Random(count), Shelf(), []
    with on_shelf(shelf):
        ids = received(source, shelf, count)
        for chunk in (1, 7, count):
            with transaction.atomic():
                analyse(source.sample(ids, count), chunk, monkeypatch)
                assert stored_boards() == expected_boards()
                found.append(tables())
                transaction.set_rollback(chunk != count)
        assert found[0] == found[1] == found[2]
        assert {row[2] for row in found[0][0]} >= {"accepted", "linked"}
        events = list(RecordEvent.objects.order_by("pk").values_list())
        rebuild_boards()
        assert tables() == found[0]
        Replay.objects.update(statistics_version=0)
        assert analyse_outdated(chunk=7) == []
        assert tables() == found[0]
        assert list(RecordEvent.objects.order_by("pk").values_list()) == events


def test_a_formula_that_changed_is_settled_by_chunks_that_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of an older version get right chunk by chunk; the boards are right after each, and after the death of one."""
    source, shelf = Random(5), Shelf()
    with on_shelf(shelf):
        analyse_replays(received(source, shelf, 20))
        right = tables()
        for pk in Replay.objects.values_list("pk", flat=True):
            Replay.objects.filter(pk=pk).update(
                statistics_version=1, bvs=source.choice([None, 1.0, 9.0]), qg=source.random()
            )
        rebuild_boards()
        dies_at(monkeypatch, settle, "write_rows", 2)
        with pytest.raises(Killed):
            analyse_outdated(chunk=6)
        assert len(outdated()) == 14
        assert set(Replay.objects.values_list("status", flat=True)) == {"done"}, "nobody's game is away meanwhile"
        assert stored_boards() == expected_boards()
        assert analyse_outdated(chunk=6) == []
        assert tables() == right
