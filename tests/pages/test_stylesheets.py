"""No stylesheet has a rule for a class that no page has any more."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings

BASE: Final = Path(settings.BASE_DIR)
STYLESHEETS: Final = sorted(path for app in ("players", "replays") for path in (BASE / app / "static").rglob("*.css"))
#: Scripts, Python and Jinja2 templates write HTML too: every word of theirs may be a class.
_WRITERS: Final = ("*/static/**/*.js", "players/**/*.py", "replays/**/*.py", "templates/rows/*.html")


@cache
def _words() -> frozenset[str]:
    """Return the words in class attributes of templates, and all words of what else writes HTML."""
    pages = " ".join(path.read_text() for path in BASE.glob("templates/**/*.html"))
    attributes = re.sub(r"{%.*?%}", lambda tag: " ".join(re.findall(r'"([^"]*)"', tag[0])), pages)
    text = " ".join(re.findall(r'(?:class|body_class)[="% }]+([^">{]*(?:{{[^}]*}}[^">{]*)*)', attributes))
    text += " ".join(re.findall(r"{% (?:icon|avatar|block body_class)[^%]*%}[^{]*", pages))
    text += " ".join(path.read_text() for pattern in _WRITERS for path in BASE.glob(pattern))
    return frozenset(re.findall(r"[A-Za-z_][\w-]*", text))


def _classes(css: str) -> set[str]:
    selectors = re.sub(r"/\*.*?\*/|\{[^{}]*\}|@media[^{]*", " ", css, flags=re.S)
    return set(re.findall(r"\.([a-z][\w-]*)", selectors))


@pytest.mark.parametrize("path", STYLESHEETS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_class_is_used(path: Path) -> None:
    words = _words()
    made = {word for word in words if word.endswith("-")}  # "level-" of level-{}
    unused = {
        name
        for name in _classes(path.read_text()) - words
        if not (re.fullmatch(r"[a-z]+\d", name) or any(name.startswith(beginning) for beginning in made))
    }
    assert unused == set()


def test_classes_of_a_sheet() -> None:
    assert _classes("/* .no */ .a:is(.b-c, td) > .d { margin: .5rem } @media (x) { .e { color: red } }") == set(
        "ade"
    ) | {"b-c"}
