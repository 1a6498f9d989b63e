"""Table of forgeries of twenty real games: how many of a kind stop, ask a moderator or rank, with and without the original.

.venv/bin/python -m tests.forgeries
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np

from replays.trust.judging.default_rules import QUESTIONS
from tests.forgeries.judge import Outcome, Stored, judge
from tests.forgeries.kinds import BOTS, KINDS, Forgery
from tests.forgeries.real_games import forge, originals

_ASKS = QUESTIONS | {"seal_reused", "same_board", "version_new"}


def main() -> None:
    games, random = originals(), np.random.default_rng(1)
    sys.stdout.write(
        "| forgery | original here: stopped, asks, ranks | nowhere: stopped, asks, ranks |\n|---|---|---|\n"
    )
    for kind in (*KINDS, *BOTS):
        here, nowhere = (_counted(kind, games, others, random) for others in (games, ()))
        sys.stdout.write(f"| {kind.name} | {here} | {nowhere} |\n")


def _counted(kind: Forgery, games: Sequence[Stored], others: Sequence[Stored], random: np.random.Generator) -> str:
    found: Counter[str] = Counter()
    for game in games:
        verdict = judge(forge(game, kind, random), others)
        stopped = verdict.outcome is Outcome.STOPPED
        found["stopped" if stopped else "asks" if verdict.notes & _ASKS else "ranks"] += 1
    return ", ".join(str(found[name]) for name in ("stopped", "asks", "ranks"))


if __name__ == "__main__":
    main()
