"""Every size of text is one of the scale in ``tokens.css``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

FILES = sorted(
    path
    for app in ("players", "replays")
    for path in (Path(settings.BASE_DIR) / app / "static").rglob("*.css")
    if path.name != "docs.css"  # of the API's own page, which has none of the site's styles
)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIZE = re.compile(r"(?<!-)font(?:-size)?: ([^;}]+)")
#: ``--cell`` is the side of a cell; the rest are signs in small cells and beside a title.
_ALLOWED = re.compile(r"var\(--(t\d|less)\)|inherit|calc\(var\(--cell|8pt|0\.58rem|0\.66rem|0\.6em")
#: Texts in drawings: there ``px`` are units of the drawing, which the page scales.
_DRAWINGS = frozenset({
    ".chart text", ".chart.points text", ".chart.points .name", ".board text", ".zeros-picture text",
})  # fmt: skip


def _foreign(css: str) -> list[str]:
    """Return the sizes that are neither of the scale nor of a drawing, with their selectors."""
    text = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return [
        f"{selector}: {size.strip()}"
        for selector, rule in ((selector.strip(), rule) for selector, rule in _RULE.findall(text))
        for size in _SIZE.findall(rule)
        if not (_ALLOWED.search(size) or (selector in _DRAWINGS and "px" in size))
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_sizes_are_of_the_scale(path: Path) -> None:
    assert _foreign(path.read_text()) == []


def test_a_foreign_size_is_found() -> None:
    """The check itself."""
    css = (
        "/* x */ kbd { font: 600 12px/18px a } @media (x) { .chart text { font-size: 9px; } .b { font-size: 0.9rem } }"
    )
    assert _foreign(css) == ["kbd: 600 12px/18px a", ".b: 0.9rem"]


def test_every_drawing_is_there() -> None:
    selectors = {selector.strip() for path in FILES for selector, _ in _RULE.findall(path.read_text())}
    assert selectors >= _DRAWINGS


def test_the_scale_is_there() -> None:
    tokens = next(path for path in FILES if path.name == "tokens.css").read_text()
    assert set(re.findall(r"--t\d(?=:)", tokens)) == {f"--t{number}" for number in range(1, 7)}
