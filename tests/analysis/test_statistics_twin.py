"""Every statistic of whole games a second way: ``analysis.analyse`` against plain Python (``tests.naive_statistics``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import formats
from analysis.analyse import analyse
from analysis.click_machine import Result
from analysis.errors import ReplayError
from analysis.recording import Kind, Level, Recording, events_from
from analysis.statistics import ANALYSED
from tests.analysis.test_game_twin import playable_kinds, random_recording, two_button_kinds
from tests.effort import amount, examples
from tests.naive_statistics import differences, naive_statistics
from tests.replays.games import recording
from tests.shared_files import needs_shared, replay_files

FORMATS = ("avf", "evf", "mvf", "rawvf", "rmv", "unexplained")
MADE = [
    (seed, level, style)
    for seed, level in ((1, Level.BEGINNER), (2, Level.INTERMEDIATE), (3, Level.EXPERT), (4, Level.BEGINNER_9X9))
    for style in ("FL", "NF")
]


def cut(game: Recording, share: float) -> Recording:
    """Return the first ``share`` of a game, which is then unfinished."""
    return replace(game, events=game.events[: max(int(len(game.events) * share), 1)].copy())


def corpse(game: Recording, share: float) -> Recording:
    """Return a lost game: the first ``share``, then a left click on each mine, of which one without a flag ends it."""
    begun = cut(game, share).events
    now, half = int(begun["time_ms"][-1]), game.cell_px // 2
    clicks = [
        (now + 10, int(column) * game.cell_px + half, int(row) * game.cell_px + half, kind)
        for row, column in np.argwhere(game.board.mines == 1)
        for kind in (Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
    ]
    return replace(game, events=np.concatenate([begun, events_from(clicks)]))


def forms(game: Recording) -> Iterator[Recording]:
    """Return the game itself and the lost and unfinished games that begin like it."""
    yield game
    for share in (0.3, 0.7):
        yield corpse(game, share)
        yield cut(game, share)


def compare(game: Recording) -> tuple[Result | None, list[tuple[str, object, object]]]:
    """Return the result of a game, None if no cell is ever opened, and the numbers that differ."""
    expected = naive_statistics(game)
    if expected is None:
        with pytest.raises(ReplayError):
            analyse(game)
        return None, []
    found = analyse(game)
    return found.game.result, list(differences(found.values, expected))


def test_the_twin_knows_every_statistic() -> None:
    expected = naive_statistics(recording())
    assert expected is not None
    assert expected.keys() == {row.name for row in ANALYSED}


@pytest.mark.parametrize(("seed", "level", "style"), MADE)
def test_made_games(seed: int, level: Level, style: str) -> None:
    compared = [compare(game) for game in forms(recording(seed, level, style))]
    assert [different for _, different in compared] == [[]] * len(compared)
    assert {result for result, _ in compared} == set(Result)


@settings(max_examples=examples(300))
@given(st.integers(0, 2**32 - 1), st.integers(20, 150), st.sampled_from([playable_kinds, two_button_kinds]))
def test_random_games(seed: int, length: int, kinds: object) -> None:
    assert callable(kinds)
    assert compare(random_recording(seed, length, kinds))[1] == []


@needs_shared
@pytest.mark.shared
@pytest.mark.long(beside="tests/analysis/test_statistics_twin.py::test_made_games")
@pytest.mark.parametrize("suffix", FORMATS)
def test_every_number_of_every_real_file(suffix: str) -> None:
    """Print with ``-rP`` how many numbers were compared."""
    results: list[Result] = []
    different = {}
    for path in replay_files(suffix)[:: amount(long=1, usual=3) if suffix == "avf" else 1]:
        for number, game in enumerate(forms(formats.read(path.read_bytes()))):
            result, rows = compare(game)
            results += [result] if result else []
            if rows:
                different[path.name, number] = rows
    counts = {result.value: results.count(result) for result in Result}
    print(f"{suffix}: {len(results)} games {counts}, {len(results) * len(ANALYSED)} numbers, {len(different)} differ")  # noqa: T201 - the figures, with `pytest -rP`
    assert different == {}
    assert results
