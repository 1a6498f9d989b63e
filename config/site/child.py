"""Run a command that ends when its parent ends: ``python -m config.site.child COMMAND …``.

Without this a supervisor that is killed with -9 would leave a web server on the port and a broker on the data.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it ended before the request was made
            sys.exit(1)
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606 - the command comes from the supervisor


if __name__ == "__main__":
    main()
