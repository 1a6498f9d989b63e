"""Tests of the rooms that a change touches: ``python -m tests.touched [COMMIT]`` prints their paths, one a line.

A change is everything since ``COMMIT`` (by default ``origin/main``), with what is not committed yet.  A room is a folder
of a feature, as ``replays/watch/film``.  The change of a module touches its room, the rooms of the modules that import
it directly, and the test files that do; templates, scripts and styles touch the room whose name their folder has.  The
tests of a room are the folder of the same name, and the pages and the browser tests that are called after it.

A module that half of the site imports touches half of the site; then ``make test`` is the shorter way, and the last
line says so.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

import grimp

ROOT: Final = Path(__file__).resolve().parent.parent
PRODUCT: Final = ("config", "replays", "players", "analysis")
#: Modules that wire everything: they import a view without depending on what it does.
WIRING: Final = frozenset({"urls", "api_urls", "staff_urls", "apps", "admin", "settings", "asgi"})
#: Files that every page or every test depends on.
EVERYTHING: Final = ("requirements", "pyproject.toml", "Makefile", "tests/conftest.py", "tests/services.py")
MOST_ROOMS: Final = 12


def changed_files(commit: str) -> list[str]:
    """Return the paths that differ from the commit where this branch left ``commit``, untracked files included."""
    base = _git("merge-base", commit, "HEAD")[0]
    return sorted({*_git("diff", "--name-only", base), *_git("ls-files", "--others", "--exclude-standard")})


def _git(*arguments: str) -> list[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


@cache
def graph() -> grimp.ImportGraph:
    """Return the imports between the modules of the site and its tests."""
    return grimp.build_graph(*PRODUCT, "tests", cache_dir=None)


def touched_by(files: Iterable[str]) -> list[str] | None:
    """Return the test files and folders for the changed ``files``; None for all of them."""
    rooms: set[str] = set()
    tests: set[str] = set()
    for file in files:
        if file.startswith(EVERYTHING):
            return None
        path = PurePosixPath(file)
        if path.parts[0] == "tests":
            tests |= _tests_with(path)
        elif path.parts[0] in PRODUCT and path.suffix == ".py":
            module = module_of(path)
            rooms.add(room_of(path))
            if path.parent.name == "commands":
                tests |= _tests_that_name(f'"{path.stem}"')
            for importer in _importers(module):
                other = PurePosixPath(importer.replace(".", "/") + ".py")
                if other.parts[0] == "tests":
                    tests |= _tests_with(other)
                elif other.stem not in WIRING:
                    rooms.add(room_of(other if (ROOT / other).exists() else other.with_suffix("") / "__init__.py"))
        elif room := _room_of_asset(path):
            rooms.add(room)
        else:
            tests |= _tests_that_name(path.name)
    if len(rooms) > MOST_ROOMS:
        return None
    for room in rooms:
        tests |= _tests_of_room(room)
    return _without_nested(tests)


def module_of(path: PurePosixPath) -> str:
    """Return the dotted name of a Python file."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def room_of(path: PurePosixPath) -> str:
    """Return the folder of a file's feature: at most three names, as ``replays/watch/film``; ``replays`` for its files."""
    return "/".join(path.parent.parts[:3])


@cache
def _importers(module: str) -> set[str]:
    if module not in graph().modules:  # deleted, or new in a package that was not one
        return set()
    found = set(graph().find_modules_that_directly_import(module))
    package = module.rpartition(".")[0]
    if package in graph().modules and package in found:  # a package passes the names of its modules on
        found |= graph().find_modules_that_directly_import(package)
    return found


def _room_of_asset(path: PurePosixPath) -> str | None:
    """Return the room of a template, script or style: the folder below ``templates`` or ``static`` has its name."""
    parts = path.parts
    if parts[0] == "templates" and len(parts) > 2:
        return _existing(parts[1:-1])
    if "static" in parts[:3]:
        place = parts.index("static")
        return _existing((*parts[:place], *parts[place + 1 : -1]))
    return None


def _existing(parts: tuple[str, ...]) -> str | None:
    while parts and not (ROOT / "/".join(parts) / "__init__.py").is_file():
        parts = parts[:-1]
    return "/".join(parts[:3]) or None


def _tests_with(path: PurePosixPath) -> set[str]:
    """Return a test file itself; for a helper the test files that import it; for a conftest its folder."""
    if path.name.startswith("test_"):
        return {str(path)} if (ROOT / path).exists() else set()
    if path.name == "conftest.py":
        return {str(path.parent)}
    module = module_of(path)
    if module not in graph().modules:
        return set()
    importers = graph().find_modules_that_directly_import(module)
    return {str(PurePosixPath(name.replace(".", "/") + ".py")) for name in importers if ".test_" in name}


@cache
def _texts() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text() for path in (ROOT / "tests").rglob("test_*.py")}


def _tests_that_name(file: str) -> set[str]:
    """Return the test files that name a page of docs, a unit, a catalogue, a table."""
    return {name for name, text in _texts().items() if file in text}


@cache
def _tests_of_room(room: str) -> set[str]:
    """Return the folder of a room's tests, and the files for pages, browser and processes that are called after it.

    A room without any is tested with the folder above.
    """
    found: set[str] = set()
    folder = ROOT / "tests" / room
    if folder.is_dir() and room.count("/"):
        found.add(f"tests/{room}")
    elif folder.is_dir():  # a package itself: its own test files, not those of all its rooms
        found |= {str(path.relative_to(ROOT)) for path in folder.glob("test_*.py")}
    name = room.rpartition("/")[2]
    for test in _texts():
        path = PurePosixPath(test)
        if path.parts[1] in ("pages", "e2e", "stack"):
            words = f"_{path.stem}_"
            if f"_{name}_" in words or f"_{name.removesuffix('s')}_" in words or name in path.parts[2:-1]:
                found.add(test)
    return found if found or "/" not in room else _tests_of_room(room.rpartition("/")[0])


def _without_nested(paths: set[str]) -> list[str]:
    """Return ``paths`` without those that lie in another of them, which pytest would run twice."""
    return sorted(path for path in paths if not any(path.startswith(f"{other}/") for other in paths))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", nargs="?", default="origin/main")
    found = touched_by(changed_files(parser.parse_args().commit))
    if found is None:
        print("tests")  # noqa: T201 - read by make
        print("The change touches half of the site: every test runs.", file=sys.stderr)  # noqa: T201
    else:
        print("\n".join(found))  # noqa: T201


if __name__ == "__main__":
    main()
