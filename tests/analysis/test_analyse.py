"""Statistics, game hash and findings of recordings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.analyse import Analysis, Style, analyse, analyse_many, game_hash
from analysis.board import board_facts
from analysis.click_machine import Result, play
from analysis.errors import Inconsistent, ReplayError
from analysis.recording import (
    Board,
    Claims,
    EventArray,
    Finding,
    Kind,
    Level,
    Recording,
    events_from,
)
from analysis.statistics import ANALYSED
from analysis.zini import zini_counts
from tests import naive_game
from tests.analysis.test_click_machine import CORNER, STRIP, sequence
from tests.analysis.test_game_twin import playable_kinds, random_recording
from tests.effort import examples

WINNING = "mv b lc e lr e rc a rr a mv f lc - lr - lc i mv h mv g mv h lr i"
RECORDING = Recording("test", "1", CORNER, sequence(WINNING))


def hash_of(recording: Recording) -> str:
    return analyse(recording).game_hash


def with_events(events: EventArray, recording: Recording = RECORDING) -> Recording:
    return replace(recording, events=events)


def codes(recording: Recording) -> list[str]:
    return [finding.code for finding in analyse(recording).findings]


# --- values


def test_every_analysed_row_has_a_value() -> None:
    assert list(analyse(RECORDING).values) == [row.name for row in ANALYSED]


def test_values_are_those_of_the_game_the_board_and_its_zini() -> None:
    found = analyse(RECORDING)
    zini = zini_counts(CORNER)
    expected = {
        "time_ms": 1000, "time": 1.0, "lcl": 3, "rcl": 1, "dcl": 0, "cl": 4, "lce": 2, "rce": 1, "ce": 3, "flags": 1,
        "bv": 1, "op": 1, "isl": 0, "cell0": 5, "cell1": 3, "cell8": 0, "bvdone": 1, "opdone": 1, "isdone": 0,
        "gzini": zini.gzini, "hzini": zini.hzini, "gzini_ref": zini.gzini_ref, "hzini_ref": zini.hzini_ref,
        "bvs": 1.0, "corr": 0.75, "cpo": 2.0, "coo": 3.0, "completion": 1.0, "ios": None, "stnb": None,
    }  # fmt: skip
    assert {name: found.values[name] for name in expected} == expected
    assert found.values["path"] == found.game.path > 0
    assert found.game.result is Result.WON


def test_counts_are_whole_numbers_and_the_rest_are_not() -> None:
    values = analyse(RECORDING).values
    for row in ANALYSED:
        assert values[row.name] is None or type(values[row.name]) is (int if row.integer else float), row.name


def test_a_game_of_no_time_has_no_speed() -> None:
    events = events_from([(5, 40, 40, Kind.LEFT_PRESS), (5, 40, 40, Kind.LEFT_RELEASE)])
    values = analyse(with_events(events)).values
    assert values["time"] == 0.0
    assert [values[name] for name in ("bvs", "ces", "cls", "ios", "mov", "iome", "sao", "gzinis")] == [None] * 8
    assert (values["ioe"], values["thrp"], values["corr"]) == (1.0, 1.0, 1.0)


def test_a_lost_game_has_no_cost_and_no_zini_rates() -> None:
    values = analyse(with_events(sequence("lc e lr e lc a lr a"))).values
    assert [values[name] for name in ("cpo", "coo", "gzinis", "gznt", "gzne", "hznt")] == [None] * 6
    assert (values["completion"], values["bvdone"], values["estime"]) == (0.0, 0, None)


# --- one and many


def test_many_equal_one_by_one_and_keep_their_places() -> None:
    unopened = with_events(sequence("mv a"))
    recordings = [RECORDING, unopened, *(random_recording(seed, 60, playable_kinds) for seed in range(30))]
    batch = analyse_many(recordings)
    assert len(batch) == len(recordings)
    assert isinstance(batch[1], Inconsistent)
    for recording, outcome in zip(recordings, batch, strict=True):
        if isinstance(outcome, ReplayError):
            with pytest.raises(type(outcome), match=str(outcome)):
                analyse(recording)
        else:
            alone = analyse(recording)
            assert outcome.recording is recording
            assert outcome.values == alone.values
            assert (outcome.game, outcome.game_hash, outcome.style) == (alone.game, alone.game_hash, alone.style)
            assert outcome.findings == alone.findings


def test_nothing_in_nothing_out() -> None:
    assert analyse_many([]) == []
    assert isinstance(analyse_many([with_events(sequence("mv a"))])[0], Inconsistent)


# --- style


@pytest.mark.parametrize(
    ("script", "style"),
    [
        ("lc e lr e lc i lr i", Style.NF),
        ("lc e lr e rc e rr e lc i lr i", Style.NF),  # a right click on an open cell places nothing
        ("lc e lr e rc a rr a lc i lr i", Style.FL),
        ("lc e lr e rc a rr a rc a rr a lc i lr i", Style.FL),  # taken back, but it was placed
        ("lc e lr e rc i rr i rc i rr i lc i lr i", Style.FL),
        ("pf a lc i lr i", Style.FL),
        ("rc a rr a rc a rr a lc i lr i", Style.FL),
        ("lc i lr i rc a rr a", Style.NF),  # after the end
    ],
)
def test_style(script: str, style: Style) -> None:
    found = analyse(with_events(sequence(script)))
    assert (found.style, found.game.result) == (style, Result.WON)


# --- hash


def without_moves(events: EventArray) -> EventArray:
    return np.delete(events, events["kind"] == Kind.MOVE)


def repeated_moves(events: EventArray) -> EventArray:
    return np.repeat(events, np.where(events["kind"] == Kind.MOVE, 3, 1))


def later(events: EventArray) -> EventArray:
    moved = events.copy()
    moved["time_ms"] += 12_345
    return moved


def with_junk_behind(events: EventArray) -> EventArray:
    last = int(events["time_ms"][-1])
    junk = events_from(
        [(last, 3, 3, Kind.RIGHT_PRESS), (last + 900, 9, 9, Kind.MOVE), (last + 901, 9, 9, Kind.LEFT_PRESS)]
    )
    return np.concatenate([events, junk])


def other_points_outside(events: EventArray) -> EventArray:
    moved = events.copy()
    outside = (moved["x_px"] >= 48) | (moved["y_px"] >= 48)
    assert outside.any()
    moved["x_px"][outside], moved["y_px"][outside] = 20, -7
    return moved


@pytest.mark.parametrize("change", [without_moves, repeated_moves, later, with_junk_behind, other_points_outside])
def test_the_same_game_has_the_same_hash(change: object) -> None:
    assert callable(change)
    assert hash_of(with_events(change(RECORDING.events))) == hash_of(RECORDING)


def test_the_hash_does_not_see_the_wrapper() -> None:
    other = replace(
        RECORDING, format="other", format_variant="9", player="B", player_bytes=b"B", software="S", country="XX",
        played_at=datetime(2020, 1, 2, tzinfo=UTC), time_precision_ms=10, claims=Claims(bv=3), findings=(Finding("a", {"b": 1}),),
        extra={"a": "b"},
    )  # fmt: skip
    assert hash_of(other) == hash_of(RECORDING)


def test_the_hash_does_not_see_the_cell_size() -> None:
    assert hash_of(Recording("test", "", CORNER, sequence(WINNING, cell_px=32), cell_px=32)) == hash_of(RECORDING)


BUTTON_EVENTS_INSIDE = (1, 2, 3, 4, 8, 12)
BUTTON_EVENTS = (*BUTTON_EVENTS_INSIDE, 6, 7)


@pytest.mark.parametrize(
    ("name", "place", "change"),
    [
        *(("time_ms", place, -1) for place in BUTTON_EVENTS),
        *((axis, place, 1) for axis in ("x_px", "y_px") for place in BUTTON_EVENTS_INSIDE),
        *(("kind", place, Kind.SHIFT_LEFT_PRESS - Kind.LEFT_PRESS) for place in (1, 6, 8)),
        ("kind", 3, Kind.PREFLAG - Kind.RIGHT_PRESS),
    ],
)
def test_another_button_event_is_another_game(name: str, place: int, change: int) -> None:
    """Moves may differ, and points outside are all one; nothing else may."""
    events = RECORDING.events.copy()
    events[name][place] += change
    assert hash_of(with_events(events)) != hash_of(RECORDING)


def test_another_board_is_another_game() -> None:
    script = sequence("lc e lr e")
    boards = [CORNER, STRIP, Board(CORNER.mines[::-1].copy()), Board(np.pad(CORNER.mines, ((0, 1), (0, 0))))]
    assert len({hash_of(Recording("test", "", board, script)) for board in boards}) == len(boards)


def test_boards_with_equal_bits_and_other_sides_differ() -> None:
    bits = np.zeros(12, np.uint8)
    bits[11] = 1
    script = sequence("lc a lr a")
    assert hash_of(Recording("t", "", Board(bits.reshape(2, 6)), script)) != hash_of(
        Recording("t", "", Board(bits.reshape(3, 4)), script)
    )


@settings(max_examples=examples(150))
@given(st.integers(0, 2**32 - 1), st.sampled_from([without_moves, repeated_moves, later]))
def test_random_games_keep_their_hash(seed: int, change: object) -> None:
    recording = random_recording(seed, 80, playable_kinds)
    if naive_game.numbers(recording) is None:
        return
    assert callable(change)
    changed = with_events(change(recording.events), recording)
    facts = board_facts(recording.board)
    assert game_hash(changed, play(changed, facts)) == game_hash(recording, play(recording, facts))


# --- findings


def test_true_claims_are_no_findings() -> None:
    claims = Claims(time_ms=1000, bv=1, bvdone=1, win=True, lcl=3, rcl=1, dcl=0, level=Level.CUSTOM, nf=False)
    assert codes(replace(RECORDING, claims=claims)) == []
    assert codes(RECORDING) == []


@pytest.mark.parametrize(
    ("claims", "code", "params"),
    [
        (Claims(time_ms=1002), "time_differs", {"claimed_ms": 1002, "actual_ms": 1000}),
        (Claims(bv=2), "bv_differs", {"claimed": 2, "actual": 1}),
        (Claims(bvdone=0), "bvdone_differs", {"claimed": 0, "actual": 1}),
        (Claims(win=False), "result_differs", {"claimed": "not_won", "actual": "won"}),
        (Claims(lcl=1), "lcl_differs", {"claimed": 1, "actual": 3}),
        (Claims(rcl=0), "rcl_differs", {"claimed": 0, "actual": 1}),
        (Claims(dcl=9), "dcl_differs", {"claimed": 9, "actual": 0}),
        (Claims(level=Level.EXPERT), "level_differs", {"claimed": "expert", "actual": "custom"}),
        (Claims(nf=True), "nf_differs", {"claimed": "yes", "actual": "no"}),
    ],
)
def test_each_false_claim_is_a_finding(claims: Claims, code: str, params: dict[str, str | int]) -> None:
    assert analyse(replace(RECORDING, claims=claims)).findings == (Finding(code, params),)


@pytest.mark.parametrize(("claimed", "precision", "found"), [(1010, 10, False), (990, 10, False), (1011, 10, True), (989, 10, True), (1001, 1, False), (998, 1, True)])  # fmt: skip
def test_the_time_may_differ_by_its_precision(claimed: int, precision: int, found: bool) -> None:
    recording = replace(RECORDING, claims=Claims(time_ms=claimed), time_precision_ms=precision)
    assert ("time_differs" in codes(recording)) is found


@pytest.mark.parametrize(
    ("claimed", "step_ms", "found"), [(990, 10, False), (1010, 10, False), (980, 10, True), (0, 1000, False), (2001, 1000, True)]
)  # fmt: skip
def test_a_time_with_fewer_decimals_may_differ_by_its_step(claimed: int, step_ms: int, found: bool) -> None:
    recording = replace(RECORDING, claims=Claims(time_ms=claimed, time_step_ms=step_ms))
    assert ("time_differs" in codes(recording)) is found


def test_the_readers_findings_come_first() -> None:
    first = Finding("time_went_back")
    assert codes(replace(RECORDING, findings=(first,), claims=Claims(bv=7))) == ["time_went_back", "bv_differs"]


def test_an_unfinished_game_is_a_finding() -> None:
    found = analyse(with_events(sequence("lc e lr e")))
    assert [finding.code for finding in found.findings] == ["unfinished"]
    assert found.game.result is Result.UNFINISHED


def test_a_loss_claimed_as_a_win() -> None:
    lost = sequence("lc e lr e lc a lr a")
    assert codes(replace(RECORDING, events=lost, claims=Claims(win=True))) == ["result_differs"]
    assert codes(replace(RECORDING, events=lost, claims=Claims(win=False))) == []


def test_a_custom_game_of_a_levels_size_is_no_finding() -> None:
    mines = np.zeros((8, 8), np.uint8)
    mines[0] = 1
    mines[1, :2] = 1
    events = events_from([(0, 120, 120, Kind.LEFT_PRESS), (0, 120, 120, Kind.LEFT_RELEASE)])
    recording = Recording("test", "", Board(mines), events)
    assert analyse(recording).recording.board.level is Level.BEGINNER
    assert codes(replace(recording, claims=Claims(level=Level.CUSTOM))) == []
    assert codes(replace(recording, claims=Claims(level=Level.BEGINNER))) == []
    assert codes(replace(recording, claims=Claims(level=Level.BEGINNER_9X9))) == ["level_differs"]


def test_a_beginner_game_may_have_nine_by_nine_cells() -> None:
    mines = np.zeros((9, 9), np.uint8)
    mines[0] = 1
    mines[1, 0] = 1
    events = events_from([(0, 136, 136, Kind.LEFT_PRESS), (0, 136, 136, Kind.LEFT_RELEASE)])
    recording = Recording("test", "", Board(mines), events)
    for level, expected in ((Level.BEGINNER, []), (Level.BEGINNER_9X9, []), (Level.EXPERT, ["level_differs"])):
        assert codes(replace(recording, claims=Claims(level=level))) == expected


def test_an_analysis_carries_its_recording() -> None:
    found = analyse(RECORDING)
    assert isinstance(found, Analysis)
    assert found.recording is RECORDING
    assert found.facts.bv == 1
