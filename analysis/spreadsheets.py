"""Text in files that people open with a spreadsheet."""

from __future__ import annotations

import re
from typing import Final

#: Signs that begin a formula, at the start of a cell or of what a spreadsheet with other separators takes for one.
_FORMULA: Final = re.compile(r"(^\s*|[;,|\t\r\n\"']\s*)(?=[=+\-@＝＋－＠])")


def without_formulas(text: str) -> str:
    """Return ``text`` with an apostrophe before whatever a spreadsheet would run as a formula: names are of strangers."""
    return _FORMULA.sub(lambda found: f"{found[1]}'", text)
