"""A film at any moment against the plain twin and, where it reads the file, ms_toollib."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import formats
from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.film import Film, film_of
from analysis.film.moments import acts_within, cursor_after, events_until, faces_after
from analysis.recording import Recording
from tests.analysis.formats.oracle import moments as library_moments
from tests.bench.oracle import CLASSES
from tests.effort import amount, examples
from tests.naive_game import Moment, moments
from tests.shared_files import REPLAYS, needs_shared, replay_files
from tests.strategies import recordings

COUNTERS = ("lcl", "rcl", "dcl", "lce", "rce", "dce", "rce_strict", "flags", "bvdone", "opdone", "isdone")


def checked(film: Film, recording: Recording, counts: Sequence[int]) -> list[Moment]:
    """The moments of the twin, after the film has been compared with each."""
    found = list(moments(recording, counts))
    for moment in found:
        acts = acts_within(film, moment.events)
        assert acts == sum(place < moment.events for place in film.places.tolist())
        shown = film.counters[acts - 1].tolist() if acts else [0] * len(COUNTERS)
        assert shown == [moment.numbers[name] for name in COUNTERS], moment.events
        assert faces_after(film, moment.events).ravel().tolist() == moment.faces, moment.events
        if acts and film.places[acts - 1] == moment.events - 1:
            assert film.path[acts - 1] == pytest.approx(moment.numbers["path"], rel=1e-9, abs=1e-6)
        _time, x, y, _kind = recording.events[max(moment.events - 1, 0)].tolist()
        assert cursor_after(film, moment.events) == (x / recording.cell_px, y / recording.cell_px)
    return found


@settings(max_examples=examples(300), deadline=None)
@given(recordings(), st.integers(0, 2**32 - 1))
def test_random_moments_of_random_games(recording: Recording, seed: int) -> None:
    try:
        film = film_of(analyse(recording))
    except ReplayError:
        return
    rng = random.Random(seed)
    times = [time - film.events["time_ms"][film.places[film.start_act]] for time in film.events["time_ms"].tolist()]
    moment = rng.uniform(times[0] - 2, times[-1] + 2)
    assert events_until(film, moment) == sum(time <= moment for time in times)
    assert events_until(film, times[-1]) == len(times)
    checked(film, recording, [rng.randrange(len(times) + 1) for _ in range(8)])


def compared(every: int, moments_each: int, every_by_library: int = 1) -> tuple[int, int, int]:
    """Return how many shared files and moments agree with the twin, and how many of the moments with ms_toollib too.

    The library reads every ``every_by_library``-th file, each in a process of its own.
    """
    paths = [path for folder in sorted(REPLAYS.glob("*/")) for path in replay_files(folder.name)[::every]]
    films = shown = third = 0
    for seed, path in enumerate(paths):
        try:
            recording = formats.read(path.read_bytes())
            film = film_of(analyse(recording))
        except ReplayError:
            continue
        rng = random.Random(seed)
        counts = [rng.randint(1, len(film.events)) for _ in range(moments_each)]
        found = checked(film, recording, counts)
        films, shown = films + 1, shown + len(found)
        reader = CLASSES.get(path.suffix.lower()) if seed % every_by_library == 0 else None
        theirs = reader and library_moments(reader, path, [moment.events for moment in found])
        for moment, other in zip(found, theirs or (), strict=False):
            assert other["faces"] == moment.faces, (path.name, moment.events)
            assert (other["bvdone"], other["flags"]) == (moment.numbers["bvdone"], moment.numbers["flags"]), path.name
            assert other["path"] == pytest.approx(moment.numbers["path"], rel=1e-9, abs=1e-6), path.name
            third += 1
    sys.stdout.write(f"{films} films, {shown} moments, {third} of them in ms_toollib too\n")
    return films, shown, third


@pytest.mark.long(beside="tests/analysis/film/test_moments.py::test_random_moments_of_random_games")
@needs_shared
@pytest.mark.shared
def test_some_shared_films() -> None:
    films, shown, third = compared(40, 10)
    assert films > 5
    assert shown / 2 < third <= shown


@needs_shared
@pytest.mark.shared
@pytest.mark.long(beside="tests/analysis/film/test_moments.py::test_random_moments_of_random_games")
def test_moments_of_every_shared_film() -> None:
    films, shown, third = compared(1, amount(long=50, usual=6), every_by_library=4)
    assert films > 0.9 * len([path for path in REPLAYS.rglob("*") if path.is_file()]) - 5
    assert shown / 8 < third <= shown
