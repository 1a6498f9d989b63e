"""Getting started: each example of the page is run as it stands there, by a shell, against a live server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from analysis.recording import Level
from analysis.statistics import BY_NAME
from players.models import RecordEvent, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.upload.processing.services import analyse_replays
from tests.factories import rank_replays, stored_replay
from tests.pages.conftest import board_of
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import avf_file

pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)
_EXAMPLE = re.compile(r'<code data-example="(\w+)"(?: data-language="\w+")?>(.*?)</code>', re.DOTALL)


def examples() -> dict[str, str]:
    page = Client().get("/api/v1/docs/start/").content.decode()
    return {name: unescape(text) for name, text in _EXAMPLE.findall(page)}


@pytest.mark.skipif(shutil.which("curl") is None, reason="the examples call curl")
def test_the_examples_work_as_they_are_printed(
    owner: User, live_server: Any, settings: Settings, tmp_path: Path
) -> None:
    settings.SITE_URL = live_server.url
    settings.ANONYMOUS_UPLOADS = False
    (tmp_path / "game.avf").write_bytes(avf_file())
    shown = examples()
    token = shown.pop("token")
    assert "your-token" in token
    before = token.replace("your-token", token_create(owner, "test", [Scope.READ, Scope.UPLOAD])[1])

    def run_python(name: str) -> list[str]:
        command = [sys.executable, "-W", "error::SyntaxWarning", "-c", shown[name]]
        done = subprocess.run(command, cwd=tmp_path, env={"NO_PROXY": "*"}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def run(name: str) -> Any:
        command = f"{before}\n{shown.pop(name)}"
        environment = {"PATH": os.environ["PATH"], "NO_PROXY": "*"}
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout)

    assert run("index")["links"]["start"] == "/api/v1/docs/start/"
    assert run_python("bot") == []
    receipt = run("upload")["receipts"][0]
    assert (receipt["outcome"], receipt["id"]) == ("stored", 1)
    analyse_replays([1])
    assert run("status")["rows"][0]["status"] == "done"
    replay = run("replay")
    assert replay["player"]["html_url"].startswith("/players/")
    assert run("board")["style"] == "NF"
    assert run("list")["next_cursor"] is None
    problem = run("error")
    assert (problem["code"], list(problem["errors"])) == ("bad_parameter", ["size"])
    assert run("schema")["openapi"].startswith("3.")
    told = run_python("bot")
    assert replay["player"]["name"] in told[0]
    assert run_python("bot") == []
    assert run_python("notebook") == ["0 players"]
    rank_replays(
        [
            stored_replay(owner.player, time_ms=45_000, style=style, board=board_of(Level.EXPERT))
            for style in ("NF", "FL")
        ]
    )
    assert run_python("notebook") == ["1 players 45.0 s"]
    told += run_python("bot")
    records = RecordEvent.objects.filter(kind=RecordEvent.Kind.SITE).order_by("id")
    expected = [[one.level, BY_NAME[one.statistic].public, one.style] for one in records]
    assert [line.split()[-4:-1] for line in told] == expected
    assert {style for _level, _statistic, style in expected} == {"all", "NF", "FL"}
    del shown["bot"], shown["notebook"]
    assert "fetch(" in shown.pop("page")  # tests/e2e/test_api_docs.py runs it
    assert not shown, "examples that nothing runs"


def test_the_page_states_the_limits_as_they_are_set(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.UPLOAD_QUOTA_FILES = 77
    monkeypatch.setattr("analysis.limits.UPLOAD_MAX_FILES", 123)
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "66/minute")
    page = Client().get("/api/v1/docs/start/").content.decode()
    for text in ("77 files", "123 files", "66/minute", "200 replays at once", "Bearer", "next_cursor", "1.0.0"):
        assert text in page


def test_the_page_is_linked_and_in_chinese(client: Client) -> None:
    assert "/api/v1/docs/start/" in client.get("/api/v1/docs/").content.decode()
    page = client.get("/api/v1/docs/start/", headers={"accept-language": "zh-hans"}).content.decode()
    assert "<h1>快速入门</h1>" in page
