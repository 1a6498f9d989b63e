"""Tests of each limit of the evidence, from both sides and with the numbers written out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from functools import cache

import pytest

from analysis import formats
from analysis.analyse import Analysis, analyse
from analysis.evidence.hand import Track, path_findings
from analysis.evidence.history import History, retimed_likely
from analysis.evidence.programs import PROGRAMS, program_findings, withdrawn_when_received
from analysis.evidence.seal import file_findings
from analysis.evidence.times import moment_findings, span_findings
from analysis.recording import Finding, Level
from tests.analysis.evidence.honest import recording
from tests.encoders import native


@cache
def honest(form: str) -> Analysis:
    return analyse(formats.read(native.write(recording(form))))


def codes(findings: Iterable[Finding]) -> list[str]:
    return [finding.code for finding in findings]


@pytest.mark.parametrize(("form", "least"), [("avf", 10), ("evf 4", 10), ("rmv 1", 10), ("mvf 2007", 5)])
def test_events_a_3bv(form: str, least: int) -> None:
    analysis = honest(form)
    track, enough = Track.of(analysis), least * analysis.facts.bv
    assert codes(path_findings(analysis, replace(track, jumps=0, events=enough))) == []
    assert codes(path_findings(analysis, replace(track, jumps=0, events=enough - 1))) == ["no_path"]


@pytest.mark.parametrize(
    ("form", "acts", "jumps", "found"),
    [
        ("avf", 1000, 150, []), ("avf", 1000, 151, ["button_jumps"]), ("avf", 12, 9, []), ("avf", 12, 10, ["button_jumps"]),
        ("evf 4", 1000, 150, []), ("evf 4", 1000, 151, ["button_jumps"]), ("rmv 2", 1000, 151, ["button_jumps"]),
        ("avf", 43, 4, []), ("avf", 55, 5, []), ("avf", 31, 7, []),  # three honest games on Beginner
    ],
)  # fmt: skip
def test_buttons_away_from_the_cursor(form: str, acts: int, jumps: int, found: list[str]) -> None:
    analysis = honest(form)
    assert codes(path_findings(analysis, replace(Track.of(analysis), acts=acts, jumps=jumps))) == found


@pytest.mark.parametrize("program", ["Minesweeper Arbiter 0.52.3", "元3.3.1", "any other"])
@pytest.mark.parametrize("form", ["avf", "evf 4"])
def test_by_how_much_the_walls_clock_may_differ(form: str, program: str) -> None:
    """Whatever the program; a busy computer made it 309 ms in an honest game of Arbiter."""
    assert [moments_apart(form, program, ms) for ms in (-1_001, -88, 0, 2, 45, 135, 309, 1_001)] == [[]] * 8
    assert [moments_apart(form, program, ms) for ms in (-1_002, 1_002)] == [["moments_differ"]] * 2


def test_summer_time_may_begin_or_end_during_a_game_on_local_time() -> None:
    hour_ms = 3_600_000
    assert [moments_apart("avf", "Minesweeper Arbiter 0.52.3", ms) for ms in (-hour_ms, hour_ms + 900)] == [[], []]
    assert moments_apart("avf", "Minesweeper Arbiter 0.52.3", hour_ms + 1_100) == ["moments_differ"]
    assert moments_apart("evf 4", "元3.3.1", hour_ms) == ["moments_differ"]  # in UTC


def moments_apart(form: str, program: str, slack_ms: int) -> list[str]:
    analysis = honest(form)
    began = analysis.recording.played_at
    assert began is not None
    ended = began + timedelta(milliseconds=analysis.game.time_ms + slack_ms)
    other = replace(analysis.recording, software=program, ended_at=ended)
    return codes(moment_findings(replace(analysis, recording=other)))


@pytest.mark.parametrize(
    ("form", "late_ms", "found"),
    [
        ("avf", 10, []), ("avf", -10, []), ("avf", 11, ["start_not_zero"]), ("avf", -11, ["start_not_zero"]),
        ("evf 4", 1, []), ("evf 4", 2, ["start_not_zero"]), ("rmv 1", 1, []), ("mvf 0.97", 10, []),
    ],
)  # fmt: skip
def test_a_clock_may_start_one_step_off_zero(form: str, late_ms: int, found: list[str]) -> None:
    analysis = honest(form)
    events = analysis.recording.events.copy()
    events["time_ms"] += late_ms
    assert codes(span_findings(replace(analysis, recording=replace(analysis.recording, events=events)))) == found


@pytest.mark.parametrize(
    ("form", "lengths"), [("avf", {16}), ("evf 4", {32}), ("mvf 2007", {10, 22, 32}), ("rmv 1", {18})]
)
def test_lengths_of_seals(form: str, lengths: set[int]) -> None:
    game = honest(form).recording
    seals = {length: replace(game, seal=bytes(range(length))) for length in range(2, 65)}
    allowed = {length for length, other in seals.items() if "seal_length" not in codes(file_findings(other))}
    assert allowed == lengths


@pytest.mark.parametrize(("days", "found"), [(0, []), (-1, []), (-2, ["before_version"])])
def test_a_file_may_be_a_day_older_than_its_program(days: int, found: list[str]) -> None:
    """A date may be of any time zone."""
    game = honest("evf 4").recording
    first = next(row.first for row in PROGRAMS if row.covers(game))
    assert isinstance(first, date)
    assert game.played_at is not None
    moved = game.played_at.replace(year=first.year, month=first.month, day=first.day) + timedelta(days=days)
    assert codes(program_findings(replace(game, played_at=moved))) == found


@pytest.mark.parametrize(("days", "found"), [(0, []), (1, []), (2, ["version_withdrawn"])])
def test_a_file_may_be_a_day_younger_than_the_last_of_its_program(days: int, found: list[str]) -> None:
    game = honest("mvf 2007").recording
    last = next(row.last for row in PROGRAMS if row.covers(game))
    assert isinstance(last, date)
    assert game.played_at is not None
    moved = game.played_at.replace(year=last.year, month=last.month, day=last.day) + timedelta(days=days)
    assert codes(program_findings(replace(game, played_at=moved))) == found
    received = withdrawn_when_received(game, last + timedelta(days=days))
    assert codes([] if received is None else [received]) == found


@pytest.mark.parametrize(
    ("hold_ms", "equal_steps", "found"),
    [(103.4, 0.59, True), (102.4, 0.59, False), (103.4, 0.54, False), (56.6, 0.41, True), (57.6, 0.41, False)],
)
def test_how_far_a_habit_may_be_from_the_players_others(hold_ms: float, equal_steps: float, found: bool) -> None:
    """Holds: 3 standard deviations; equal steps: 4.  Half of the others lie one side of the mean, half on the other."""
    sign = [-1, 1] * 15
    deviation = (30 / 29) ** 0.5  # of the others, over their distance from the mean
    others = [History(None, None, 0.5 + 0.02 * one / deviation, 80 + 7.6 * one / deviation, None, None) for one in sign]
    game = History(None, None, equal_steps, hold_ms, None, None)
    assert (retimed_likely(Level.EXPERT, game, others) is not None) == found
