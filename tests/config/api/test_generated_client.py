"""A Python client that openapi-python-client makes of the schema works."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import Replay
from replays.upload.processing.services import analyse_replays
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db(transaction=True)
_NAME = "generated_client"


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the client's package, which can be imported."""
    schema = tmp_path / "schema.json"
    schema.write_bytes(Client().get("/api/v1/schema", headers={"accept": "application/json"}).content)
    # Nothing is formatted after it: that would need other programs.
    options = tmp_path / "options.json"
    options.write_text(json.dumps({"post_hooks": []}))
    folder = tmp_path / _NAME
    command = [
        str(Path(sys.executable).with_name("openapi-python-client")), "generate", f"--path={schema}", "--meta=none",
        f"--output-path={folder}", f"--config={options}", "--fail-on-warning",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


@pytest.mark.long(beside="tests/config/api/test_example_programs.py::test_a_mirror_follows_and_equals_a_fresh_one")
def test_a_client_walks_from_the_upload_to_the_board(
    generated: Path,
    store: Path,  # noqa: F811
    owner: User,
    live_server: Any,
) -> None:
    for module in sorted(generated.rglob("*.py")):
        compile(module.read_text(), str(module), "exec")
    package = _module()
    token = token_create(owner, "test", [Scope.READ, Scope.UPLOAD])[1]
    with package.AuthenticatedClient(base_url=live_server.url, token=token) as client:
        _walk(client)


def _walk(client: Any) -> None:
    form = _module("models.upload_request").UploadRequest(
        file=[_module("types").File(payload=BytesIO(game_file()), file_name="game.rawvf")]
    )
    receipt = _call("replays", "replays_upload", client=client, body=form).receipts[0]
    assert (receipt.outcome.value, receipt.status) == ("stored", "queued")

    def status() -> str:
        rows = _call("replays", "replays_status", client=client, ids=str(receipt.id)).rows
        return str(rows[0].status.value)

    assert status() == "queued"
    waiting = _call("replays", "replays_detail", receipt.id, client=client)
    assert (waiting.level, waiting.style, waiting.result, waiting.links.rawvf) == (None, None, None, None)
    analyse_replays([receipt.id])
    assert status() == "done"
    replay = _call("replays", "replays_detail", receipt.id, client=client)
    stored = Replay.objects.get()
    assert (replay.statistics["cls"], replay.statistics["is"]) == (stored.statistic("cls"), stored.statistic("isl"))

    level = _module("models.leaderboard_level").LeaderboardLevel(replay.level.value)
    statistic = _module("models.leaderboard_statistic").LeaderboardStatistic("time")
    board = _call("leaderboards", "leaderboard", level, statistic, client=client)
    assert [row.replay.id for row in board.rows] == [receipt.id]
    kinds = {row.kind.value for row in _call("statistics", "statistics", client=client).rows}
    assert kinds == {"basic", "derived", "luck"}


def _module(name: str = "") -> Any:
    return importlib.import_module(f"{_NAME}.{name}" if name else _NAME)


def _call(tag: str, operation: str, *args: object, **options: object) -> Any:
    answer = _module(f"api.{tag}.{operation}").sync(*args, **options)
    assert answer is not None
    return answer
