#!/usr/bin/env python
from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["runsite"]:
        _prepare_site()
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


def _prepare_site() -> None:
    """`runsite` makes what the settings need, so it has to come before them."""
    from config import env
    from config.site import files

    files.prepare(env.value("DATA_DIR").resolve())


if __name__ == "__main__":
    main()
