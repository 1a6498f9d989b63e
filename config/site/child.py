"""Run a command that ends when its parent ends: ``python -m config.site.child PARENT USER COMMAND …``.

Without this a supervisor that is killed with SIGKILL would leave its web server and its broker running.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import signal
import sys
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1


def bound(command: Sequence[str], user: str | None = None) -> list[str]:
    """Return the command line that runs ``command``, as another user if one is named, and ends it when this process ends."""
    return [sys.executable, "-m", "config.site.child", str(os.getpid()), user or "", *command]


def main() -> None:
    parent, user, *command = sys.argv[1:]
    if user:
        entry = pwd.getpwnam(user)
        os.setgroups([])
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)  # before the request below, which a change of user takes back
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != int(parent):  # it ended before the request was made
            sys.exit(1)
    os.execvp(command[0], command)  # noqa: S606 - the command comes from the supervisor


if __name__ == "__main__":
    main()
