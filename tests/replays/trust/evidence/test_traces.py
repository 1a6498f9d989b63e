"""The same play again: copies of games are found, however they were dressed up, and linked with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.formats import rawvf
from analysis.recording import Board, Kind, Level, Recording, events_from
from players.models import PersonalBest, User
from replays.models import Place, Replay
from replays.trust.judging.services import replay_judge
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.services import analyse_replays
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, recording

pytestmark = pytest.mark.django_db

GAME = (1, Level.INTERMEDIATE)


def written(game: Recording, **changes: object) -> bytes:
    plain = {"player": "Thief", "claims": replace(game.claims, time_ms=None), "ended_at": None}
    return rawvf.write(replace(game, **{**plain, **changes}))  # type: ignore[arg-type]


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
def test_a_copy_is_found_whoever_came_first(ingest: Ingest, copy: Any, owner: User, other_player: User) -> None:
    """The first holds the place, but counts no more than who contests it."""
    stolen = ingest(copy(recording(*GAME)), uploader=other_player)
    doubted = stolen.judgement == "suspicious"  # by a finding of its own
    original = ingest(game_file(*GAME), uploader=owner)
    stolen.refresh_from_db()
    assert Place.objects.get().holder == stolen.pk
    assert (original.judgement, original.judgement_code, original.ranked) == ("disputed", "contested", False)
    assert (stolen.judgement, stolen.ranked) == ("suspicious" if doubted else "disputed", False)
    assert original.findings == ingest(game_file(2, Level.INTERMEDIATE)).findings
    assert not PersonalBest.objects.filter(replay=stolen).exists()


def test_a_copy_in_the_same_chunk_is_found(owner: User) -> None:
    game = recording(*GAME)
    files = [("a", one_release_moved(game)), ("b", game_file(*GAME)), ("c", mirrored(game))]
    receipts = receive_many(files, uploader=owner, enqueue=False)
    analyse_replays([receipt.replay_id for receipt in receipts if receipt.replay_id])
    assert list(Replay.objects.order_by("pk").values_list("ranked", flat=True)) == [True, False, False]
    assert Place.objects.get().files.count() == 3


def row_by_row(game: Recording) -> bytes:
    """Somebody who knows the board of ``game`` opens its cells one after another."""
    px, rows = game.cell_px, []
    for number, (row, column) in enumerate(np.argwhere(game.board.mines == 0).tolist()):
        point = (column * px + px // 2, row * px + px // 2)
        pressed = 100 * number + number * number % 13  # no grid of a clock
        rows += [(pressed + step, *point, Kind.MOVE) for step in range(-20 if number else 0, 0, 5)]
        rows += [(pressed, *point, Kind.LEFT_PRESS), (pressed + 50, *point, Kind.LEFT_RELEASE)]
    return written(game, events=events_from(rows), claims=type(game.claims)())


def test_another_play_of_the_same_board_is_a_note_for_staff(ingest: Ingest, owner: User) -> None:
    """On a bigger board an equal board is never chance: somebody knew it.  The first game is left alone."""
    original = ingest(game_file(*GAME), uploader=owner)
    known = ingest(row_by_row(recording(*GAME)), uploader=owner)
    assert (known.judgement, known.ranked) == ("provisional", True)
    assert {"code": "same_board", "params": {"replay": original.pk}} in known.findings


def test_short_games_of_beginners_may_agree_by_chance(ingest: Ingest) -> None:
    """Three clicks in three corners are no fingerprint; what tells short games apart is the board with them."""
    rows = [ingest(game_file(seed)) for seed in range(1, 9)]
    assert all(row.ranked for row in rows)


def played_here(data: bytes, name: str = "b") -> Replay:
    """The file as our own code hands it in."""
    (receipt,) = receive_many([(name, data)], uploader=None, enqueue=False, trust=Trust(played_here=True))
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    return Replay.objects.get(pk=receipt.replay_id)


def test_the_stronger_file_stands_before_the_weaker(ingest: Ingest, other_player: User) -> None:
    """A copy that came first leaves the boards when the game that was played here comes."""
    export = ingest(scaled(recording(*GAME)), uploader=other_player)
    assert export.ranked
    original = played_here(game_file(*GAME))
    export.refresh_from_db()
    assert (original.judgement, original.ranked) == ("accepted", True)
    assert (export.judgement, export.judgement_code, export.ranked) == ("linked", "waits", False)
    assert set(PersonalBest.objects.values_list("replay", flat=True)) == {original.pk}


def test_a_game_played_here_holds_its_place_whatever_staff_accepted(ingest: Ingest, staff: User) -> None:
    export = replay_judge(ingest(scaled(recording(*GAME))), "accepted", "", staff)
    original = played_here(game_file(*GAME))
    export.refresh_from_db()
    assert original.ranked
    assert (export.judgement, export.judgement_code, export.ranked) == ("linked", "waits", False)


def test_recompute_finds_the_same(ingest: Ingest, owner: User) -> None:
    original = ingest(game_file(*GAME), uploader=owner)
    stolen = ingest(mirrored(recording(*GAME)), uploader=owner)
    before = list(Place.objects.values())
    analyse_all_again()
    original.refresh_from_db()
    stolen.refresh_from_db()
    assert (original.ranked, stolen.judgement, stolen.judgement_code) == (True, "linked", "waits")
    assert list(Place.objects.values()) == before


def test_the_comparison_takes_a_fixed_number_of_queries(django_assert_max_num_queries: Any) -> None:
    """Also where thousands of games share a key: a flood must not make the analysis of others slow."""
    receipts = receive_many([(str(seed), game_file(seed)) for seed in range(30, 40)], uploader=None, enqueue=False)
    with django_assert_max_num_queries(46):
        analyse_replays([receipt.replay_id for receipt in receipts if receipt.replay_id])
