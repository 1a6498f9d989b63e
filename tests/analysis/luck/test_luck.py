"""Risks of clicks: against the slow twin, against the registry, and in examples worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import formats
from analysis.errors import Inconsistent, LimitExceeded
from analysis.luck import Click, Luck, Sort, counted, luck_of, measure, snapshot_at
from analysis.probability import exact_fractions
from analysis.recording import Board, Kind, Level, Recording, events_from
from analysis.statistics import LUCK
from tests import naive_luck
from tests.analysis.test_game_twin import playable_kinds, random_kinds, recordings
from tests.effort import examples
from tests.naive_probability import MAX_CLOSED
from tests.replays.games import recording as bot_game
from tests.shared_files import needs_shared, replay_files

Cell = tuple[int, int]


def board(*rows: str) -> Board:
    return Board(np.array([[letter == "*" for letter in row] for row in rows], np.uint8))


def game(mines: Board, *acts: tuple[str, int, int]) -> Recording:
    """A recording of acts, one a second: ``left``, ``flag``, ``chord`` at a row and column."""
    kinds = {
        "left": (Kind.LEFT_PRESS, Kind.LEFT_RELEASE),
        "flag": (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE),
        "chord": (Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE),
    }
    events = [
        (1000 * second, 16 * column + 8, 16 * row + 8, kind)
        for second, (act, row, column) in enumerate(acts)
        for kind in kinds[act]
    ]
    return Recording("test", "", mines, events_from(events))


def risks_of(luck: Luck) -> list[tuple[Sort, float, float]]:
    return [(click.sort, round(click.risk, 12), round(click.least_risk, 12)) for click in luck.clicks]


def r(value: float) -> float:
    return round(value, 12)


# --- by hand


def test_half_a_chance_and_its_logarithm() -> None:
    """A 1 in the corner of two by two: its mine is one of three, then one of two."""
    luck = luck_of(game(board("..", "*."), ("left", 0, 0), ("left", 0, 1), ("left", 1, 1)))
    assert risks_of(luck) == [(Sort.FIRST, 0, 0), (Sort.GUESS, r(1 / 3), r(1 / 3)), (Sort.GUESS, 0.5, 0.5)]
    assert luck.values == {
        "luck": pytest.approx(1 / 3), "pluck": pytest.approx(math.log10(3)), "guesses": 2, "needless_guesses": 0,
        "worst_risk": pytest.approx(1 / 2), "no_guess": 0, "difficulty": 6, "accuracy": 100, "needless_risk": 0, "pace": 1,
    }  # fmt: skip


def test_nothing_left_to_chance_is_luck_1_and_pluck_0() -> None:
    luck = luck_of(game(board("...", "...", "..*"), ("left", 0, 0)))
    assert luck.values == {
        "luck": 1.0, "pluck": 0.0, "guesses": 0, "needless_guesses": 0, "worst_risk": 0.0, "no_guess": 1, "difficulty": 0,
        "accuracy": 100.0, "needless_risk": 0.0, "pace": None,
    }  # fmt: skip
    assert math.copysign(1, float(luck.values["pluck"] or 0)) == 1


def test_a_guess_beside_a_certain_cell_is_needless_and_names_the_rule() -> None:
    """Two numbers 1 side by side: the second sees all closed cells of the first and two more, which are safe."""
    mines = board("....", ".*..", "....", "...*")
    luck = luck_of(game(mines, ("left", 0, 0), ("left", 0, 1), ("left", 1, 0)))
    assert risks_of(luck) == [(Sort.FIRST, 0, 0), (Sort.GUESS, r(1 / 3), r(1 / 12)), (Sort.NEEDLESS, 0.5, 0)]
    assert [click.rule for click in luck.clicks] == [None, None, "md2"]
    assert (luck.values["guesses"], luck.values["needless_guesses"]) == (2, 1)


def test_a_chord_risks_all_cells_that_it_opens_and_flags_are_no_evidence() -> None:
    """Flagging one of three neighbours of a 1 and chording it is as risky as that flag is doubtful."""
    mines = board("..", "*.")
    luck = luck_of(game(mines, ("left", 0, 0), ("flag", 1, 0), ("chord", 0, 0)))
    chord = luck.clicks[1]
    assert (chord.chord, set(chord.cells), chord.cell) == (True, {(0, 1), (1, 1)}, (0, 0))
    assert (r(chord.risk), r(chord.least_risk), chord.survived) == (r(2 / 3), r(1 / 3), True)
    wrong = luck_of(game(mines, ("left", 0, 0), ("flag", 0, 1), ("chord", 0, 0)))
    assert (r(wrong.clicks[1].risk), wrong.clicks[1].survived) == (r(2 / 3), False)


def test_the_click_that_lost_the_game_was_no_luck() -> None:
    luck = luck_of(game(board("..", "*."), ("left", 0, 0), ("left", 0, 1), ("left", 1, 0)))
    assert [click.survived for click in luck.clicks] == [True, True, False]
    assert luck.values["luck"] == pytest.approx(2 / 3)
    assert luck.values["worst_risk"] == pytest.approx(1 / 2)


def test_a_certain_mine_is_a_risk_of_1_and_leaves_pluck_finite() -> None:
    lost = luck_of(game(board("**.", "..."), ("left", 0, 2), ("left", 1, 2), ("left", 1, 1), ("left", 0, 1)))
    assert (lost.clicks[-1].risk, lost.clicks[-1].survived) == (1.0, False)
    assert lost.values["worst_risk"] == 1.0
    assert lost.values["pluck"] == pytest.approx(-math.log10(float(lost.values["luck"] or 0)))


def test_a_first_click_on_a_mine_had_no_rule_that_saved_it() -> None:
    luck = luck_of(game(board("*.", ".."), ("left", 0, 0)))
    (first,) = luck.clicks
    assert (first.sort, first.risk, first.survived) == (Sort.FIRST, 0.25, False)
    assert (luck.values["luck"], luck.values["guesses"]) == (1.0, 0)
    assert (luck.values["no_guess"], luck.values["difficulty"]) == (None, None)


def test_times_and_places_of_clicks() -> None:
    luck = luck_of(game(board("..", "*."), ("flag", 1, 0), ("left", 0, 0), ("left", 0, 1)))
    assert [(click.event, click.time_ms, click.cell) for click in luck.clicks] == [(3, 0, (0, 0)), (5, 1000, (0, 1))]


def test_a_game_without_an_opening_is_none() -> None:
    with pytest.raises(Inconsistent):
        luck_of(game(board("..", "*."), ("flag", 0, 0)))


def test_every_row_of_the_registry_has_a_value() -> None:
    assert list(luck_of(bot_game()).values) == [row.name for row in LUCK]


# --- limits


def test_a_front_too_wide_leaves_values_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MAX_WEIGHTS", 8)
    luck = luck_of(bot_game(3, Level.EXPERT))
    assert isinstance(luck.problem, LimitExceeded)
    assert set(luck.values.values()) == {None}
    assert luck.clicks == ()


def test_a_game_that_takes_too_long_ends_without_values() -> None:
    luck = luck_of(bot_game(3, Level.EXPERT), max_seconds=-1)
    assert isinstance(luck.problem, LimitExceeded)
    assert (luck.clicks, set(luck.values.values())) == ((), {None})


def test_what_floating_point_cannot_tell_is_counted_in_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = luck_of(bot_game(5, Level.EXPERT))
    monkeypatch.setattr(measure, "_survival", lambda *_: None)
    found = luck_of(bot_game(5, Level.EXPERT))
    assert [(click.sort, click.rule) for click in found.clicks] == [
        (click.sort, click.rule) for click in expected.clicks
    ]
    assert [click.risk for click in found.clicks] == pytest.approx([click.risk for click in expected.clicks], abs=1e-12)


# --- the slow twin


def assert_twins_agree(recording: Recording, count: naive_luck.Count) -> list[Click]:
    expected = naive_luck.naive_clicks(recording, count)
    if not expected:
        with pytest.raises(Inconsistent):
            luck_of(recording)
        return []
    found = luck_of(recording)
    assert found.problem is None
    assert [(click.event, set(click.cells), click.survived) for click in found.clicks] == [
        (click.event, set(click.cells), click.survived) for click in expected
    ]
    for click, twin in zip(found.clicks, expected, strict=True):
        assert click.risk == pytest.approx(float(twin.risk), rel=1e-9, abs=1e-12)
        assert (click.risk == 0) == (twin.risk == 0)
        if click.sort in (Sort.GUESS, Sort.NEEDLESS):
            assert click.least_risk == pytest.approx(float(twin.least_risk), rel=1e-9, abs=1e-12)
            assert (click.sort is Sort.NEEDLESS) == twin.certain_was_there == (click.rule is not None)
    survived = [1 - twin.risk for twin in expected if twin.survived]
    assert found.values["luck"] == pytest.approx(float(math.prod(survived)), rel=1e-9)
    assert found.values["worst_risk"] == pytest.approx(float(max(twin.risk for twin in expected)), rel=1e-9)
    return list(found.clicks)


def small(recording: Recording) -> bool:
    return recording.board.mines.size <= MAX_CLOSED


@settings(max_examples=examples(150))
@given(recordings(playable_kinds).filter(small))
def test_small_games_have_the_risks_of_all_layouts(recording: Recording) -> None:
    assert_twins_agree(recording, naive_luck.by_trying)


@settings(max_examples=examples(100))
@given(recordings(playable_kinds) | recordings(random_kinds))
def test_games_have_the_risks_that_integers_give(recording: Recording) -> None:
    assert_twins_agree(recording, naive_luck.by_integers)


@pytest.mark.long(beside="tests/analysis/luck/test_luck.py::test_games_have_the_risks_that_integers_give")
@needs_shared
@pytest.mark.parametrize("place", [0, 70, 140])
def test_expert_replays_have_the_risks_that_integers_give(place: int) -> None:
    experts = [path for path in replay_files("avf") if "Exp" in path.name]
    recording = formats.read(experts[place % len(experts)].read_bytes())
    clicks = assert_twins_agree(recording, naive_luck.by_integers)
    assert len(clicks) > 50


# --- properties


@settings(max_examples=examples(60))
@given(st.integers(1, 10**6), st.sampled_from([Level.BEGINNER, Level.INTERMEDIATE]))
def test_risks_are_chances_and_no_click_is_safer_than_the_safest(seed: int, level: Level) -> None:
    luck = luck_of(bot_game(seed % 50 + 1, level))
    for click in luck.clicks[1:]:
        assert 0 <= click.least_risk <= click.risk + 1e-12 <= 1 + 1e-12
        assert (click.sort is Sort.CERTAIN) == (click.risk == 0)
    assert 0 < float(luck.values["luck"] or 0) <= 1
    assert luck.values["pluck"] == pytest.approx(-math.log10(float(luck.values["luck"] or 0)), abs=1e-12)


@settings(max_examples=examples(30))
@given(st.integers(1, 50))
def test_labels_change_no_risk(seed: int) -> None:
    """A corner that is flagged and cleared again before the game."""
    recording = bot_game(seed, style="NF")
    marked = recording.events.copy()
    corner = [
        (int(marked["time_ms"][0]), 8, 8, Kind.RIGHT_PRESS),
        (int(marked["time_ms"][0]), 8, 8, Kind.RIGHT_RELEASE),
    ]
    toggled = events_from([*corner, *corner, *marked.tolist()])
    again = luck_of(replace(recording, events=toggled))
    assert [click.risk for click in again.clicks] == [click.risk for click in luck_of(recording).clicks]


def test_the_least_risk_is_that_of_the_position() -> None:
    recording = bot_game(7, Level.EXPERT)
    guesses = [click for click in luck_of(recording).clicks if click.sort is Sort.GUESS]
    assert guesses
    for click in guesses:
        position = snapshot_at(recording, click.event).position
        assert position is not None
        exact = exact_fractions(position)
        least = min(exact[row][column] for row, column in np.argwhere(position.closed).tolist())
        assert click.least_risk == pytest.approx(float(least), rel=1e-9)
