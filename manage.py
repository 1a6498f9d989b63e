#!/usr/bin/env python
from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config import env

    env.checking = sys.argv[1:2] in (["check"], ["prepare"])  # both tell what is wrong with the settings all at once
    if sys.argv[1:2] == ["runsite"]:
        _prepare_site()
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        from config.site.processes import embedded_database_is_wanted
        from players.db.outage import first_line, is_outage

        if not is_outage(error):
            raise
        hint = "It runs while the site does: start `make run`." if embedded_database_is_wanted() else first_line(error)
        sys.exit(f"The database does not answer. {hint}")


def _prepare_site() -> None:
    """`runsite` makes what the settings need, so it has to come before them."""
    from config import env
    from config.site import files

    env.require_readable()
    try:
        files.prepare(env.value("DATA_DIR").resolve())
    except OSError as error:  # of another user, or no room
        sys.exit(str(error))


if __name__ == "__main__":
    main()
