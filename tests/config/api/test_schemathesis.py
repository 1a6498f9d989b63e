"""The schema is true: Schemathesis derives requests from it, right and wrong ones, and holds the answers against it.

In the usual run it draws a few requests for each operation; `make test-schema` also tries every bound and every wrong type
of every parameter, more than 10,000 requests.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from players.models import Player, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from tests.effort import LONG, amount
from tests.pages.conftest import MakePlayers, make_players  # noqa: F401 - a fixture
from tests.replays.conftest import Ingest, ingest, store  # noqa: F401 - fixtures
from tests.replays.games import game_file
from tests.worker import ROOT

pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)
_CASES = re.compile(r"(\d+) generated")
_PHASES = "examples,coverage,fuzzing" if LONG else "fuzzing"


@pytest.fixture
def known_id(
    make_players: MakePlayers,  # noqa: F811
    ingest: Ingest,  # noqa: F811
    owner: User,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> int:
    """A small site; returns an id that a player and an analysed replay have."""
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "1000000/minute")
    settings.UPLOAD_QUOTA_FILES = settings.UPLOAD_QUOTA_MB = 1_000_000
    number = Player.objects.get(user=owner).pk
    assert ingest(game_file(), uploader=owner).pk == number
    make_players(3)
    return number


@pytest.mark.long(beside="tests/config/api/test_answers.py::test_counts_are_whole_numbers")
def test_every_operation_does_what_the_schema_says(
    known_id: int, owner: User, live_server: Any, tmp_path: Path
) -> None:
    token = token_create(owner, "test", [Scope.READ, Scope.UPLOAD])[1]
    command = [
        str(Path(sys.executable).with_name("schemathesis")), f"--config-file={ROOT}/tests/config/api/schemathesis.toml", "run",
        f"{live_server.url}/api/v1/schema", f"--url={live_server.url}", f"--header=Authorization: Token {token}", "--no-color", "--warnings=off",
        f"--max-examples={amount(long=100, usual=4)}", f"--phases={_PHASES}", "--generation-deterministic",
        "--continue-on-failure",
    ]  # fmt: skip
    environment = {**os.environ, "SWEEPBOOK_KNOWN_ID": str(known_id), "PYTHONPATH": str(ROOT)}
    # In a folder of its own: it remembers the requests that failed in earlier runs, and sends them first.
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    print(done.stdout)  # noqa: T201 - the numbers of the run, with `pytest -rP`
    assert done.returncode == 0, f"{done.stdout[-12_000:]}\n{done.stderr[-3_000:]}"
    found = _CASES.search(done.stdout)
    assert found is not None
    assert int(found[1]) >= amount(long=10_000, usual=100)
