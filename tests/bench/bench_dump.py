"""A dump of a made-up site: seconds, bytes and memory, and DuckDB's counts beside those of the tables.

    python -m tests.bench.bench_dump [--replays 1000000] [--players 100000] [--files 2000] [--folder FOLDER]

The PostgreSQL is filled as for ``bench_boards``.  Its replays have no files; ``--files`` writes some for the newest, so
that archives have something in them.  ``--folder``: the database and the dump are kept there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import duckdb
import psycopg

from tests.bench.bench_boards import database, environment_of
from tests.bench.site import ROOT

_FILE_BYTES: Final = 40_000
#: Totals, by SQL on the tables and by DuckDB on the files.
_TOTALS: Final = {
    "replays": ("SELECT count(*) FROM replays_replay WHERE status = 'done'", "SELECT count(*) FROM 'replays.ndjson.gz'"),
    "ranked": (
        "SELECT count(*) FROM replays_replay WHERE status = 'done' AND ranked",
        "SELECT count(*) FROM 'replays.ndjson.gz' WHERE ranked",
    ),
    "seconds of ranked expert games": (
        "SELECT round(sum(time)::numeric) FROM replays_replay WHERE ranked AND level = 'expert'",
        "SELECT round(sum(statistics.time)) FROM 'replays.ndjson.gz' WHERE ranked AND level = 'expert'",
    ),
    "players": ("SELECT count(*) FROM players_player WHERE merged_into_id IS NULL", "SELECT count(*) FROM 'players.ndjson.gz'"),
    "records": ("SELECT count(*) FROM players_recordevent WHERE kind = 'site'", "SELECT count(*) FROM 'records.ndjson.gz'"),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replays", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with ExitStack() as stack:
        url = stack.enter_context(database(stack, arguments.folder, arguments.players, arguments.replays))
        home = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp")))
        environment = environment_of(url, home) | {"DUMP_DIR": str(home / "dumps"), "DATA_LICENCE": "CC-BY-4.0"}
        _make_files(url, Path(environment["DATA_DIR"]) / "replays", arguments.files)
        dump = _measured(environment, home / "dumps")
        _compare(url, dump)


def _make_files(url: str, store: Path, count: int) -> None:
    """Give the newest replays files; their rows get the hashes of these."""
    with psycopg.connect(url) as connection:
        newest = connection.execute("SELECT id FROM replays_replay ORDER BY id DESC LIMIT %s", [count]).fetchall()
        for (number,) in newest:
            data = number.to_bytes(8, "big") * (_FILE_BYTES // 8)
            sha256 = hashlib.sha256(data).hexdigest()
            path = store / sha256[:2] / sha256[2:4] / sha256  # as ``replays.models.file_store.path_of``
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            connection.execute("UPDATE replays_replay SET sha256 = %s WHERE id = %s", [sha256, number])


def _measured(environment: dict[str, str], home: Path) -> Path:
    """Make a dump in a process of its own; the newest one in ``home``."""
    shutil.rmtree(home, ignore_errors=True)
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "manage.py", "dump"], cwd=ROOT, env=environment)
    _pid, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        raise SystemExit("The dump failed.")
    (dump,) = home.glob("2*Z")
    files = json.loads((dump / "index.json").read_bytes())["files"]
    for one in files:
        sys.stdout.write(f"  {one['name']:<28}{one['rows'] or '':>12}{one['bytes']:>16,}\n")
    archives = json.loads((home / "files" / "index.json").read_bytes())["months"]
    size = sum(one["bytes"] for one in archives)
    sys.stdout.write(f"  {len(archives)} archives{'':<17}{sum(one['files'] for one in archives):>12}{size:>16,}\n")
    sys.stdout.write(
        f"{seconds:.0f} s, {usage.ru_utime + usage.ru_stime:.0f} s of processor time, {usage.ru_maxrss / 1024:.0f} MB at most\n"
    )
    return dump


def _compare(url: str, dump: Path) -> None:
    os.chdir(dump)
    with psycopg.connect(url) as connection:
        for name, (of_tables, of_files) in _TOTALS.items():
            expected = connection.execute(of_tables).fetchone()
            started = time.perf_counter()
            found = duckdb.execute(of_files).fetchone()
            seconds = time.perf_counter() - started
            assert expected is not None
            assert found is not None
            sys.stdout.write(f"  {name:<34}{int(expected[0]):>14,}{int(found[0]):>14,}  {seconds:.1f} s\n")
            if int(expected[0]) != int(found[0]):
                raise SystemExit(f"{name} differ")


if __name__ == "__main__":
    main()
