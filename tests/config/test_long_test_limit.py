"""A test that takes long says why, or fails; run on files of its own with a limit of a fifth of a second."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
from tests import long_tests

long_tests.MOST_SECONDS = 0.2


def pytest_configure(config):
    for line in ("slow(why)", "long(beside)"):
        config.addinivalue_line("markers", line)
    config.pluginmanager.register(long_tests.LongTests())
"""
TESTS = """
import time

import pytest


def busy():
    end = time.process_time() + 0.5
    while time.process_time() < end:
        pass


@pytest.fixture(scope="session")
def shared():
    busy()
    yield
    busy()


def test_short(shared):
    pass


def test_long_without_a_reason():
    busy()


@pytest.mark.slow(why="a reason")
def test_long_with_a_reason():
    busy()


def test_that_waits():
    time.sleep(0.5)
"""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("limit")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_times.py").write_text(TESTS)
    (folder / "pytest.ini").touch()
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:django", "-p", "no:cacheprovider", "-p", "no:xdist"]
    without = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(
        [*command, str(folder)], cwd=folder, env=without | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    return run.stdout


@pytest.mark.long(beside="tests/config/test_long_tests.py::test_each_long_test_names_one_that_is_always_run")
def test_what_takes_long_without_a_reason_fails(printed: str) -> None:
    assert "test_long_without_a_reason took 0." in printed
    assert "1 failed, 3 passed" in printed


@pytest.mark.long(beside="tests/config/test_long_tests.py::test_each_long_test_names_one_that_is_always_run")
def test_what_waits_is_listed(printed: str) -> None:
    listed = printed.partition("of the clock, without a reason")[2]
    assert "test_that_waits" in listed
    assert "test_long_with_a_reason" not in listed
