"""Matches of the solver, and ``manage.py play``."""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from analysis.recording import Level
from analysis.solver import Rules, Strength
from analysis.solver.match import BINS, Z_95, Game, Match, Score, wilson

ROOT = Path(__file__).resolve().parents[4]
SMALL = Match(Level.BEGINNER, Rules.WIN7, Strength.SAFEST, 7)


def timeless(games: list[list[Game]]) -> list[Game]:
    return [replace(game, time_ms=0.0) for chunk in games for game in chunk]


@pytest.mark.long(beside="tests/replays/odds/positions/test_matches.py::test_games_without_guesses_are_won")
def test_the_games_are_the_same_however_many_processes_play() -> None:
    one_process, two_processes = timeless(list(SMALL.games(60, 1))), timeless(list(SMALL.games(60, 2)))
    assert len(one_process) == 60
    assert one_process == two_processes


@pytest.mark.long(beside="tests/replays/odds/positions/test_matches.py::test_the_command_writes_for_people")
def test_a_longer_match_begins_with_the_shorter_one() -> None:
    assert timeless(list(SMALL.games(40, 1)))[:10] == timeless(list(SMALL.games(10, 1)))


@pytest.mark.long(beside="tests/replays/odds/positions/test_matches.py::test_the_command_writes_for_people")
@pytest.mark.parametrize("strength", [Strength.RANDOM, Strength.FULL])
def test_another_seed_gives_other_games(strength: Strength) -> None:
    match = replace(SMALL, strength=strength)
    assert timeless(list(match.games(20, 1))) != timeless(list(replace(match, seed=8).games(20, 1)))


def test_games_without_guesses_are_won() -> None:
    score = Score.of([game for chunk in replace(SMALL, rules=Rules.NO_GUESS).games(30, 1) for game in chunk])
    assert (score.wins, score.guesses_a_game, sum(score.lost_explored)) == (30, 0.0, 0)


@pytest.mark.long(beside="tests/replays/odds/positions/test_matches.py::test_games_without_guesses_are_won")
def test_strength_wins() -> None:
    rates = [
        Score.of([game for chunk in replace(SMALL, strength=strength).games(100, 1) for game in chunk]).win_rate
        for strength in (Strength.RANDOM, Strength.NOVICE, Strength.FULL)
    ]
    assert rates == sorted(rates)
    assert rates[0] < rates[-1]


@given(st.integers(1, 10**6).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_the_interval_is_wilsons(sample: tuple[int, int]) -> None:
    wins, games = sample
    low, high = wilson(wins, games)
    assert 0 <= low <= wins / games <= high <= 1
    for end in (low, high):
        if 0 < end < 1:  # an end is as many standard errors of its own away
            assert abs(wins / games - end) == pytest.approx(
                Z_95 * math.sqrt(end * (1 - end) / games), rel=1e-6, abs=1e-9
            )


def test_a_score_counts_lost_games_by_tenths() -> None:
    games = [Game(False, 1, explored, 2.0) for explored in (0.0, 0.05, 0.1, 0.999, 1.0)] + [Game(True, 0, 1.0, 4.0)]
    score = Score.of(games)
    assert score.lost_explored == (2, 1, 0, 0, 0, 0, 0, 0, 0, 2)
    assert (score.games, score.wins, score.ms_a_game, score.guesses_a_game) == (6, 1, 14 / 6, 5 / 6)
    assert len(score.lost_explored) == BINS


# --- the command ---


def play(capsys: pytest.CaptureFixture[str], **options: Any) -> str:
    call_command("play", games=30, level="beginner", rules="win7", verbosity=0, **options)
    return capsys.readouterr().out


def test_the_command_writes_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    text = play(capsys, seed=7, strength="safest")
    score = Score.of([game for chunk in SMALL.games(30, 1) for game in chunk])
    assert text.startswith("beginner, win7, safest, seed 7\n")
    assert f"won {score.wins} of 30 games" in text
    assert "95% interval [" in text
    assert "ms per game" in text
    assert text.count("% ") >= BINS


@pytest.mark.long(beside="tests/replays/odds/positions/test_matches.py::test_the_command_writes_for_people")
def test_the_command_writes_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (json.loads(play(capsys, seed=7, strength="safest", jobs=jobs, json=True)) for jobs in (1, 2))
    assert one.pop("ms_a_game") > 0
    two.pop("ms_a_game")
    assert one == two
    assert (one["games"], one["level"], one["stopped"]) == (30, "beginner", False)
    assert one["interval"][0] <= one["win_rate"] <= one["interval"][1]
    assert sum(one["lost_explored"]) == 30 - one["wins"]


@pytest.mark.parametrize(
    "arguments", [["--games", "0"], ["--jobs", "0"], ["--seed", "-1"], ["--level", "custom"], ["--strength", "weak"]]
)
def test_bad_arguments_of_the_command(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("play", *arguments)


@pytest.mark.long(beside="tests/replays/odds/positions/test_matches.py::test_the_command_writes_for_people")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_stopped_match_shows_what_was_played(jobs: str) -> None:
    command = [
        sys.executable,
        "manage.py",
        "play",
        "--games",
        "10000000",
        "--level",
        "beginner",
        "--jobs",
        jobs,
        "--json",
    ]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        env={**os.environ, "DEBUG": "1"}, preexec_fn=_heed_interrupts,
    ) as running:  # fmt: skip
        try:
            output, errors = interrupted(running)
        finally:
            with contextlib.suppress(ProcessLookupError):  # all of the match has ended
                os.killpg(running.pid, signal.SIGKILL)  # else a match that did not stop would be waited for
    assert running.returncode == 130
    assert "Traceback" not in errors
    score = json.loads(output)
    assert score["stopped"] is True
    assert 25 <= score["games"] < 10_000_000


def interrupted(running: subprocess.Popen[str]) -> tuple[str, str]:
    """The output of a match that is stopped after its first games."""
    assert running.stderr is not None
    seen, deadline = "", time.monotonic() + 600  # compiling may come first
    while "/10000000" not in seen or "25/" not in seen:
        assert time.monotonic() < deadline, seen
        seen += running.stderr.read(1)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all processes of the match
    return running.communicate(timeout=240)


def _heed_interrupts() -> None:
    """Restore SIGINT: processes in the background of a shell, and their children, ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
