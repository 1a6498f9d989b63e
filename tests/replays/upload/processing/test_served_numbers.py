"""Every statistic of uploaded files as the API serves it, against plain Python (``tests.naive_statistics``)."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from analysis import formats
from analysis.formats import rawvf
from analysis.recording import Level, Recording
from analysis.statistics import BY_ANY_NAME, LUCK
from tests.analysis.test_statistics_twin import FORMATS, corpse
from tests.naive_statistics import Number, differences, naive_statistics
from tests.replays.conftest import Ingest
from tests.replays.games import avf_file, game_file, recording
from tests.shared_files import needs_shared, replay_files

pytestmark = pytest.mark.django_db
EVERY = 8


def served(pk: int) -> dict[str, Number]:
    """Return the numbers of a row by public names, as the API has them, without those of luck."""
    answer = Client().get(f"/api/v1/replays/{pk}/")
    assert answer.status_code == 200
    statistics: dict[str, Number] = answer.json()["statistics"]
    return {name: value for name, value in statistics.items() if BY_ANY_NAME[name] not in LUCK}


def by_public_names(numbers: dict[str, Number]) -> dict[str, Number]:
    """Return the twin's numbers, which have the names of columns, under every name that the data page has for them."""
    shown = dict(numbers)
    shown["is"] = shown.pop("isl")
    for plain in ("zini", "zinis", "znt", "zne"):
        shown[plain] = shown[f"g{plain}"]
    return shown


def compare(data: bytes, ingest: Ingest) -> tuple[str, list[tuple[str, Number, Number]]]:
    """Return the result of the row and the numbers that differ."""
    row = ingest(data, name="game")
    expected = naive_statistics(formats.read(data))
    assert expected is not None
    return row.result, differences(served(row.pk), by_public_names(expected))


def corpse_file(game: Recording) -> bytes:
    return rawvf.write(corpse(game, 0.6))


@pytest.mark.parametrize(
    ("data", "result"),
    [
        pytest.param(game_file(5, Level.INTERMEDIATE), "won", id="won"),
        pytest.param(avf_file(6), "won", id="avf"),
        pytest.param(corpse_file(recording(7, Level.BEGINNER, "NF")), "lost", id="corpse"),
    ],
)
def test_made_files(data: bytes, result: str, ingest: Ingest) -> None:
    assert compare(data, ingest) == (result, [])


def sample() -> list[Path]:
    """Return every eighth AVF and all files of other formats."""
    return [path for suffix in FORMATS for path in replay_files(suffix)[:: EVERY if suffix == "avf" else 1]]


@needs_shared
@pytest.mark.shared
@pytest.mark.long(beside="tests/replays/upload/processing/test_served_numbers.py::test_made_files")
def test_a_sample_of_the_real_files(ingest: Ingest) -> None:
    """Print with ``-rP`` how many numbers were compared."""
    compared = {path.name: compare(path.read_bytes(), ingest) for path in sample()}
    results = [result for result, _ in compared.values()]
    print(f"{len(compared)} files, {results.count('won')} won, {results.count('lost')} lost")  # noqa: T201 - the figures, with `pytest -rP`
    assert {name: different for name, (_, different) in compared.items() if different} == {}
    assert {"won", "lost"} <= set(results)
