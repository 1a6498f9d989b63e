"""``make fuzz N=300000``, or ``python -m tests.bench.fuzz --help``."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from pathlib import Path

from tqdm import tqdm

from tests.bench.fuzz.hunt import Fault, Plan, Tally, by_format, faults_of, hunt
from tests.bench.fuzz.judge import MAX_SECONDS, MIB, put_through
from tests.bench.fuzz.reference import ask_reference
from tests.bench.fuzz.seeds import all_seeds
from tests.bench.fuzz.worst import measure_worst


def main() -> None:
    arguments = _arguments()
    if arguments.worst:
        sys.exit(0 if measure_worst(arguments.seconds) else 1)
    plan = Plan(
        inputs=arguments.inputs, target=put_through, seed=arguments.seed, first=arguments.first,
        workers=arguments.workers, max_seconds=arguments.seconds,
    )  # fmt: skip
    if arguments.oracle:
        ask_reference(plan.mill(), arguments.oracle)
        return
    started = time.monotonic()
    with tqdm(total=plan.inputs, desc="fuzz", unit=" inputs", file=sys.stderr, mininterval=1) as bar:
        tally = hunt(plan, bar.update)
    _print(plan, tally, time.monotonic() - started)
    faults = faults_of(plan, tally)
    for fault in faults:
        _save(fault, arguments.crashers)
    sys.exit(1 if faults else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzz", description="Hostile bytes for the readers.")
    parser.add_argument("--inputs", type=int, default=20_000, help="how many (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one, to make one again")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=MAX_SECONDS, help="allowed a file (%(default)s)")
    parser.add_argument("--crashers", type=Path, default=Path("var/crashers"), help="where bad inputs go (%(default)s)")
    parser.add_argument("--worst", action="store_true", help="measure the largest and slowest legal inputs instead")
    parser.add_argument("--oracle", type=int, metavar="N", help="show N of the inputs to ms_toollib instead")
    return parser.parse_args()


def _print(plan: Plan, tally: Tally, seconds: float) -> None:
    print(
        f"{tally.inputs} inputs of seed {plan.seed} in {seconds / 60:.1f} min ({tally.inputs / seconds:.0f}/s, "
        f"{plan.workers} processes) out of {len(all_seeds(real=plan.real))} valid files; "
        f"{plan.mill().cuts} inputs cut every small file at every byte"
    )
    for name, outcomes in by_format(tally):
        print(f"  {name:8} {sum(count for _, count in outcomes):8}  {', '.join(f'{o} {c}' for o, c in outcomes)}")
    print(f"  slowest: {tally.slowest[0] * 1000:.0f} ms of processor time (input {tally.slowest[1]})")
    print(f"  most memory: {tally.largest[0] / MIB:.1f} MiB beyond the process (input {tally.largest[1]})")
    print(f"  faults: {len(tally.faults)}")


def _save(fault: Fault, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    hostile = fault.hostile
    path = folder / f"{hostile.format}-{hashlib.sha256(hostile.data).hexdigest()[:12]}.bin"
    path.write_bytes(hostile.data)
    print(f"\n{path}: input {hostile.number}, {hostile.way}, {len(hostile.data)} bytes\n{fault.text}")


if __name__ == "__main__":
    main()
