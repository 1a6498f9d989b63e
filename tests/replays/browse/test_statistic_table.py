"""The table of names: where each number of the data page is found, and why it is not where it is missing.

``make test APP=replays/browse ARGS="-k table_of_names -rP -p no:logging"`` prints it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.test import Client

from players.models import Player
from replays.browse.help.selectors import Entry, glossary
from replays.models import Replay
from tests.factories import rank_replays, replay_of
from tests.replays.browse.test_statistic_names import NAMES, ON_REQUEST

pytestmark = pytest.mark.django_db

YES: Final = "yes"
_API: Final = "/api/v1"
_ONCE: Final = "computed on request: /api/v1/replays/…/rzini/"
_COUNTED: Final = "counted: neither more nor less is better"
_STYLE: Final = "style, not skill"
_NO_INDEX: Final = "no index: filter by it"

_REQUESTED: Final = frozenset(one.name for one in ON_REQUEST)
_CELLS: Final = tuple(f"cell{number}" for number in range(9))
_CLICKS: Final = ("lcl", "rcl", "dcl", "lce", "rce", "dce", "flags", "bvdone", "opdone", "isdone")
_COUNTS: Final = ("bv", "op", "is", *_CELLS, *_CLICKS, "cl", "ce", "zini", "gzini", "hzini")
#: Why a number has no boards.  Files are files of boards.
NO_BOARD: Final = {
    **dict.fromkeys(_COUNTS, _COUNTED),
    **dict.fromkeys(("mov", "iome"), _STYLE),
    "completion": "1 in every won game",
    "estime": "the time in every won game; lost games have a board",
    **dict.fromkeys(_REQUESTED, _ONCE),
}
NO_SORT: Final = {
    **dict.fromkeys(("is", "hzini", *_CELLS, *_CLICKS), _NO_INDEX),
    **dict.fromkeys(_REQUESTED, _ONCE),
}
#: Names of the community that are the same in both languages.
LATIN: Final = frozenset(
    ("bv", "bvs", "rqp", "qg", "ios", "rv", "stnb", "ioe", "iome", "znt", "gznt", "hznt", "rznt", "zne", "gzne", "hzne", "rzne")
)  # fmt: skip
REASONS: Final[dict[str, dict[str, str]]] = {
    "row": dict.fromkeys(_REQUESTED, _ONCE),
    "filter": dict.fromkeys(_REQUESTED, _ONCE),
    "formula": dict.fromkeys(_REQUESTED, _ONCE),
    "sort": NO_SORT,
    "board": NO_BOARD,
    "export": NO_BOARD,
    "Chinese": dict.fromkeys(LATIN, "the same word"),
}
COLUMNS: Final = ("row", "filter", "sort", "board", "export", "formula", "search", "page", "English", "Chinese")


def answered(address: str, **query: str) -> Any:
    """Return the answer of the API, None for one that it refuses."""
    answer = Client().get(f"{_API}/{address}", query)
    assert answer.status_code in (200, 400, 404), answer.content
    return answer if answer.status_code == 200 else None


def places(row: dict[str, Any], words: dict[str, Entry], page: str) -> dict[str, Callable[[str], object]]:
    """Return for each column what tells whether a name is there."""
    statistics = answered("statistics/").json()["rows"]

    def entry(name: str) -> Entry:
        found: dict[str, Any] = next(one for one in statistics if name in (one["name"], *one["aliases"]))
        return words[found["name"]]

    def exported(name: str) -> bool:
        file = answered(f"leaderboards/expert/{name}/rows.csv")
        return file is not None and b"player" in b"".join(file.streaming_content)

    return {
        "row": lambda name: name in row,
        "filter": lambda name: answered("replays/", **{f"{name}__gte": "0"}),
        "sort": lambda name: answered("replays/", level="expert", sort=name),
        "board": lambda name: answered(f"leaderboards/expert/{name}/"),
        "export": exported,
        "formula": lambda name: Client().get("/film/formula", {"text": name}).status_code == 200,
        "search": lambda name: answered("search/", q=name).json()["statistics"],
        "page": lambda name: f'id="{name}"' in page,
        "English": lambda name: entry(name).english,
        "Chinese": lambda name: entry(name).chinese != entry(name).english,
    }


@pytest.mark.long(beside="tests/replays/browse/test_statistic_names.py::test_names_are_values_of_parameters")
def test_the_table_of_names() -> None:
    player = Player.objects.create(name="player")
    rank_replays(Replay.objects.bulk_create([replay_of(player)]))
    statistics = answered("replays/").json()["rows"][0]["statistics"]
    words = {entry.name: entry for entry in glossary()}
    is_in = places(statistics, words, Client().get("/statistics/").content.decode())
    assert tuple(is_in) == COLUMNS
    lines, wrong = [], []
    for one in (*NAMES, *ON_REQUEST):
        cells = []
        for column in COLUMNS:
            reason = REASONS.get(column, {}).get(one.name)
            found = bool(is_in[column](one.name))
            wrong += [(one.name, column, found, reason)] if found is (reason is not None) else []
            cells.append(YES if found else reason or "MISSING")
        lines.append(" | ".join((one.name, *cells)))
    print("\n".join((" | ".join(("name", *COLUMNS)), *lines)))  # noqa: T201 - the table, with `pytest -rP`
    assert wrong == []
