"""Measured strength of the solver, stage by stage: ``stages.csv``, which ``make bench-solver`` writes."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from analysis.recording import Level
from analysis.solver.boards import Rules
from analysis.solver.match import BINS, Match, Score, wilson
from analysis.solver.strength import Strength

STAGES = Path(__file__).with_name("stages.csv")
SEED = 0  # of the matches in the file

_LOST = [f"lost_{100 * place // BINS}" for place in range(BINS)]
_COLUMNS = [
    "level", "rules", "strength", "games", "wins", "guesses_a_game", "ms_a_game", *_LOST, "seed", "date", "commit"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stage:
    """A row of the file: a match of ``score.games`` games, ``date`` and ``commit`` of the program that played it."""

    match: Match
    score: Score
    date: date
    commit: str


def read_stages(path: Path = STAGES) -> list[Stage]:
    with path.open(newline="", encoding="utf-8") as file:
        return [_stage(row) for row in csv.DictReader(file)]


def write_stages(stages: Iterable[Stage], path: Path = STAGES) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(_row(stage) for stage in stages)


def _stage(row: dict[str, str]) -> Stage:
    games, wins = int(row["games"]), int(row["wins"])
    match = Match(Level(row["level"]), Rules(row["rules"]), Strength(row["strength"]), int(row["seed"]))
    score = Score(
        games=games,
        wins=wins,
        guesses_a_game=float(row["guesses_a_game"]),
        ms_a_game=float(row["ms_a_game"]),
        interval=wilson(wins, games),
        lost_explored=tuple(int(row[name]) for name in _LOST),
    )
    return Stage(match, score, date.fromisoformat(row["date"]), row["commit"])


def _row(stage: Stage) -> dict[str, object]:
    match, score = stage.match, stage.score
    return {
        "level": match.level.value, "rules": match.rules.value, "strength": match.strength.value,
        "games": score.games, "wins": score.wins,
        "guesses_a_game": round(score.guesses_a_game, 4), "ms_a_game": round(score.ms_a_game, 4),
        **dict(zip(_LOST, score.lost_explored, strict=True)),
        "seed": match.seed, "date": stage.date.isoformat(), "commit": stage.commit,
    }  # fmt: skip
