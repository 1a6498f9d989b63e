"""The version of the site: that of the newest entry of CHANGELOG.md."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"


@cache
def version() -> str:
    found = re.search(r"^## (\d+\.\d+\.\d+)\b", _CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"{_CHANGELOG} names no version.")
    return found[1]
