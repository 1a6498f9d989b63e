"""Mixed traffic (80 % pages, 15 % API, 5 % uploads) on a site as `docs/deploy.md` starts it.

    python -m tests.bench.traffic rates [--rates 20 40 60 80 100] [--seconds 10]
    python -m tests.bench.traffic outages [database broker disk web …] [--rate 20] [--seconds 10]
    python -m tests.bench.traffic growth [--seconds 10] [--uploads 600]

``rates``: latencies at each rate, from the moment at which a request is due, and the highest with a 99th percentile of at most
200 ms.  ``outages``: what is answered meanwhile, second by second, and how long afterwards; at the end every upload that
was taken must be on the disk and settled, and the boards must equal those made from scratch.  ``growth``: two web
processes and two worker processes beside one, in turn.  The traffic comes from the same machine, and takes its share of it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.services import Services

SERVICES = Services()
SERVICES.prepare()  # before the settings are read
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
os.environ |= {
    "UPLOAD_QUOTA_FILES": "10000000",
    "LOG_LEVEL": "ERROR",
    "LOG_REQUESTS": "false",
    "ALLOWED_HOSTS": "127.0.0.1",
}

import django  # noqa: E402

django.setup()

from django.db import connection  # noqa: E402

from tests.bench.traffic import growth, outages  # noqa: E402
from tests.bench.traffic.load import quantile  # noqa: E402
from tests.bench.traffic.prepared import Prepared, prepare  # noqa: E402

_P99_MS = 200
_WARM_UP_SECONDS = 10


def rates(prepared: Prepared, given: list[float], seconds: float) -> None:
    best = 0.0
    prepared.traffic().run(given[0], _WARM_UP_SECONDS)
    for rate in given:
        sent = prepared.traffic().run(rate, seconds)
        bad = sum(one.status not in (200, 202) for one in sent)
        p99 = quantile(sent, 0.99)
        sys.stdout.write(
            f"{rate:6.0f}/s: {len(sent):6} requests, median {quantile(sent, 0.5):6.1f}, p99 {p99:7.1f} ms; failed: {bad}\n"
        )
        sys.stdout.flush()
        if p99 <= _P99_MS and not bad:
            best = max(best, rate)
    sys.stdout.write(f"highest with p99 <= {_P99_MS} ms: {best:.0f}/s on {os.cpu_count()} cores\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["rates", "outages", "growth"])
    parser.add_argument("which", nargs="*", choices=[*outages.OUTAGES, []], default=[])
    parser.add_argument("--rates", type=float, nargs="+", default=[20, 40, 60, 80, 100])
    parser.add_argument("--rate", type=float, default=20)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--uploads", type=int, default=600)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="sweepbook-traffic-", dir="/tmp") as name, ExitStack() as stack:
            prepared = stack.enter_context(prepare(SERVICES, Path(name), options.port))
            if options.what == "rates":
                rates(prepared, options.rates, options.seconds)
                return 0
            if options.what == "growth":
                growth.run(prepared, options.seconds, options.uploads)
                return 0
            return outages.run(prepared, options.which or list(outages.OUTAGES), options.rate, options.seconds)
    finally:
        connection.close()
        SERVICES.stop()


if __name__ == "__main__":
    sys.exit(main())
