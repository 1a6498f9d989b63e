"""Games that were made of a stored one by moving a mine and changing the order of clicks (finding S3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from analysis.evidence.sketch import SHINGLE
from analysis.formats import rawvf
from analysis.recording import Claims, Level, Mode
from players.models import PersonalBest, User
from replays import tasks
from replays.models import Place, PlayTrace, Replay
from replays.trust.evidence import similar as finding
from replays.trust.evidence.similar import holders, similar_holders, stored_sketches
from replays.trust.judging.rules import rules_apply
from replays.upload.intake.services import receive_many
from replays.upload.processing import compare_similar
from replays.upload.processing.services import analyse_replays
from tests.factories import replay_of
from tests.forgeries.similar import disguised
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, recording

pytestmark = pytest.mark.django_db

GAME = (1, Level.INTERMEDIATE)
SHORT = (1, Level.BEGINNER)


@cache
def changed(seed: int = 1, level: Level = Level.INTERMEDIATE) -> bytes:
    """The game in which neighbouring clicks changed places and a mine moved, mirrored, quicker, under another name."""
    forged = disguised(recording(1, level), np.random.default_rng(seed))
    return rawvf.write(replace(forged, claims=Claims()))


def places() -> list[tuple[int, ...]]:
    """The files of each place, the holder first."""
    return [
        (place.holder, *place.files.exclude(pk=place.holder).order_by("pk").values_list("pk", flat=True))
        for place in Place.objects.order_by("pk")
    ]


def not_compared() -> None:
    """Let the stored games be some that were saved at the same moment."""
    Place.objects.all().delete()
    Replay.objects.update(analysed_at=timezone.now() - timedelta(hours=1))
    for row in Replay.objects.filter(judgement__in=Replay.FOR_OTHERS):
        Replay.objects.filter(pk=row.pk).update(judgement="accepted", judgement_code="", ranked=True)


@pytest.mark.parametrize("level", [Level.INTERMEDIATE, Level.EXPERT])
def test_a_changed_copy_of_a_stored_game_does_not_rank(ingest: Ingest, level: Level, other_player: User) -> None:
    original = ingest(game_file(1, level))
    Replay.objects.update(uploaded_at=timezone.now() - timedelta(days=20))
    others = [ingest(game_file(seed, level)) for seed in range(2, 5)]
    copy = ingest(changed(level=level), uploader=other_player)
    original.refresh_from_db()
    assert (copy.judgement, copy.judgement_code, copy.ranked) == ("linked", "waits", False)
    assert {finding["code"] for finding in copy.findings} == {finding["code"] for finding in original.findings}
    assert original.ranked
    assert all(other.ranked for other in others)
    assert places() == [(original.pk, copy.pk)]
    assert not PersonalBest.objects.filter(player__name="Mallory").exists()


def test_a_changed_copy_that_came_first_is_in_dispute_and_so_is_its_original(
    ingest: Ingest, other_player: User
) -> None:
    """Nothing says which of two sealed files is the original, so neither ranks, and nobody is accused."""
    copy = ingest(changed(), uploader=other_player)
    assert copy.ranked
    original = ingest(game_file(*GAME), uploader=User.objects.create_user("original"))
    copy.refresh_from_db()
    assert {(row.judgement, row.ranked) for row in (copy, original)} == {("disputed", False)}


def test_a_changed_copy_in_the_same_chunk_is_found(db: None) -> None:
    files = [("a", game_file(*GAME)), ("b", game_file(2, Level.INTERMEDIATE)), ("c", changed())]
    receipts = receive_many(files, uploader=None, enqueue=False)
    numbers = [receipt.replay_id for receipt in receipts if receipt.replay_id]
    analyse_replays(numbers)
    assert places() == [(numbers[0], numbers[2])]
    assert list(Replay.objects.order_by("pk").values_list("ranked", flat=True)) == [True, True, False]


def test_two_games_that_this_site_dealt_are_not_compared(ingest: Ingest) -> None:
    """Both players of a duel have the same board."""
    stored = ingest(game_file(*GAME))
    (sketch,) = stored_sketches([stored.pk]).values()
    assert similar_holders({stored.pk + 1: sketch}) == {stored.pk + 1: [stored.pk]}
    Replay.objects.update(evidence="here")
    assert similar_holders({stored.pk + 1: sketch._replace(here=True)}) == {}
    assert similar_holders({stored.pk + 1: sketch}) == {stored.pk + 1: [stored.pk]}


def test_lost_and_short_games_have_no_sketch(ingest: Ingest) -> None:
    game = recording(*GAME)
    lost = ingest(rawvf.write(replace(game, events=game.events[: len(game.events) * 5 // 6])))
    short = ingest(game_file(*SHORT))
    assert not lost.win
    assert (short.trace.opening_clicks or 0) < SHINGLE
    assert stored_sketches([lost.pk, short.pk]) == {}
    assert stored_sketches([ingest(game_file(*GAME)).pk]) != {}


def test_a_similar_game_joins_the_place_of_a_holder_alone(ingest: Ingest, other_player: User) -> None:
    """A game that is similar to a copy, and not to the original, is another one."""
    first, second = ingest(game_file(*GAME)), ingest(changed(1), uploader=other_player)
    (sketch,) = stored_sketches([second.pk]).values()
    assert similar_holders({second.pk + 99: sketch}) == {second.pk + 99: [first.pk]}


# --- what is compared later -------------------------------------------------------------------------------------------


def test_stored_games_are_compared_once(ingest: Ingest) -> None:
    original, copy, _other = ingest(game_file(*GAME)), ingest(changed()), ingest(game_file(2, Level.EXPERT))
    not_compared()
    tasks.compare_similar()
    copy.refresh_from_db()
    assert (copy.judgement_code, copy.ranked) == ("waits", False)
    assert places() == [(original.pk, copy.pk)]
    assert compare_similar.compare_waiting() == 0


def test_games_are_compared_every_minute_on_the_queue_behind_the_analysis(settings: Any) -> None:
    name = tasks.compare_similar.name
    assert settings.CELERY_BEAT_SCHEDULE["compare-similar-games"] == {"task": name, "schedule": 60.0}
    assert settings.CELERY_TASK_ROUTES[name] == {"queue": "luck"}


def test_a_game_that_was_just_saved_waits(ingest: Ingest) -> None:
    """One that is being saved cannot be seen yet."""
    ingest(game_file(*GAME))
    assert compare_similar.compare_waiting() == 0
    assert PlayTrace.objects.filter(compared_at=None).count() == 1


def test_a_run_ends_after_some_seconds(ingest: Ingest, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(1, 4):
        ingest(game_file(seed, Level.INTERMEDIATE))
    not_compared()
    monkeypatch.setattr(compare_similar, "_CHUNK", 1)
    monkeypatch.setattr(compare_similar, "_SECONDS", -1.0)
    assert [compare_similar.compare_waiting() for _ in range(4)] == [1, 1, 1, 0]


def test_recomputing_finds_similar_games(ingest: Ingest) -> None:
    original, copy = ingest(game_file(*GAME)), ingest(changed())
    not_compared()
    analyse_all_again()
    assert places() == [(original.pk, copy.pk)]


def test_a_flood_of_games_that_share_a_shingle_does_not_hide_the_oldest(
    ingest: Ingest, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = ingest(game_file(*GAME))
    (sketch,) = stored_sketches([original.pk]).values()
    for seed in range(2, 6):
        other = ingest(game_file(seed, Level.INTERMEDIATE))
        PlayTrace.objects.filter(replay=other.pk).update(sketch_1=sketch.played.shingles[0])
    monkeypatch.setattr(finding, "_FIND_OLDEST", finding._FIND_OLDEST.replace("<= 2000", "<= 1"))
    assert similar_holders({original.pk + 99: sketch}) == {original.pk + 99: [original.pk]}


def test_those_have_places_that_could_be_on_boards() -> None:
    """The database is asked the same as the rules of judging."""
    results = ((True, "won", 1.0), (False, "lost", 0.5), (False, "lost", 0.499), (False, "unfinished", 0.9))
    rows = [
        replay_of(None, mode=mode, win=win, result=result, values={"completion": share})
        for mode in Mode
        for win, result, share in results
        for _level in Level
    ]
    for number, row in enumerate(rows):
        row.level = list(Level)[number % len(Level)]
    Replay.objects.bulk_create(rows)
    PlayTrace.objects.bulk_create(PlayTrace(replay=row) for row in rows)
    held = set(PlayTrace.objects.filter(holders()).values_list("replay", flat=True))
    assert held == {row.pk for row in rows if rules_apply(row)}
    assert 0 < len(held) < len(rows)
