"""Compiled kernels of yesterday's code must not be used today."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config import kernel_cache

FILES = {
    "analysis/__init__.py": "",
    "analysis/limits.py": "LIMIT = 1\n",
    "analysis/words.py": "from analysis.limits import LIMIT\n",
    "analysis/other.py": "TEXT = 'no kernel comes near this'\n",
    "analysis/kernels/__init__.py": "",
    "analysis/kernels/grid.py": "from numba import njit\nfrom analysis.words import LIMIT\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("analysis/kernels/grid.py", True),
        ("analysis/words.py", True),
        ("analysis/limits.py", True),
        ("analysis/other.py", False),
    ],
)
def test_a_change_of_what_kernels_are_made_of_changes_the_folder(root: Path, name: str, changes: bool) -> None:
    before = kernel_cache.fingerprint(root)
    assert kernel_cache.fingerprint(root) == before
    with (root / name).open("a") as file:
        file.write("# changed\n")
    assert (kernel_cache.fingerprint(root) != before) is changes


@pytest.mark.parametrize("line", ["import config", "import config.celery", "import config.settings"])
def test_numba_is_told_before_it_is_imported(line: str, tmp_path: Path) -> None:
    environment = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    code = f"{line}; import numba; print(numba.config.CACHE_DIR)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).resolve().parents[2],
        env=environment | {"DATA_DIR": str(tmp_path), "SECRET_KEY": "x"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert kernel_cache.fingerprint(Path(__file__).resolve().parents[2]) in done.stdout


def test_a_folder_that_the_user_named_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    kernel_cache.choose()
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path)


def test_a_folder_of_older_code_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = os.environ["NUMBA_CACHE_DIR"]
    monkeypatch.setenv("NUMBA_CACHE_DIR", chosen[:-16] + "0" * 16)
    kernel_cache.choose()
    assert os.environ["NUMBA_CACHE_DIR"] == chosen


def test_only_old_folders_are_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = {"numba-current": 0, "numba-fresh": 3600, "numba-old": 3 * 86400, "other-old": 3 * 86400}
    for name, age_seconds in names.items():
        (tmp_path / name).mkdir()
        at = time.time() - age_seconds
        os.utime(tmp_path / name, (at, at))
    monkeypatch.setattr(kernel_cache, "_PLACE", tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba-current"))
    kernel_cache.prune()
    assert {path.name for path in tmp_path.iterdir()} == {"numba-current", "numba-fresh", "other-old"}
