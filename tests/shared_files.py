"""The folder of real replay files, which a fresh clone does not have.

Set ``SWEEPBOOK_REPLAYS`` to use another place; tests that need the files skip without them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("SWEEPBOOK_SHARED", Path(__file__).resolve().parents[2] / "shared"))
REPLAYS = Path(os.environ.get("SWEEPBOOK_REPLAYS", SHARED / "replays"))

needs_shared = pytest.mark.skipif(not REPLAYS.is_dir(), reason="the folder of real replay files is not here")


def replay_files(suffix: str) -> list[Path]:
    """All real files of one format, sorted by name; empty without the folder."""
    folder = REPLAYS / suffix
    return sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []
