"""The file of measured stages: it reads as it was written, and the one in the repository is complete."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from analysis.recording import Level
from analysis.solver import Rules, Strength
from analysis.solver.match import Match, Score
from analysis.solver.stages import SEED, Stage, read_stages, write_stages


def test_it_reads_what_it_wrote(tmp_path: Path) -> None:
    match = Match(Level.BEGINNER, Rules.XP, Strength.CAREFUL, 4)
    score = Score.of([match.play(number) for number in range(30)])
    file = tmp_path / "stages.csv"
    write_stages([Stage(match, score, date(2026, 1, 2), "abc")], file)
    (stage,) = read_stages(file)
    assert (stage.match, stage.date, stage.commit) == (match, date(2026, 1, 2), "abc")
    assert (stage.score.games, stage.score.wins, stage.score.interval) == (score.games, score.wins, score.interval)
    assert stage.score.lost_explored == score.lost_explored
    assert abs(stage.score.guesses_a_game - score.guesses_a_game) < 1e-4


def test_the_repository_has_every_stage_under_both_rules() -> None:
    stages = read_stages()
    rows = {(stage.match.level, stage.match.rules, stage.match.strength) for stage in stages}
    assert rows == {(Level.EXPERT, rules, strength) for rules in (Rules.XP, Rules.WIN7) for strength in Strength}
    for stage in stages:
        assert stage.match.seed == SEED
        assert sum(stage.score.lost_explored) == stage.score.games - stage.score.wins
        assert stage.score.games >= 20_000
