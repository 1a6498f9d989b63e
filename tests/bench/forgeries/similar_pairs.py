"""The tables of ``--similar``: how many disguised games rank beside their originals, and which honest games look alike."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Final

from numpy.random import Generator

from analysis.analyse import analyse
from analysis.bots import DEMO_PROFILES, play_game
from analysis.evidence import SKETCH, Played, evidence_of, similar_games
from analysis.recording import Level
from tests.bench.forgeries.judge import Outcome, Stored, Verdict, judge
from tests.bench.forgeries.similar import disguised
from tests.encoders import native

LEVELS: Final = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)
A_LEVEL: Final = 200
#: Neighbouring clicks that change places; ``None``: two or three.
_SWAPS: Final = (None, 6, 10, 20)


def of_level(games: Sequence[Stored], level: Level) -> list[Stored]:
    return [game for game in games if game.analysis.recording.board.level is level]


def print_disguised(games: Sequence[Stored], random: Generator) -> None:
    """Print how many of 200 disguised games of each level rank."""
    print("\nmirrored, x 0.95, renamed, a mine moved, and neighbouring clicks in the other order")
    print(f"{'level':14} originals  swaps  cases   rank  stopped by")
    for level in LEVELS:
        own = of_level(games, level)
        for swaps in _SWAPS:
            verdicts = disguised_verdicts(own, random, swaps)
            rank = sum(verdict.outcome is not Outcome.STOPPED for verdict in verdicts)
            reasons = Counter(reason for verdict in verdicts for reason in verdict.reasons)
            shown = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
            print(f"{level:14} {len(own):9} {swaps or '2-3':>6} {len(verdicts):6} {rank:6}  {shown}")


def disguised_verdicts(own: Sequence[Stored], random: Generator, swaps: int | None = None) -> list[Verdict]:
    """Judge up to 200 disguised games; originals that are too short for the changes are passed over."""
    verdicts = []
    for game in islice(cycle(own), 3 * A_LEVEL):
        recording = game.analysis.recording
        try:
            forged = native.write(disguised(recording, random, swaps=swaps), seal=random.bytes(len(recording.seal)))
        except ValueError:
            continue
        verdicts.append(judge(forged, own))
        if len(verdicts) == A_LEVEL:
            break
    return verdicts


def print_honest_pairs(games: Sequence[Stored], bots: int) -> None:
    """Print how many shingles of a sketch honest games share, of real files and of ``bots`` games a level."""
    print("\nhonest pairs by the shingles that they share (a pair counts twice: of the one's sketch, of the other's)")
    for level in LEVELS:
        _print_shared(f"{level}, real files", [game.played for game in of_level(games, level)])
        _print_shared(f"{level}, bots", [_bot(level, number).played for number in range(bots)])


def _bot(level: Level, number: int) -> Stored:
    profile = DEMO_PROFILES[number % len(DEMO_PROFILES)]
    style = "FL" if number // len(DEMO_PROFILES) % 2 else "NF"
    analysis = analyse(play_game(profile, level, style, 1_000 + number, must_win=True))  # type: ignore[arg-type]
    return Stored("", b"", analysis, evidence_of(analysis))


def _print_shared(name: str, played: Sequence[Played]) -> None:
    shared = shared_counts([game.shingles for game in played])
    similar = similar_games(dict(enumerate(played)), {})
    found = ", ".join(f"{count}: {number}" for count, number in sorted(shared.items())) or "none"
    pairs = len(played) * (len(played) - 1) // 2
    print(f"{name:24} {len(played):5} games {pairs:10,} pairs  similar {len(similar)};  shared {found}")


def shared_counts(played: Sequence[tuple[int, ...]]) -> Counter[int]:
    """Count pairs (game, other) by how many of the game's shingles are in the other's sketch."""
    holders: dict[int, list[int]] = defaultdict(list)
    for number, shingles in enumerate(played):
        for shingle in shingles[:SKETCH]:
            holders[shingle].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for number, shingles in enumerate(played):
        shared.update((number, other) for shingle in shingles for other in holders.get(shingle, ()) if other != number)
    return Counter(shared.values())
