"""Spread of the accuracy of games in a folder and of demo games, and its relation to speed.

    python -m tests.bench.bench_scores FOLDER [--demo 640]

For each level: quantiles of accuracy, and Spearman's rank correlation of accuracy with time and 3BV/s over the won games,
beside that of the number it replaced, the product of (1 - risk) / (1 - least risk).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis import formats
from analysis.analyse import analyse
from analysis.bots import demo_games
from analysis.click_machine import Result
from analysis.errors import ReplayError
from analysis.luck import luck_of
from analysis.recording import Recording

_QUANTILES = (5, 25, 50, 75, 95)
_MOST_BYTES = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Scored:
    """``product``: the former accuracy, a percentage."""

    won: bool
    time: float
    bvs: float
    accuracy: float
    product: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--demo", type=int, default=640, help="games of the bots of the demo site")
    options = parser.parse_args()
    demo = demo_games(1, options.demo, until=datetime(2026, 1, 1, tzinfo=UTC))
    for title, recordings in (("files", _files(options.folder)), ("demo games", demo)):
        print(
            f"\n{title:<26}{'games':>6}{'5 %':>8}{'25 %':>8}{'50 %':>8}{'75 %':>8}{'95 %':>8}{'< 90':>8}   time, 3BV/s: share, product"
        )
        for level, games in sorted(_scored(recordings).items()):
            print(f"{level:<26}{len(games):6}{_spread(games)}   {_relations([game for game in games if game.won])}")


def _files(folder: Path) -> Iterator[Recording]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size <= _MOST_BYTES:
            try:
                yield formats.read(path.read_bytes())
            except ReplayError:
                continue  # not a replay, or a broken one: this tells of games


def _scored(recordings: Iterator[Recording]) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = defaultdict(list)
    for recording in recordings:
        try:
            luck, analysis = luck_of(recording).values, analyse(recording)
        except ReplayError:
            continue  # nothing was opened
        accuracy, risk = luck["accuracy"], luck["needless_risk"]
        if accuracy is None:
            continue
        product = 0.0 if risk is None else 100 * 2.0**-risk
        scored = Scored(
            analysis.game.result is Result.WON,
            analysis.values["time"] or 0,
            analysis.values["bvs"] or 0,
            accuracy,
            product,
        )
        found[recording.board.level.value].append(scored)
    return found


def _spread(games: list[Scored]) -> str:
    values = np.array([game.accuracy for game in games])
    shares = [*np.percentile(values, _QUANTILES).tolist(), 100 * float((values < 90).mean())]
    return "".join(f"{value:8.1f}" for value in shares)


def _relations(games: list[Scored]) -> str:
    if len(games) < 3:
        return "too few wins"
    columns = {
        name: np.array([getattr(game, name) for game in games]) for name in ("time", "bvs", "accuracy", "product")
    }
    pairs = chain.from_iterable(
        (spearman(columns[score], columns["time"]), spearman(columns[score], columns["bvs"]))
        for score in ("accuracy", "product")
    )
    return "{:+.2f} {:+.2f}, {:+.2f} {:+.2f}".format(*pairs)


def spearman(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    """The correlation of ranks, ties at their mean rank; NaN if one of them is constant."""
    with np.errstate(invalid="ignore"):
        return float(np.corrcoef(_ranks(left), _ranks(right))[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    ordered = np.sort(values)
    return (np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")) / 2


if __name__ == "__main__":
    main()
