"""Run a command that ends when its parent ends: ``python -m config.site.child PARENT COMMAND …``.

Without this a supervisor that is killed with SIGKILL would leave its web server and its broker running.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1


def bound(command: Sequence[str]) -> list[str]:
    """The command line that runs ``command`` and ends it when this process ends."""
    return [sys.executable, "-m", "config.site.child", str(os.getpid()), *command]


def main() -> None:
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != int(parent):  # it ended before the request was made
            sys.exit(1)
    os.execvp(command[0], command)  # noqa: S606 - the command comes from the supervisor


if __name__ == "__main__":
    main()
