"""Luck of real replays: seconds a replay, and every risk of some of them against the slow exact twin.

    python -m tests.bench.bench_luck FOLDER [--files 200] [--level expert] [--rounds 5] [--exact 20]

The files (of one level, if given) are measured in rounds, each round once through all of them; the figure of a replay is its median
over the rounds.  It is the whole second pass but the database: opening clicks, risks, missed rules, difficulty.  What
reading the file costs beside it is a row of its own.  Times are those of the processor, which other programs on the
machine do not change much.

The twin (``tests.naive_luck``) plays the game with sets of cells and counts every position in integers.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

from analysis import formats
from analysis.errors import ReplayError
from analysis.luck import Luck, Sort, luck_of
from analysis.recording import Recording
from analysis.warmup import compile_group
from tests.bench.duel import percentile
from tests.naive_luck import by_integers, naive_clicks

_TOLERANCE = 1e-9  # relative; the risks themselves are right to about 1e-13


def main() -> int:
    """Print the figures; 1 if a risk differs from the twin's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--level", default="all", help="beginner, intermediate, expert …, or all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--exact", type=int, default=20, help="replays that are compared with the twin")
    options = parser.parse_args()
    compile_group("luck")
    recordings, read_ms = _read(options.folder, options.files, options.level)
    if not recordings:
        print(f"No replay of the level {options.level} in {options.folder}.")
        return 1
    lucks, took_ms = _measured(list(recordings.values()), options.rounds)
    print(f"{len(recordings)} replays, {options.rounds} rounds, milliseconds of processor time a replay:")
    _tell_time("read the file", read_ms)
    _tell_time("luck", took_ms)
    levels = [recording.board.level for recording in recordings.values()]
    for level in sorted(set(levels)):
        _tell_time(f"  {level}", [took for took, of in zip(took_ms, levels, strict=True) if of is level])
    _tell(lucks)
    return _compare(recordings, options.exact)


def _read(folder: Path, files: int, level: str) -> tuple[dict[str, Recording], list[float]]:
    """The recordings of a level by name, and how long reading each took."""
    found: dict[str, Recording] = {}
    took_ms = []
    for path in sorted(folder.iterdir()):
        if len(found) == files:
            break
        started = time.process_time()
        try:
            recording = formats.read(path.read_bytes())
        except ReplayError:
            continue
        if level in ("all", recording.board.level):
            took_ms.append(1000 * (time.process_time() - started))
            found[path.name] = recording
    return found, took_ms


def _measured(recordings: list[Recording], rounds: int) -> tuple[list[Luck], list[float]]:
    lucks: list[Luck] = []
    took_ms: list[list[float]] = [[] for _ in recordings]
    for _ in range(rounds):
        lucks = []
        for number, recording in enumerate(recordings):
            started = time.process_time()
            lucks.append(luck_of(recording))
            took_ms[number].append(1000 * (time.process_time() - started))
    return lucks, [statistics.median(times) for times in took_ms]


def _tell_time(what: str, figures: list[float]) -> None:
    median, p99 = statistics.median(figures), percentile(figures, 0.99)
    print(f"  {what:<16} {len(figures):4} replays   median {median:7.2f}   p99 {p99:7.2f}   worst {max(figures):7.2f}")


def _tell(lucks: list[Luck]) -> None:
    sorts = Counter(click.sort for luck in lucks for click in luck.clicks)
    rules = Counter(str(click.rule) for luck in lucks for click in luck.clicks if click.sort is Sort.NEEDLESS)
    difficulties = Counter(luck.values["difficulty"] for luck in lucks)
    print(f"  clicks: {', '.join(f'{sort} {count}' for sort, count in sorted(sorts.items()))}")
    print(f"  rules that needless guesses missed: {dict(rules.most_common())}")
    print(f"  difficulty of the boards: {dict(sorted(difficulties.items(), key=str))}")
    undefined = sum(luck.problem is not None for luck in lucks)
    print(f"  replays with something undefined: {undefined}")


def _compare(recordings: dict[str, Recording], count: int) -> int:
    clicks = different = 0
    for name, recording in list(recordings.items())[:: max(1, len(recordings) // max(count, 1))][:count]:
        twins = naive_clicks(recording, by_integers)
        found = luck_of(recording).clicks
        if [click.event for click in found] != [twin.event for twin in twins]:
            print(f"  {name}: other clicks")
            different += 1
            continue
        for click, twin in zip(found, twins, strict=True):
            clicks += 1
            if abs(click.risk - twin.risk) > _TOLERANCE * twin.risk or (click.risk == 0) != (twin.risk == 0):
                print(f"  {name}: event {click.event}: risk {click.risk}, the twin says {twin.risk}")
                different += 1
    print(f"  {clicks} risks of {min(count, len(recordings))} replays against the exact twin: {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
