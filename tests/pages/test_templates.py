"""The source of templates is readable."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)


def test_no_line_is_long() -> None:
    lines = [
        (path.name, number, len(line))
        for path in (ROOT / "templates").rglob("*.*")
        for number, line in enumerate(path.read_text().splitlines(), 1)
    ]
    assert len(lines) > 5000
    assert [line for line in lines if line[2] > 200] == []
