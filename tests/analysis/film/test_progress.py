"""Progress of games: a game compared with itself, monotone alignment, splits; moments and clicks against replaying."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.film import Film, film_of
from analysis.film.moments import effective_clicks
from analysis.film.progress import MAX_POINTS, Progress, progress_of, splits, time_of
from analysis.formats import read
from analysis.kernels.live import SHOWN_QUESTION
from analysis.kernels.probability_front import CLOSED, FLAG
from analysis.recording import Board, Kind, Level, Recording, events_from
from tests.analysis.film.alignment import aligned, done_at
from tests.effort import amount, examples
from tests.replays.games import recording
from tests.shared_files import REPLAYS, needs_shared

CODES: Final = {CLOSED: 0, FLAG: 1, SHOWN_QUESTION: 2}


def film(game: Recording) -> Film:
    return film_of(analyse(game))


def bots(level: Level, count: int) -> list[Film]:
    return [film(recording(seed, level)) for seed in range(1, count + 1)]


def curve(*knots: tuple[float, float], end: float | None = None) -> Progress:
    """Progress through (ms, done)."""
    times, done = np.array(knots, np.float64).T
    return Progress(times, done, float(times[-1]) if end is None else end)


@st.composite
def curves(draw: st.DrawFn) -> Progress:
    """Any progress, several steps on one ms included."""
    gaps = draw(st.lists(st.integers(0, 3000), max_size=12))
    rises = draw(st.lists(st.integers(1, 5), min_size=len(gaps), max_size=len(gaps)))
    times = np.concatenate([[0.0], np.cumsum(gaps, dtype=np.float64)])
    done = np.concatenate([[0.0], np.cumsum(rises, dtype=np.float64)])
    return Progress(times, done, float(times[-1]) + draw(st.integers(0, 2000)))


def moments(*curves_: Progress) -> np.ndarray:
    end = max(one.end for one in curves_)
    return np.unique(np.concatenate([np.linspace(-500, end + 500, 301), *(one.times for one in curves_)]))


@settings(max_examples=examples(300), deadline=None)
@given(curves())
def test_a_game_beside_itself(game: Progress) -> None:
    """In no alignment is there a difference, not even one of rounding."""
    times = np.arange(-50, game.end + 1, 7.0)
    assert aligned(game, game, times).tolist() == times.tolist()
    assert not splits(game, game, as_share=False).lead.any()
    assert not splits(game, game, as_share=True).lead.any()


@settings(max_examples=examples(300), deadline=None)
@given(curves(), curves())
def test_alignment_never_goes_back_and_ends_at_the_end(first: Progress, second: Progress) -> None:
    times = moments(first, second)
    found = aligned(first, second, times)
    assert (np.diff(found) >= 0).all()
    assert found.max() <= second.end
    if first.most >= second.most:
        assert (found[times >= max(first.end, first.times[-1] + second.end)] == second.end).all()


@settings(max_examples=examples(200), deadline=None)
@given(curves(), curves())
def test_both_have_done_as_much(first: Progress, second: Progress) -> None:
    times = moments(first, second)
    times = times[(times >= 0) & (times <= first.times[-1])]
    done = done_at(first, times)
    reached = done < second.most
    there = aligned(first, second, times)[reached]
    later = there > 0.01  # before the opening nothing was done, and done_at says what was done at the opening
    np.testing.assert_array_less(done_at(second, there[later] - 0.01), done[reached][later] + 1e-6)
    np.testing.assert_array_less(done[reached] - 1e-6 - 0.1, done_at(second, there + 0.01))


def test_jumps_are_shared_out_evenly() -> None:
    """Two 3BV at once after 3 s: the first of them counts from half of the time."""
    game = curve((0, 0), (0, 1), (3000, 3), (4000, 4))
    assert time_of(game, np.array([0, 1, 2, 3, 3.5, 4, 5.0])).tolist() == [0, 0, 1500, 3000, 3500, 4000, 4000]
    assert done_at(game, np.array([-1, 0, 750, 3000, 9000.0])).tolist() == [1, 1, 1.5, 3, 4]


def test_a_split_by_hand() -> None:
    fast, slow = curve((0, 0), (0, 1), (1000, 2), (3000, 3)), curve((0, 0), (0, 1), (2000, 2), (2500, 3))
    found = splits(fast, slow, as_share=False)
    assert found.done.tolist() == [0, 1, 2, 3]
    assert found.lead.tolist() == [0, 0, 1000, -500]
    assert aligned(fast, slow, np.array([500, 1000, 2000, 3000.0])).tolist() == [1000, 2000, 2250, 2500]


def test_a_lost_game_runs_on_and_rests_at_its_end() -> None:
    won, lost = curve((0, 0), (0, 1), (1000, 2), (2000, 3)), curve((0, 0), (0, 1), (1500, 2), end=2500)
    assert aligned(won, lost, np.array([1000, 1001.0])).tolist() == [1500, 2500]
    assert aligned(lost, won, np.array([1500, 2000, 2400, 2500, 9999.0])).tolist() == [1000, 1500, 1900, 2000, 2000]
    assert splits(won, lost, as_share=False).done.tolist() == [0, 1, 2]


@pytest.mark.parametrize("level", [Level.BEGINNER, Level.EXPERT])
def test_pairs_of_games(level: Level) -> None:
    """Games of one level on different boards are aligned by share, monotonically, and both reach their ends."""
    games = [progress_of(one, as_share=True) for one in bots(level, amount(long=20, usual=6))]
    for first, second in combinations(games, 2):
        found = aligned(first, second, moments(first, second))
        assert (np.diff(found) >= 0).all()
        assert found[-1] == second.end
        assert splits(first, second, as_share=True).done[-1] == 1.0


def test_games_themselves() -> None:
    for game in (film(recording(seed, level)) for seed in (1, 2) for level in (Level.BEGINNER, Level.EXPERT)):
        own = progress_of(game)
        assert own.most == game.facts.bv
        assert own.end == game.time_ms == own.times[-1]
        every = np.arange(game.time_ms + 1, dtype=np.float64)
        assert (aligned(own, own, every) == every).all()


def test_large_boards_have_few_points() -> None:
    large = Progress(np.arange(20_001.0), np.arange(20_001.0), 20_000.0)
    found = splits(large, large, as_share=False)
    assert len(found.done) == MAX_POINTS
    assert found.done[-1] == 20_000


def test_a_game_that_solves_nothing() -> None:
    """A click on a number beside an opening solves no 3BV; the comparison has one point."""
    board = Board(np.array([[0, 0, 0, 1], [0, 0, 0, 0]], np.uint8))
    events = events_from([(0, 40, 8, Kind.LEFT_PRESS), (9, 40, 8, Kind.LEFT_RELEASE)])
    game = film(Recording(format="rawvf", format_variant="", board=board, events=events))
    own = progress_of(game, as_share=True)
    assert (own.most, splits(own, own, as_share=True).lead.tolist()) == (0.0, [0.0])


def test_effective_clicks_of_a_game() -> None:
    game = film(recording(1, Level.EXPERT))
    found = effective_clicks(game)
    assert [click.time_ms for click in found] == sorted(click.time_ms for click in found)
    totals = dict(zip(("left", "right", "double"), game.counters[-1][3:6].tolist(), strict=True))
    assert {sort: sum(click.sort == sort for click in found) for sort in totals} == totals
    assert next(click for click in found if click.sort == "left").time_ms == 0


@needs_shared
def test_shared_games() -> None:
    """200 pairs of real games: monotone, and each equals itself."""
    films = []
    for path in sorted(REPLAYS.rglob("*"))[:: amount(long=1, usual=6)]:
        try:
            films.append(film(read(path.read_bytes()))) if path.is_file() else None
        except ReplayError:
            continue
    games = [progress_of(one, as_share=True) for one in films]
    for game in games:
        every = np.arange(0, game.end + 1, 13.0)
        assert (aligned(game, game, every) == every).all()
    pairs = list(combinations(games, 2))
    for first, second in pairs[:: max(1, len(pairs) // 200)]:
        assert (np.diff(aligned(first, second, moments(first, second))) >= 0).all()


def test_replacing_times_moves_the_curve() -> None:
    """Twice as slow: always as far behind as the first is on."""
    game = recording(1, Level.BEGINNER)
    events = game.events.copy()
    events["time_ms"] *= 2
    first, slow = progress_of(film(game)), progress_of(film(replace(game, events=events)))
    found = splits(first, slow, as_share=False)
    np.testing.assert_allclose(found.second, 2 * found.first, atol=0.001)
