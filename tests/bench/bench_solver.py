"""The strength of the solver, stage by stage, written to ``analysis/solver/stages.csv``, which ``/tools/solver/`` shows.

    python -m tests.bench.bench_solver                           Expert, both rules, every stage: 20,000 games a row
    python -m tests.bench.bench_solver --games 1000 --jobs 2 --file stages.csv

The same games whatever ``--jobs`` is; only the milliseconds differ.  All stages play the same boards.  A file that is in
the repository is written from a clean work tree only, so that the commit in it is the program that played.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from analysis.recording import Level
from analysis.solver import Rules, Strength
from analysis.solver.match import Match, Score
from analysis.solver.stages import SEED, STAGES, Stage, write_stages

_ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=20_000, help="a row")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--file", type=Path, default=STAGES)
    given = parser.parse_args()
    if given.file == STAGES and _git("status", "--porcelain", "--untracked-files=no", "--", "analysis"):
        print("analysis/ has changes that are not committed: the file would name the wrong program.", file=sys.stderr)
        return 1
    commit = _git("rev-parse", "--short=8", "HEAD")
    stages = []
    for rules in (Rules.XP, Rules.WIN7):
        for strength in Strength:
            match = Match(Level.EXPERT, rules, strength, SEED)
            score = Score.of([game for games in match.games(given.games, given.jobs) for game in games])
            stages.append(Stage(match, score, datetime.now(UTC).date(), commit))
            low, high = (100 * end for end in score.interval)
            print(
                f"{rules:5} {strength:10} {100 * score.win_rate:6.2f} % [{low:.2f}, {high:.2f}]  "
                f"{score.ms_a_game:.3f} ms a game, {score.games} games",
                flush=True,
            )
    write_stages(stages, given.file)
    return 0


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=_ROOT, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
