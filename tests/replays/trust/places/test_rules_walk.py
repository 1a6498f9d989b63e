"""The promises of the rules of places, after each step of random sequences; and each rule, switched off, breaks a promise."""

from __future__ import annotations

from random import Random

import pytest

from tests.effort import LONG, rest_long
from tests.replays.trust.places.mutants import MUTANTS
from tests.replays.trust.places.watch import walked
from tests.replays.trust.places.world import Site

SEED = 37
#: Half of the sequences are long enough for an account to use up its stakes.
SEQUENCES = 40_000 if LONG else 600
STEPS = (14, 30)


@pytest.mark.parametrize("steps", rest_long(*STEPS))
def test_no_sequence_breaks_a_promise(steps: int) -> None:
    random, most = Random(SEED), 0
    for number in range(SEQUENCES):
        watch = walked(random, Site(), steps)
        assert not watch.broken, (SEED, number, watch.broken, watch.log)
        most = max(most, watch.closing)
    assert most <= 5, "decisions for two games, their names included"


@pytest.mark.parametrize("rule", MUTANTS)
def test_each_rule_is_needed(rule: str) -> None:
    """The walk finds what goes wrong without it; after how many sequences: docs/threats.md."""
    random = Random(7)
    assert any(walked(random, MUTANTS[rule](), STEPS[1]).broken for _ in range(400))
