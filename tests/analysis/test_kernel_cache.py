"""Kernels that were compiled before a change must not be used after it; all others must."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.kernel_cache import imported_files, source_stamp

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "analysis/__init__.py": (ROOT / "analysis/__init__.py").read_text(),
    "analysis/kernel_cache.py": (ROOT / "analysis/kernel_cache.py").read_text(),
    "analysis/limits.py": "LIMIT = 1\n",
    "analysis/words.py": "from analysis.limits import (\n    LIMIT,\n)\n",
    "analysis/other.py": "TEXT = 'no kernel comes near this'\n",
    "analysis/kernels/__init__.py": "",
    "analysis/kernels/grid.py": (
        "from numba import njit\nfrom analysis.words import LIMIT\n@njit(cache=True)\ndef f(): return LIMIT\n"
    ),
    "analysis/kernels/clicks.py": (
        "from numba import njit\nfrom analysis.kernels.grid import f\n@njit(cache=True)\ndef g(): return f() + 1\n"
    ),
    "analysis/kernels/alone.py": "from numba import njit\n@njit(cache=True)\ndef h(): return 7\n",
}
#: Prints the result of each kernel and how often it was compiled.
RUN = """
from analysis.kernels.alone import h
from analysis.kernels.clicks import g
from analysis.kernels.grid import f
print([(k(), sum(k.stats.cache_misses.values())) for k in (f, g, h)])
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def run(root: Path, **environment: str) -> str:
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=root, env=inherited | environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.long(beside="tests/analysis/test_kernel_cache.py::test_a_stamp_changes_with_everything_that_is_imported")
@pytest.mark.parametrize("folder", ["", "cache"])
def test_a_change_compiles_what_depends_on_it_and_nothing_else(root: Path, folder: str) -> None:
    environment = {"NUMBA_CACHE_DIR": str(root / folder)} if folder else {}
    assert run(root, **environment) == "[(1, 1), (2, 1), (7, 1)]"
    assert run(root, **environment) == "[(1, 0), (2, 0), (7, 0)]"
    (root / "analysis/limits.py").write_text("LIMIT = 5\n")
    assert run(root, **environment) == "[(5, 1), (6, 1), (7, 0)]"
    (root / "analysis/other.py").write_text("")
    (root / "analysis/kernels/alone.py").touch()  # a new time alone changes nothing
    assert run(root, **environment) == "[(5, 0), (6, 0), (7, 0)]"
    assert list((root / (folder or "analysis")).rglob("*.nbi"))


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("analysis/kernels/grid.py", True), ("analysis/words.py", True), ("analysis/limits.py", True),
        ("analysis/other.py", False), ("analysis/kernels/clicks.py", False),
    ],
)  # fmt: skip
def test_a_stamp_changes_with_everything_that_is_imported(root: Path, name: str, changes: bool) -> None:
    kernel = root / "analysis/kernels/grid.py"
    before = source_stamp(kernel, root)
    with (root / name).open("a") as file:
        file.write("# changed\n")
    source_stamp.cache_clear()
    assert (source_stamp(kernel, root) != before) is changes


def parsed_imports(path: Path) -> set[Path]:
    """Return the files of the analysis that ``path`` imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{one.name}" for one in node.names)}
        elif isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
    stems = [ROOT / name.replace(".", "/") for name in names if name.split(".")[0] == "analysis"]
    return {file for stem in stems for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()}


def test_imports_are_found_as_python_finds_them() -> None:
    """Compared with Python's parser, which would be too slow at each start."""
    paths = sorted((ROOT / "analysis").rglob("*.py"))
    assert len(paths) > 100
    found = {str(path): set(imported_files(path, ROOT)) ^ parsed_imports(path) for path in paths}
    assert {path: differing for path, differing in found.items() if differing} == {}
