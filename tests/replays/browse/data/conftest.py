from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def root(settings: Any, tmp_path: Path) -> Path:
    """The folder of dumps of this test."""
    settings.DUMP_DIR = tmp_path / "dumps"
    return tmp_path / "dumps"
