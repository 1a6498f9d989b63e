"""Attacks on a site as ``make run`` starts it, with one visitor beside them.

    python -m tests.bench.attacks [KIND …] [--seconds 20] [--games 120]

The visitor reads the home page, a board, the page of a player and a replay, one after the other without a pause; first
alone, then during each attack.  Attackers run in another process of lower priority, since they would have machines of
their own.  Shown are the milliseconds of the visitor's pages, how many times those of the visitor alone p50 and p99 are,
p99 of `robots.txt`, which a monitor asks for beside them, the answers of both by status (0: no answer), and threads and
memory of the web server.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.bench.attacks.kinds import KINDS, run
from tests.bench.attacks.site import Site, running
from tests.bench.attacks.visitor import Walk, look_in, walk

_HEAD = f"{'':<14}{'pages':>6}{'p50':>8}{'p99':>8}{'max':>8} ms{'p50 x':>7}{'p99 x':>7}{'robots':>8}  {'visitor':<16}{'attack':<42}{'threads':>7}{'MB':>6}\n"


def measure(site: Site, name: str, seconds: float, alone: Walk | None) -> tuple[str, Walk]:
    """A line of the table, and the walk; ``name`` is empty for the visitor alone, whose walk is then ``alone``."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        if not name:
            walked, looked = _visit(site, seconds)
            return line(site, "alone", walked, looked, Counter(), walked), walked
        running_attack = pool.apply_async(run, (name, site.target, seconds + 2))
        walked, looked = _visit(site, seconds)
        return line(site, name, walked, looked, running_attack.get(timeout=300), alone or walked), walked


def _visit(site: Site, seconds: float) -> tuple[Walk, Walk]:
    """The pages of the visitor, and ``robots.txt`` beside them."""
    with ThreadPoolExecutor(1) as monitor:
        looking = monitor.submit(look_in, site.target.port, "/robots.txt", seconds)
        return walk(site.target.port, site.paths, seconds), looking.result()


def line(site: Site, name: str, walked: Walk, looked: Walk, answers: Counter[int], alone: Walk) -> str:
    """Quantiles of the visitor, their ratio to those of ``alone``, and statuses of both."""
    web = site.web()
    times = "".join(f"{walked.quantile(share):8.0f}" for share in (0.5, 0.99, 1.0))
    ratios = "".join(f"{walked.quantile(share) / alone.quantile(share):7.1f}" for share in (0.5, 0.99))
    threads, megabytes = web.num_threads(), web.memory_info().rss / 1e6
    visitor, attacker = _counts(walked.statuses), _counts(answers)
    return f"{name:<14}{len(walked.milliseconds):6}{times}   {ratios}{looked.quantile(0.99):8.0f}  {visitor:<16}{attacker:<42}{threads:7}{megabytes:6.0f}\n"


def _counts(statuses: Counter[int]) -> str:
    return ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description="Attacks with a visitor beside them.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}; default: all of them")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--games", type=int, default=120, help="games of bots on the site")
    options = parser.parse_args()
    if unknown := set(options.kinds) - set(KINDS):
        parser.error(f"no such kind: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="sweepbook-attacks-") as name, running(Path(name), options.games) as site:
        sys.stdout.write(_HEAD)
        alone: Walk | None = None
        for kind in ["", *(options.kinds or KINDS)]:
            text, walked = measure(site, kind, options.seconds, alone)
            alone = alone or walked
            sys.stdout.write(text)
            sys.stdout.flush()
    sys.stdout.write(f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
