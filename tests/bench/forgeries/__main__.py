"""Makes the forgeries and prints the tables."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from analysis.click_machine import Result
from analysis.evidence import OPENING, STRONG, EvidenceClass
from analysis.formats import rawvf
from analysis.recording import LEVEL_SHAPES, Level, Mode
from tests.bench.forgeries.judge import Outcome, Stored, Verdict, judge, stored
from tests.bench.forgeries.kinds import KINDS, Forgery
from tests.bench.forgeries.similar_pairs import print_disguised, print_honest_pairs
from tests.encoders import native
from tests.shared_files import replay_files

FORGERIES = 200
_OTHER_FORMATS = {"evf": 1, "mvf": 4, "rmv": 3}
_AVF_A_LEVEL = {Level.BEGINNER: 4, Level.INTERMEDIATE: 4, Level.EXPERT: 4}
_HONEST = ("avf", "evf", "mvf", "rmv", "rawvf", "unexplained")


def originals() -> list[Stored]:
    """Twenty honest games of all levels and native formats, no two of them the same."""
    chosen: list[Stored] = []
    for suffix, count in _OTHER_FORMATS.items():
        chosen += _spread(_honest_games(replay_files(suffix)), count)
    games = _honest_games(replay_files("avf"))
    for level, count in _AVF_A_LEVEL.items():
        chosen += _spread([game for game in games if game.analysis.recording.board.level is level], count)
    return chosen


def _honest_games(paths: list[Path]) -> list[Stored]:
    """Won games of ranked levels without a finding, one of each play.

    The only sealed EVF at hand is of a board without guesses; it is written again as a game of the standard mode.
    """
    found: dict[str, Stored] = {}
    for path in paths:
        game = stored(path.name, path.read_bytes())
        if game.analysis.recording.mode is Mode.NO_GUESS:
            game = stored(path.name, native.write(game.analysis.recording))
        recording = game.analysis.recording
        ranked = recording.board.level in LEVEL_SHAPES and recording.mode is Mode.STANDARD
        won = game.analysis.game.result is Result.WON
        clean = not game.evidence.findings and not game.analysis.findings
        if ranked and won and clean and game.evidence.fingerprint:
            found.setdefault(game.evidence.fingerprint.clicks.hex(), game)
    return list(found.values())


def _spread(games: list[Stored], count: int) -> list[Stored]:
    """``count`` of ``games``, evenly."""
    return [games[place * len(games) // count] for place in range(count)]


def forge(game: Stored, kind: Forgery, random: np.random.Generator, *, keep_seal: bool) -> bytes:
    """The file of a forgery, in the format of the game with the old or a new seal, or as text."""
    recording = kind.forge(game.analysis.recording, random)
    if kind.as_text:
        return rawvf.write(recording)
    seal = recording.seal if keep_seal else random.bytes(len(recording.seal))
    return native.write(recording, seal=seal) + kind.suffix


def mixed(games: list[Stored], random: np.random.Generator) -> Iterator[tuple[Forgery, Verdict]]:
    """Every kind on some of the games, with new seals."""
    for number in range(FORGERIES):
        kind, game = KINDS[number % len(KINDS)], games[number % len(games)]
        yield kind, judge(forge(game, kind, random, keep_seal=False), games)


def all_of_them(
    games: list[Stored], random: np.random.Generator, *, keep_seal: bool
) -> Iterator[tuple[Forgery, Verdict]]:
    """Every kind on every game."""
    for kind in KINDS:
        for game in games:
            yield kind, judge(forge(game, kind, random, keep_seal=keep_seal), games)


def print_table(title: str, verdicts: Iterator[tuple[Forgery, Verdict]]) -> bool:
    """Print a row a kind; says whether all forgeries that keep the order of solving are stopped."""
    by_kind: dict[str, list[Verdict]] = defaultdict(list)
    safe = True
    for kind, verdict in verdicts:
        by_kind[kind.name].append(verdict)
        safe &= not kind.keeps_order or verdict.outcome is Outcome.STOPPED
    print(f"\n{title}\n{'kind':26} cases stopped found missed  alone  stopped by")
    total: Counter[Outcome] = Counter()
    for name, found in by_kind.items():
        outcomes = Counter(verdict.outcome for verdict in found)
        total += outcomes
        alone = sum(verdict.by_the_file_alone for verdict in found)
        reasons = Counter(reason for verdict in found for reason in verdict.reasons)
        shown = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common(6))
        print(f"{name:26} {len(found):5} {_columns(outcomes)} {alone:6}  {shown}")
    print(f"{'all':26} {total.total():5} {_columns(total)}")
    return safe


def _columns(outcomes: Counter[Outcome]) -> str:
    return f"{outcomes[Outcome.STOPPED]:7} {outcomes[Outcome.FOUND]:5} {outcomes[Outcome.MISSED]:6}"


def print_honest() -> None:
    """Print which real files are touched, and by what."""
    files = [path for suffix in _HONEST for path in replay_files(suffix)]
    touched = 0
    print(f"\nReal files: {len(files)}; touched by a strong finding, or open though they are native:")
    for path in files:
        game = stored(path.name, path.read_bytes())
        codes = {finding.code for finding in (*game.analysis.findings, *game.evidence.findings)}
        native_open = path.suffix != ".rawvf" and game.evidence.evidence_class is EvidenceClass.OPEN
        if codes & STRONG or native_open:
            touched += 1
            print(f"  {path.name[:70]}: {', '.join(sorted(codes & (STRONG | OPENING)))}")
    print(f"  {touched} of {len(files)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every kind of every game, with new and with old seals")
    parser.add_argument("--copy-first", action="store_true", help="copies that come before their originals, on a site")
    parser.add_argument("--similar", action="store_true", help="only disguised games, and honest games that look alike")
    parser.add_argument("--bots", type=int, default=4_500, help="with --similar: honest games of bots a level")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.copy_first:
        os.environ["EFFORT"] = "long"
        sys.exit(pytest.main(["-q", "-s", "-n", "0", "tests/replays/trust/equals/test_shared_copies.py"]))
    random = np.random.default_rng(arguments.seed)
    if arguments.similar:
        honest = _honest_games(replay_files("avf"))
        print_disguised(honest, random)
        print_honest_pairs(honest, arguments.bots)
        return
    games = originals()
    if not games:
        sys.exit("The folder of real replay files is not here.")
    levels = Counter(f"{game.analysis.recording.format} {game.analysis.recording.board.level}" for game in games)
    print(f"{len(games)} originals: {', '.join(f'{count} {name}' for name, count in sorted(levels.items()))}")
    if arguments.all:
        safe = print_table("new random seals", all_of_them(games, random, keep_seal=False))
        safe &= print_table("the seals of the originals", all_of_them(games, random, keep_seal=True))
    else:
        safe = print_table("new random seals", mixed(games, random))
    print_honest()
    if not safe:
        sys.exit("A forgery that keeps the order of solving is not stopped.")


if __name__ == "__main__":
    main()
