"""Benchmark of the size of games' sketches and the time to find similar ones, on a PostgreSQL of its own.

    python -m tests.bench.bench_similar [--rows 1000000] [--chance 1000]

The table of traces gets ``--rows`` rows with random sketches and nothing else.  Games with as many shingles as a typical
Expert game are looked up; each of them shares one shingle with ``--chance`` stored games, as games do by chance.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from analysis.evidence import Played
from analysis.recording import Level
from tests.bench.import_shares import postgres, server_cpu_seconds

if TYPE_CHECKING:
    from replays.trust.evidence.similar import Sketched

_LOOKUPS = 200
_SHINGLES = 160
_CHUNK = 50

_FILL = """
    INSERT INTO replays_playtrace (replay_id, sketch, {columns}, compared_at)
    SELECT number, decode(repeat('5a', 128), 'hex'), {numbers}, now() FROM generate_series(1, %s) AS number
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="How long finding similar games takes.")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument(
        "--chance", type=int, default=1_000, help="stored games that share a shingle with each one by chance"
    )
    options = parser.parse_args()
    short = "/tmp" if Path("/tmp").is_dir() else None  # noqa: S108 - the path of the server's socket must be short
    with tempfile.TemporaryDirectory(prefix="sweepbook-", dir=short) as name, postgres(Path(name)):
        _fill(options.rows)
        _look_up(options.rows, options.chance)


def _fill(rows: int) -> None:
    from django.db import connection

    from replays.models import SKETCH_COLUMNS

    numbers = ", ".join("((random() - 0.5) * 18446744073709551614)::bigint" for _ in SKETCH_COLUMNS)
    started = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # there are no replays of these traces
        cursor.execute("SET maintenance_work_mem = '512MB'")
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE indexname LIKE 'trace\\_%'")
        indexes = cursor.fetchall()
        for index, _ in indexes:
            cursor.execute(f'DROP INDEX "{index}"')
        cursor.execute(_FILL.format(columns=", ".join(SKETCH_COLUMNS), numbers=numbers), [rows])
        filled = time.perf_counter()
        for _, definition in indexes:
            cursor.execute(definition)
        cursor.execute("VACUUM ANALYZE replays_playtrace")
        cursor.execute("SELECT pg_table_size('replays_playtrace'), pg_indexes_size('replays_playtrace')")
        table_bytes, index_bytes = cursor.fetchone()
    print(f"{rows:,} rows in {filled - started:.0f} s, indexes in {time.perf_counter() - filled:.0f} s")
    print(f"bytes a row: table {table_bytes / rows:.0f} (an empty trace about 40), indexes {index_bytes / rows:.0f}")


def _game(random: np.random.Generator) -> Sketched:
    from replays.trust.evidence.similar import Sketched

    shingles = np.sort(random.integers(-(2**63), 2**63, _SHINGLES)).tolist()
    return Sketched(Played(Level.EXPERT, tuple(shingles), b""), here=False, ranked=False)


def _look_up(rows: int, chance: int) -> None:
    from django.db import connection

    from replays.trust.evidence.similar import similar_pairs

    random = np.random.default_rng(1)
    games = {rows + number: _game(random) for number in range(_LOOKUPS)}
    with connection.cursor() as cursor:
        for number, game in enumerate(games.values()):
            first = 1 + number * chance
            numbers = (first, first + chance - 1)
            cursor.execute(
                "UPDATE replays_playtrace SET sketch_3 = %s WHERE replay_id BETWEEN %s AND %s",
                [game.played.shingles[2], *numbers],
            )
        cursor.execute("VACUUM ANALYZE replays_playtrace")
    for size in (1, _CHUNK):
        chunks = [dict(list(games.items())[start : start + size]) for start in range(0, _LOOKUPS, size)]
        for chunk in chunks:
            similar_pairs(chunk)
        ours, server, started = time.process_time(), server_cpu_seconds(), time.perf_counter()
        for chunk in chunks:
            similar_pairs(chunk)
        taken = (time.process_time() - ours, server_cpu_seconds() - server, time.perf_counter() - started)
        ours_ms, server_ms, wall_ms = (1e3 * seconds / _LOOKUPS for seconds in taken)
        print(
            f"{size} at once, {chance} by chance: {ours_ms:.2f} ms of ours a game, {server_ms:.2f} of the server's, wall {wall_ms:.2f}"
        )


if __name__ == "__main__":
    main()
