"""The import contracts hold, and import-linter detects violations."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
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


@pytest.mark.long(beside="tests/config/test_layers.py::test_imports_run_one_way")
def test_wrong_imports_are_found(copy: Path) -> None:
    wrong = (
        ("analysis.board", "django"), ("analysis.board", "players.models"), ("players.models", "replays.models"),
        ("replays.models.replay", "config.urls"),
    )  # fmt: skip
    for module, other in wrong:
        path = copy.joinpath(*module.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        with path.open("a") as file:
            file.write(f"\nimport {other}\n")
    done = lint_imports(copy)
    assert done.returncode != 0
    assert [one for one in wrong if f"{one[0]} -> {one[1]} (" not in done.stdout] == [], done.stdout


#: Files that every feature may have, and those of Django.
FIXED = {
    "__init__", "admin", "api", "api_urls", "apps", "commands", "forms", "models", "permissions", "selectors",
    "serializers", "services", "tasks", "urls", "views",
}  # fmt: skip
DJANGOS = FIXED | {"management", "migrations", "static", "templatetags"}


@pytest.mark.parametrize(("app", "rooms"), [("players", 8), ("replays", 9)])
def test_an_app_has_few_rooms(app: str, rooms: int) -> None:
    own = {path.name for path in (ROOT / app).iterdir() if path.stem not in DJANGOS and path.name != "__pycache__"}
    loose = {name for name in own if name.endswith(".py")}
    assert len(own - loose) <= rooms
    assert len(loose) <= 4


@pytest.mark.parametrize("app", ["players", "replays", "config"])
def test_the_name_of_a_module_is_unique_in_its_app(app: str) -> None:
    paths = [path for path in (ROOT / app).rglob("*.py") if not {"migrations", "commands"} & set(path.parts)]
    names = Counter(path.stem for path in paths if path.stem not in FIXED)
    assert len(names) > 20
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("app", ["players", "replays"])
def test_templates_mirror_the_rooms(app: str) -> None:
    folders = [path for path in (ROOT / "templates" / app).rglob("*") if path.is_dir()]
    assert len(folders) > 8
    missing = [path for path in folders if not (ROOT / path.relative_to(ROOT / "templates")).is_dir()]
    assert missing == [ROOT / "templates" / "players" / "accounts" / "second_factor"] * (app == "players")
    assert [path for path in (ROOT / "templates" / app).iterdir() if path.is_file()] == []
