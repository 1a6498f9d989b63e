"""The import contracts hold, and import-linter detects violations."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("config", "replays", "players", "analysis")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the packages and the contracts, which tests change."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_imports_run_one_way() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("analysis/board.py", "import django"),
        ("analysis/board.py", "import players.models"),
        ("players/models.py", "import replays.models"),
        ("replays/models/replay.py", "import config.urls"),
    ],
)
def test_a_wrong_import_is_found(copy: Path, module: str, line: str) -> None:
    with (copy / module).open("a") as file:
        file.write(f"\n{line}\n")
    done = lint_imports(copy)
    assert done.returncode != 0
    assert line.split()[1].split(".")[0] in done.stdout
