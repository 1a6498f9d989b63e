"""``make fuzz N=300000``, or ``python -m tests.bench.fuzz --help``."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from pathlib import Path

from tqdm import tqdm

from analysis.click_machine import Result
from analysis.errors import BadField, Inconsistent, LimitExceeded, Truncated, UnknownFormat
from tests.bench.fuzz.hunt import Counts, Fault, Plan, by_format, faults_of, hunt
from tests.bench.fuzz.judge import MAX_SECONDS, MIB, SET, put_through
from tests.bench.fuzz.seeds import all_seeds
from tests.bench.fuzz.worst import measure_worst

_READ = frozenset({*Result, SET})
_REFUSED = frozenset(error.code for error in (BadField, Inconsistent, LimitExceeded, Truncated, UnknownFormat))


def main() -> None:
    arguments = _arguments()
    if arguments.worst:
        sys.exit(0 if measure_worst(arguments.seconds_limit) else 1)
    plan = Plan(
        inputs=arguments.cases, target=put_through, seed=arguments.seed, first=arguments.first,
        workers=arguments.workers, max_seconds=arguments.seconds_limit, real=not arguments.own,
    )  # fmt: skip
    started = time.monotonic()
    with tqdm(total=plan.inputs, desc="fuzz", unit=" inputs", file=sys.stderr, mininterval=1) as bar:
        counts = hunt(plan, bar.update)
    _print(plan, counts, time.monotonic() - started)
    faults = faults_of(plan, counts)
    for fault in faults:
        _save(fault, plan, arguments.crashers)
    sys.exit(1 if faults else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzz", description="Hostile bytes for the readers.")
    parser.add_argument("--cases", "--inputs", type=int, default=20_000, metavar="N", help="how many (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one, to make one again")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds-limit", type=float, default=MAX_SECONDS, help="allowed a file (%(default)s)")
    parser.add_argument("--crashers", type=Path, default=Path("var/crashers"), help="where bad inputs go (%(default)s)")
    parser.add_argument("--own", action="store_true", help="spoil no real files, even where they are present")
    parser.add_argument("--worst", action="store_true", help="measure the largest and slowest legal inputs instead")
    return parser.parse_args()


def _print(plan: Plan, counts: Counts, seconds: float) -> None:
    read = sum(count for (_format, outcome), count in counts.outcomes.items() if outcome in _READ)
    refused = sum(count for (_format, outcome), count in counts.outcomes.items() if outcome in _REFUSED)
    print(
        f"{counts.inputs} inputs of seed {plan.seed} in {seconds / 60:.1f} min ({counts.inputs / seconds:.0f}/s, "
        f"{plan.workers} processes) out of {len(all_seeds(real=plan.real))} valid files; "
        f"{plan.mill().cuts} inputs cut every small file at every byte"
    )
    for name, outcomes in by_format(counts):
        print(f"  {name:8} {sum(count for _, count in outcomes):8}  {', '.join(f'{o} {c}' for o, c in outcomes)}")
    print(f"  read: {read}; refused: {refused}; broke a rule: {len(counts.faults)}")
    print(f"  slowest: {counts.slowest[0] * 1000:.0f} ms of processor time (input {counts.slowest[1]})")
    print(f"  most memory: {counts.largest[0] / MIB:.1f} MiB beyond the warm process (input {counts.largest[1]})")


def _save(fault: Fault, plan: Plan, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    hostile = fault.hostile
    path = folder / f"{hostile.format}-{hashlib.sha256(hostile.data).hexdigest()[:12]}.bin"
    path.write_bytes(hostile.data)
    print(f"\n{path}: input {hostile.number}, {hostile.way}, {len(hostile.data)} bytes\n{fault.text}")
    own = "" if plan.real else " --own"
    print(
        f"again: python -m tests.bench.fuzz --seed {plan.seed} --first {hostile.number} --cases 1 --workers 1{own}\n"
        f"   or: python -m tests.bench.fuzz.judge {path}"
    )


if __name__ == "__main__":
    main()
