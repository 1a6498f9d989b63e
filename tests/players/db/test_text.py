from __future__ import annotations

import pytest

from players.db.text import storable_text


@pytest.mark.parametrize(
    ("raw", "text"), [("  a\x00b  ", "ab"), ("\ud800", "\ufffd"), ("x" * 300, "x" * 255), ("名", "名")]
)
def test_text_fits_every_database(raw: str, text: str) -> None:
    assert storable_text(raw) == text
