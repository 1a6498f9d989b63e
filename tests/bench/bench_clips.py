"""Clips of twenty shared files: bytes, and seconds of one processor.

    make bench-clips ARGS="--games 20"

Each clip is the last six seconds of its game, where most happens.
"""

from __future__ import annotations

import argparse
import time

from analysis import formats
from analysis.analyse import analyse
from analysis.film import film_of
from replays.watch.clips.clip_drawing import draw_clip
from tests.bench.duel import percentile
from tests.shared_files import replay_files

_CLIP_MS = 6_000


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--games", type=int, default=20)
    games: int = arguments.parse_args().games
    files = [path for suffix in ("avf", "evf", "mvf", "rmv") for path in replay_files(suffix)]
    chosen = files[:: max(1, len(files) // games)][:games]
    sizes, times = [], []
    for path in chosen:
        film = film_of(analyse(formats.read(path.read_bytes())))
        before = time.process_time()
        data = draw_clip(film, max(0, film.time_ms - _CLIP_MS), film.time_ms, path.name)
        times.append(time.process_time() - before)
        sizes.append(len(data) / 1000)
        print(f"{film.board.rows} x {film.board.columns}: {sizes[-1]:.0f} kB, {times[-1]:.2f} s")
    for name, values in (("kB", sizes), ("s", times)):
        print(f"{len(values)} clips, {name}: median {percentile(values, 0.5):.2f}, most {max(values):.2f}")


if __name__ == "__main__":
    main()
