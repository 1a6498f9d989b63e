"""Short attacks on a site as `make run` starts it: it answers, its threads and memory stay bounded.

How long a visitor waits meanwhile is measured by ``python -m tests.bench.attacks``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from config.http.application import THREADS
from tests.bench.attacks import kinds
from tests.bench.attacks.site import Site, running
from tests.bench.attacks.visitor import walk

pytestmark = pytest.mark.stack
SECONDS = 3.0
#: Of the server itself: the event loop, and threads of libraries.
_OTHER_THREADS = 16
_MOST_GROWTH_BYTES = 300_000_000


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("attacked"), 40) as made:
        yield made


@pytest.mark.long(
    beside="tests/config/http/test_application.py::test_the_length_of_an_error_of_the_api_is_that_of_its_body"
)
@pytest.mark.parametrize(
    ("attack", "statuses"),
    [
        pytest.param(kinds.unread, {200}, id="unread"),
        pytest.param(partial(kinds.half_open, sockets=200), set(), id="half-open"),
        pytest.param(kinds.positions, {200, 422, 429, 503}, id="positions"),
        pytest.param(kinds.large_pages, {200}, id="large"),
        pytest.param(kinds.large_luck, {200, 429, 503}, id="luck"),
        pytest.param(kinds.body, {0, 413}, id="body"),
        pytest.param(kinds.solver, {200, 422, 429, 503}, id="solver"),
        pytest.param(kinds.sign_in, {200, 403, 429, 503}, id="sign-in"),
    ],
)
def test_the_site_stands(site: Site, attack: kinds.Attack, statuses: set[int]) -> None:
    before = site.web().memory_info().rss
    answers: Counter[int] = attack(site.target, SECONDS)
    assert set(answers) <= statuses, answers
    assert site.web().num_threads() <= THREADS + _OTHER_THREADS
    assert site.web().memory_info().rss < before + _MOST_GROWTH_BYTES
    assert set(walk(site.target.port, site.paths, 1.0).statuses) == {200}
    assert site.health()["status"] == "ok"
    assert not _files_of_bodies(site.home)


def _files_of_bodies(home: Path) -> list[Path]:
    """Nothing of an anonymous body is left in the file store."""
    return list((home / "data" / "replays" / "incoming").glob("*"))
