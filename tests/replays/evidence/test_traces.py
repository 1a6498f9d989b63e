"""The same play again: copies of other people's games never rank, however they were dressed up (findings S2, S3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.test import Client

from analysis.formats import rawvf
from analysis.recording import Board, Kind, Level, Recording, events_from
from players.models import PersonalBest, User
from replays.evidence.traces import equal_games
from replays.intake.services import Trust, receive_many
from replays.judging.services import replay_judge
from replays.models import Replay
from replays.processing.recompute import passes, recompute
from replays.processing.services import analyse_replays
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, recording

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GAME = (1, Level.INTERMEDIATE)


def written(game: Recording, **changes: object) -> bytes:
    return rawvf.write(replace(game, **{"player": "Thief", "claims": replace(game.claims, time_ms=None), **changes}))  # type: ignore[arg-type]


def scaled(game: Recording) -> bytes:
    events = game.events.copy()
    events["time_ms"] = (events["time_ms"] * 0.8).astype(np.int32)
    return written(game, events=events)


def one_release_moved(game: Recording) -> bytes:
    events = game.events.copy()
    events["time_ms"][int(np.flatnonzero(events["kind"] == Kind.LEFT_RELEASE)[5])] += 1
    events["time_ms"] = np.maximum.accumulate(events["time_ms"])
    return written(game, events=events)


def mirrored(game: Recording) -> bytes:
    events = game.events.copy()
    width = game.board.columns * game.cell_px
    events["x_px"] = width - 1 - events["x_px"]
    return written(game, events=events, board=Board(np.ascontiguousarray(game.board.mines[:, ::-1])))


def moves_dropped_and_jittered(game: Recording) -> bytes:
    kept = game.events[(game.events["kind"] != Kind.MOVE) | (np.arange(len(game.events)) % 3 > 0)].copy()
    inside = kept["x_px"] // game.cell_px * game.cell_px + np.clip(kept["x_px"] % game.cell_px + 1, 1, game.cell_px - 2)
    kept["x_px"] = np.where(kept["kind"] == Kind.MOVE, kept["x_px"], inside)
    return written(game, events=kept)


@pytest.mark.parametrize("copy", [scaled, one_release_moved, mirrored, moves_dropped_and_jittered])
def test_a_copy_is_found_and_does_not_rank(ingest: Ingest, copy: Any, other_player: User) -> None:
    original = ingest(game_file(*GAME))
    stolen = ingest(copy(recording(*GAME)), uploader=other_player)
    assert original.ranked
    assert (stolen.judgement, stolen.judgement_code, stolen.ranked) == ("suspicious", "same_clicks", False)
    assert stolen.findings[0]["replay"] == original.pk
    assert not PersonalBest.objects.filter(player__name="Thief").exists()


def test_a_copy_in_the_same_chunk_is_found(db: None) -> None:
    game = recording(*GAME)
    files = [("a", one_release_moved(game)), ("b", game_file(*GAME)), ("c", mirrored(game))]
    receipts = receive_many(files, uploader=None, enqueue=False)
    analyse_replays([receipt.replay_id for receipt in receipts if receipt.replay_id])
    assert list(Replay.objects.order_by("pk").values_list("ranked", flat=True)) == [True, False, False]


def row_by_row(game: Recording) -> bytes:
    """Somebody who knows the board of ``game`` opens its cells one after another."""
    px, rows = game.cell_px, []
    for number, (row, column) in enumerate(np.argwhere(game.board.mines == 0).tolist()):
        point = (column * px + px // 2, row * px + px // 2)
        rows += [(100 * number, *point, Kind.LEFT_PRESS), (100 * number + 50, *point, Kind.LEFT_RELEASE)]
    return written(game, events=events_from(rows))


def test_another_play_of_the_same_board_is_found(ingest: Ingest, settings: Any) -> None:
    """On a bigger board an equal board is never chance: somebody knew it."""
    original = ingest(game_file(*GAME))
    known = ingest(row_by_row(recording(*GAME)))
    assert (known.judgement_code, known.findings[0]["replay"], known.ranked) == ("same_board", original.pk, False)
    settings.JUDGE_FINDINGS = []
    for plan in passes(every_row=True):
        list(recompute(plan))
    known.refresh_from_db()
    assert known.ranked  # a site that allows practice on known boards


def test_short_games_of_beginners_may_agree_by_chance(ingest: Ingest) -> None:
    """Three clicks in three corners are no fingerprint; what tells short games apart is the board with them."""
    rows = [ingest(game_file(seed)) for seed in range(1, 9)]
    assert all(row.ranked for row in rows)


def test_the_stronger_file_stands_before_the_weaker(ingest: Ingest) -> None:
    """An export that somebody uploaded first must not keep the original off the boards."""
    export = ingest(scaled(recording(*GAME)))
    (receipt,) = receive_many([("b", game_file(*GAME))], uploader=None, enqueue=False, trust=Trust(played_here=True))
    assert receipt.replay_id is not None
    Replay.objects.filter(pk=export.pk).update(ranked=False, judgement="unverified", judgement_code="open")
    analyse_replays([receipt.replay_id])
    original = Replay.objects.get(pk=receipt.replay_id)
    assert original.ranked
    assert original.findings == []


def test_a_weaker_file_that_staff_accepted_keeps_its_place(ingest: Ingest, staff: User) -> None:
    export = replay_judge(ingest(scaled(recording(*GAME))), "accepted", "", staff)
    (receipt,) = receive_many([("b", game_file(*GAME))], uploader=None, enqueue=False, trust=Trust(played_here=True))
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    original = Replay.objects.get(pk=receipt.replay_id)
    assert export.ranked
    assert (original.judgement_code, original.ranked) == ("same_clicks", False)


def test_the_same_file_in_a_stronger_form_takes_the_place_of_the_weaker(ingest: Ingest, staff: User) -> None:
    """Equal games in two wrappers: the hash of the game is equal, and one row keeps it."""
    weak = ingest(game_file(*GAME))
    other = rawvf.write(replace(recording(*GAME), software="another writer"))
    (receipt,) = receive_many([("b", other)], uploader=None, enqueue=False, trust=Trust(played_here=True))
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    strong = Replay.objects.get(pk=receipt.replay_id)
    weak.refresh_from_db()
    assert (strong.status, strong.ranked) == ("done", True)
    assert (weak.status, weak.ranked, weak.duplicate_of_id, weak.game_hash) == ("rejected", False, strong.pk, None)
    assert set(PersonalBest.objects.values_list("replay", flat=True)) == {strong.pk}


def test_what_staff_decided_is_not_displaced(ingest: Ingest, staff: User) -> None:
    weak = replay_judge(ingest(game_file(*GAME)), "accepted", "", staff)
    other = rawvf.write(replace(recording(*GAME), software="another writer"))
    (receipt,) = receive_many([("b", other)], uploader=None, enqueue=False, trust=Trust(played_here=True))
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    assert Replay.objects.get(pk=receipt.replay_id).duplicate_of_id == weak.pk


def test_recompute_finds_the_same(ingest: Ingest) -> None:
    original = ingest(game_file(*GAME))
    stolen = ingest(mirrored(recording(*GAME)))
    for plan in passes(every_row=True):
        list(recompute(plan))
    original.refresh_from_db()
    stolen.refresh_from_db()
    assert (original.ranked, original.findings) == (True, ingest(game_file(*GAME)).findings)
    assert stolen.judgement_code == "same_clicks"


def test_staff_see_the_files_of_one_play(ingest: Ingest, staff_client: Client, other_client: Client) -> None:
    original = ingest(game_file(*GAME))
    stolen = ingest(mirrored(recording(*GAME)))
    assert [row.pk for _code, row in equal_games(original, limit=5)] == [stolen.pk]
    page = staff_client.get(f"/replays/{original.pk}/").content.decode()
    assert f'href="/replays/{stolen.pk}/"' in page
    assert f'href="/replays/{stolen.pk}/"' not in other_client.get(f"/replays/{original.pk}/").content.decode()
    assert f'href="/replays/{original.pk}/"' in other_client.get(f"/replays/{stolen.pk}/").content.decode()
    body = other_client.get(f"/api/v1/replays/{stolen.pk}/").json()
    assert body["findings"][0] == {
        "code": "same_clicks", "text": f"The opening clicks are those of replay #{original.pk}, whatever their times.",
        "replay": original.pk,
    }  # fmt: skip


def test_the_comparison_takes_a_fixed_number_of_queries(django_assert_max_num_queries: Any) -> None:
    """Also where thousands of games share a key: a flood must not make the analysis of others slow."""
    receipts = receive_many([(str(seed), game_file(seed)) for seed in range(30, 40)], uploader=None, enqueue=False)
    with django_assert_max_num_queries(46):
        analyse_replays([receipt.replay_id for receipt in receipts if receipt.replay_id])
