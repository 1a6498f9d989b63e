"""A site whose kernels are not compiled yet says so, and has them compiled."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from celery.exceptions import Retry
from django.test import Client

from analysis import warmup
from replays.models import Replay
from replays.tasks import luck
from replays.upload import kernels
from tests.replays.conftest import Ingest
from tests.replays.games import game_file
from tests.services import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run; no kernel is compiled."""
    run: list[list[str]] = []

    def record(command: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        run.append(command)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(warmup, "is_ready", lambda _name: False)
    monkeypatch.setattr(subprocess, "run", record)
    return run


@pytest.fixture
def game(ingest: Ingest) -> Replay:
    return ingest(game_file())


@pytest.mark.parametrize(
    "address",
    ["/replays/{}/", "/replays/{}.rawvf", "/tools/probability/?position=1./..&mines=1"],
)
def test_a_page_asks_to_come_back(game: Replay, commands: list[list[str]], client: Client, address: str) -> None:
    response = client.get(address.format(game.pk))
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert '<meta http-equiv="refresh"' in response.content.decode()
    wait_until(lambda: commands, what="the command that compiles")
    assert "analysis.warmup" in commands[0]


@pytest.mark.parametrize(
    "address",
    ["replays/{}/luck/", "replays/{}/position/?event=1", "replays/{}/rawvf", "probability/?position=1./..&mines=1"],
)
def test_the_api_asks_to_come_back(game: Replay, commands: list[list[str]], client: Client, address: str) -> None:
    response = client.get(f"/api/v1/{address.format(game.pk)}")
    assert (response.status_code, response.json()["code"]) == (503, "getting_ready")
    assert int(response["Retry-After"]) > 0


def test_all_other_pages_answer(game: Replay, commands: list[list[str]], client: Client) -> None:
    for address in ("/", "/replays/", "/leaderboards/", f"/api/v1/replays/{game.pk}/", "/tools/"):
        assert client.get(address).status_code == 200
    assert commands == []


def test_waiting_visitors_leave_no_errors_in_the_log(
    commands: list[list[str]], client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client.get("/tools/probability/")
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_one_process_at_a_time_compiles(commands: list[list[str]]) -> None:
    with kernels._compiling:
        kernels.compile_beside()
    assert commands == []
    kernels.compile_beside()
    wait_until(lambda: not kernels._compiling.locked(), what="the end of the command")
    assert len(commands) == 1


def test_what_cannot_be_compiled_is_logged(
    monkeypatch: pytest.MonkeyPatch, commands: list[list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(
        subprocess, "run", lambda command, **_options: subprocess.CompletedProcess(command, 1, "", "no compiler here")
    )
    kernels.compile_beside()
    wait_until(lambda: "no compiler here" in caplog.text, what="the message")
    wait_until(lambda: not kernels._compiling.locked(), what="the end of the command")


def test_luck_waits_for_its_kernels(game: Replay, commands: list[list[str]]) -> None:
    """Compiling in the worker would make uploads wait."""
    with pytest.raises(Retry):
        luck.apply(args=([game.pk],), throw=True)
    wait_until(lambda: commands, what="the command that compiles")
