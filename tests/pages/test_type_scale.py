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
_SIZE = re.compile(r"(?<!-)font(?:-size)?: ([^;}]+)")
#: ``px`` are units of drawings, ``--cell`` is the side of a cell; the rest are signs in small cells and beside a title.
_ALLOWED = re.compile(r"var\(--(t\d|less)\)|inherit|\d+(\.\d+)?px|calc\(var\(--cell|8pt|0\.58rem|0\.66rem|0\.6em")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_sizes_are_of_the_scale(path: Path) -> None:
    found = [size for size in _SIZE.findall(path.read_text()) if not _ALLOWED.search(size)]
    assert found == []


def test_the_scale_is_there() -> None:
    tokens = next(path for path in FILES if path.name == "tokens.css").read_text()
    assert set(re.findall(r"--t\d(?=:)", tokens)) == {f"--t{number}" for number in range(1, 7)}
