"""Compare every number of real replay files with ms_toollib, and name the cause of each difference.

    python -m tests.bench.compare_oracle FOLDER

The two count a few situations differently on purpose (``analysis.click_machine`` follows Arbiter).  A difference is explained
when it equals the number of clicks in that situation; the exit status is 1 if one is not.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis import formats
from analysis.analyse import Analysis, analyse_many
from analysis.errors import ReplayError
from analysis.recording import Level, Recording
from tests import naive_game
from tests.bench.oracle import CLASSES, ask
from tests.naive_game import Button, Click, NaiveGame

TOLERANCE = 1e-9  # relative; for time and path, which are floats

UNEXPLAINED = "not explained"


@dataclass(frozen=True)
class Difference:
    """One number of one file."""

    file: str
    name: str
    ours: object
    theirs: object
    cause: str


#: The clicks that count here and not in ms_toollib, each with the rule that makes the difference.
FORGOTTEN = "before the first opening, and no flag stood after it"
CHORD_OUTSIDE = "chord released outside the board"
SECOND_PRESS = "second right press without a release"
BLAST = "left click that opened a mine"
ABORTS = "the library ends its process on this file"
NO_9X9 = "the library knows no level of 9x9"
REMEMBERED = "mine flagged again after all flags were removed before the first opening"
COLUMNS: dict[str, Button] = {"lcl": "left", "rcl": "right", "dcl": "double"}


def compare(paths: Sequence[Path]) -> Iterator[Difference]:
    """The differences of all files that both programs read, and the files that only one of them reads."""
    answers = ask(paths)
    for path, ours in zip(paths, analyse_many_files(paths), strict=True):
        theirs = answers[path]
        if theirs is None or isinstance(ours, ReplayError):
            if theirs is not None or not isinstance(ours, ReplayError):
                cause = UNEXPLAINED if theirs else ABORTS
                yield Difference(path.name, "file", _read(ours), "read" if theirs else "aborts", cause)
            continue
        yield from differences(path.name, ours, theirs)


def analyse_many_files(paths: Sequence[Path]) -> list[Analysis | ReplayError]:
    """Read and analyse; one element a path."""
    readings = [_reading(path) for path in paths]
    analyses = iter(analyse_many([reading for reading in readings if not isinstance(reading, ReplayError)]))
    return [reading if isinstance(reading, ReplayError) else next(analyses) for reading in readings]


def differences(file: str, ours: Analysis, theirs: dict[str, float | str]) -> Iterator[Difference]:
    """Yield the differences in one file."""
    values = ours.values | {"level": str(ours.recording.board.level)}
    for name, their_value in theirs.items():
        our_value = values[name]
        if not _same(our_value, their_value):
            yield Difference(file, name, our_value, their_value, cause(ours, name, our_value, their_value))


def cause(ours: Analysis, name: str, our_value: object, their_value: object) -> str:
    """The situations that make up the whole difference."""
    if (name, our_value, their_value) == ("level", Level.BEGINNER_9X9, Level.CUSTOM):
        return NO_9X9
    if not isinstance(our_value, int) or not isinstance(their_value, int):
        return UNEXPLAINED
    game = naive_game.replay(ours.recording)
    if name == "lce":
        return BLAST if our_value - their_value == 1 and blasted_by_left(game) else UNEXPLAINED
    if name == "rce_strict":
        again = flagged_anew(game)
        return f"{REMEMBERED}: {again}" if again == their_value - our_value else UNEXPLAINED
    counted = Counter(reason for click, reason in left_out(game) if click.button == COLUMNS.get(name))
    if counted.total() != our_value - their_value:
        return UNEXPLAINED
    return "; ".join(f"{reason}: {times}" for reason, times in counted.items())


def left_out(game: NaiveGame) -> Iterator[tuple[Click, str]]:
    """The clicks that the library does not count, with the reason.

    Before the opening it forgets everything whenever no flag stands; it refuses chords outside; and it does not see
    the press of a button that it thinks is held.
    """
    before = [click for click in game.clicks if not click.started]  # the opening click is the last of them
    clear = max((place for place, click in enumerate(before) if click.flags_before == 0), default=-1)
    for place, click in enumerate(game.clicks):
        if place < clear or (place == clear < len(before) - 1 and click.button != "right"):
            yield click, FORGOTTEN
        elif click.button == "double" and click.outside:
            yield click, CHORD_OUTSIDE
        elif click.button == "right" and click.repeated:
            yield click, SECOND_PRESS


def blasted_by_left(game: NaiveGame) -> bool:
    """Return whether a left click lost the game: as it changed the board it is effective here, not in the library."""
    return game.blasted() and game.clicks[-1].button == "left"


def flagged_anew(game: NaiveGame) -> int:
    """Count the flags on mines that the library takes for first flags though the mine had been flagged before.

    Before the opening it forgets which mines were flagged, but not how many.
    """
    flagged: set[naive_game.Cell] = set()
    ever: set[naive_game.Cell] = set()
    standing: set[naive_game.Cell] = set()
    anew = 0
    for click in game.clicks:
        if not click.started and click.flags_before == 0:
            flagged.clear()
        if click.button != "right" or click.at is None or not click.on_mine:
            continue
        standing ^= {click.at}
        if click.at in standing and click.at not in flagged:
            anew += click.at in ever
            flagged.add(click.at)
            ever.add(click.at)
    return anew


def _reading(path: Path) -> Recording | ReplayError:
    try:
        return formats.read(path.read_bytes())
    except ReplayError as error:
        return error


def _read(outcome: Analysis | ReplayError) -> str:
    return f"{type(outcome).__name__}: {outcome}" if isinstance(outcome, ReplayError) else "read"


def _same(our_value: object, their_value: object) -> bool:
    if isinstance(our_value, float) and isinstance(their_value, int | float):
        return abs(our_value - their_value) <= TOLERANCE * max(1.0, abs(their_value))
    return our_value == their_value


def _show_formats(paths: Sequence[Path], found: Sequence[Difference]) -> None:
    """One line a format and variant: files, those that both read, those that equal each other in every number."""
    differing = {row.file for row in found}
    refused = {row.file for row in found if row.name == "file"}
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        reading = _reading(path)
        kind = reading.code if isinstance(reading, ReplayError) else f"{reading.format} {reading.format_variant}"
        kinds[kind].append(path.name)
    for kind, names in sorted(kinds.items()):
        both, equal = (sum(name not in others for name in names) for others in (refused, differing))
        sys.stdout.write(f"{kind}: {len(names)} files, {both} read by both, {equal} equal\n")


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        sys.stderr.write(f"{__doc__}\n")
        return 2
    paths = sorted(path for path in Path(arguments[0]).rglob("*") if path.suffix.lower() in CLASSES)
    found = list(compare(paths))
    _show_formats(paths, found)
    for row in found:
        sys.stdout.write(f"{row.file}\t{row.name}\tours {row.ours}\tms_toollib {row.theirs}\t{row.cause}\n")
    unexplained = sum(row.cause == UNEXPLAINED for row in found)
    sys.stdout.write(f"{len(paths)} files, {len(found)} differences, {unexplained} of them not explained\n")
    return 1 if unexplained or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
