"""Names in docs/sources.md: pages answer, fields of the API are there, modules and tests exist."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from django.test import Client

from analysis.statistics import BY_ANY_NAME, STORED
from replays.models import Replay
from tests.api_schema import api_schema
from tests.replays.conftest import Ingest, ingest, store  # noqa: F401 - fixtures
from tests.replays.games import game_file

ROOT: Final = Path(__file__).resolve().parents[2]
_COLUMNS: Final = 3
_CODE: Final = re.compile(r"`([^`]+)`")
#: Beginnings of a last column that may name nothing.
_WITHOUT: Final = ("not here", "differs")


class Row(NamedTuple):
    """A row of a table: what it is about, and the names that its last column gives."""

    term: str
    says: str
    here: str

    @property
    def names(self) -> list[str]:
        return _CODE.findall(self.here)


def rows() -> list[Row]:
    lines = (ROOT / "docs" / "sources.md").read_text().splitlines()
    cells = [re.split(r"(?<!\\) ?\| ?", line.strip("|").strip()) for line in lines if line.startswith("| ")]
    assert {len(row) for row in cells} == {_COLUMNS}
    return [Row(*row) for row in cells if row[0] != "term"]


@cache
def fields_of_the_api() -> dict[str, Any]:
    """Return the fields of each object of the schema."""
    schema = api_schema()
    return {name: one.get("properties", {}) for name, one in schema["components"]["schemas"].items()}


def is_address(name: str) -> bool:
    """Return whether a page or an address of the API answers; ``<pk>`` is the only player or the only replay."""
    game = Replay.objects.get()
    pk = game.player_id if "/players/" in name else game.pk
    return Client().get(name.replace("<pk>", str(pk)), follow=True).status_code == 200


def is_statistic(name: str) -> bool:
    return BY_ANY_NAME.get(name.removeprefix("statistics.")) in STORED


def is_field(name: str) -> bool:
    schema, _, field = name.partition(".")
    return field in fields_of_the_api().get(schema, {})


def is_part_of_a_file(name: str) -> bool:
    """Return whether a module defines ``file.py::name`` at its top; functions, classes and constants."""
    file, _, part = name.partition("::")
    text = (ROOT / file).read_text() if (ROOT / file).is_file() else ""
    pattern = rf"^((async )?def|class) {part}\b|^{part}(: [^=]+)? = "
    return re.search(pattern, text, re.MULTILINE) is not None


def is_path(name: str) -> bool:
    return (ROOT / name).exists()


#: The first pattern that fits a whole name decides what it has to be.
KINDS: Final[dict[str, tuple[str, Callable[[str], bool]]]] = {
    "address": (r"/\S*", is_address),
    "statistic": (r"statistics\.\w+", is_statistic),
    "field": (r"[A-Z]\w+\.\w+", is_field),
    "part": (r"[\w/]+\.py::\w+", is_part_of_a_file),
    "path": (r"[\w./]+(/|\.\w+)", is_path),
}


def kind_of(name: str) -> str | None:
    return next((kind for kind, (pattern, _) in KINDS.items() if re.fullmatch(pattern, name)), None)


def is_there(name: str) -> bool:
    kind = kind_of(name)
    return kind is not None and KINDS[kind][1](name)


def test_every_row_says_where_or_why_not() -> None:
    assert len(rows()) > 150
    assert [row.term for row in rows() if not row.says or not (row.names or row.here.startswith(_WITHOUT))] == []


def test_no_term_of_a_source_stands_twice() -> None:
    terms = [(row.term, row.says) for row in rows()]
    assert len(set(terms)) == len(terms)


@pytest.fixture
def game(ingest: Ingest) -> Replay:  # noqa: F811
    """The only replay of the site, and its player."""
    return ingest(game_file())


def test_every_name_is_there(game: Replay) -> None:
    names = sorted({name for row in rows() for name in row.names})
    assert [name for name in names if not is_there(name)] == []
    counts = {kind: sum(kind_of(name) == kind for name in names) for kind in KINDS}
    assert min(counts.values()) >= 15, counts


def test_wrong_names_are_found(game: Replay) -> None:
    wrong = (
        "/leaderboards/expert/nothing/", "/statistic/", "/replays/?sort=-nothing", "/replays/<pk>/films/",
        "/players/<pk>/charts/nothing/", "statistics.qqq",
        "statistics.rzini", "Replay.nothing", "Nothing.id", "analysis/statistics.py::STNB", "analysis/nothing.py::play",
        "tests/analysis/test_zini.py::test_nothing", "analysis/statistic.py", "any words", "3BV",
    )  # fmt: skip
    assert [name for name in wrong if is_there(name)] == []
    assert is_there("docs/")
