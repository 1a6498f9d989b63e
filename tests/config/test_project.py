"""Project files: requirements have reasons, migrations are complete, the Makefile's help is right."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from config.version import version

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_has_a_range_and_a_reason(name: str) -> None:
    lines = [line for line in (ROOT / name).read_text().splitlines() if line and not line.startswith(("#", "-r"))]
    assert lines
    for line in lines:
        assert re.fullmatch(r"[\w\[\],.-]+>=[\d.]+(,<[\d.]+)?\s+# \S.*", line), line


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_the_lock_holds_every_requirement_within_its_range(name: str) -> None:
    lock = (ROOT / f"{name}.lock").read_text()
    pins: dict[str, list[str]] = {}
    for package, pinned in re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE):
        pins.setdefault(canonicalize_name(package), []).append(pinned)
    for line in (ROOT / f"{name}.txt").read_text().splitlines():
        if line and not line.startswith(("#", "-r")):
            requirement = Requirement(line.partition("#")[0])
            versions = pins[canonicalize_name(requirement.name)]
            assert all(requirement.specifier.contains(version) for version in versions), (line, versions)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_names_hashes_and_no_addresses(name: str) -> None:
    lock = (ROOT / name).read_text()
    assert not re.search(r"https?:|file:|--index|--find-links", lock)
    blocks = re.split(r"^(?=[\w.-]+==)", lock, flags=re.MULTILINE)[1:]
    assert len(blocks) > 40
    assert [block.splitlines()[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_both_locks_agree() -> None:
    """A test runs with the versions that the site runs with."""
    site, tests = (set(_pins(name)) for name in ("requirements.lock", "requirements-dev.lock"))
    assert site <= tests


def _pins(name: str) -> list[str]:
    return re.findall(r"^[\w.-]+==[^\\\n]+", (ROOT / name).read_text(), re.MULTILINE)


@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_every_target_of_the_makefile_says_what_it_does() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = set(re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split())  # type: ignore[index]
    described = set(re.findall(r"^([a-z-]+):.*## \S", makefile, re.MULTILINE))
    assert described == phony


def test_targets_that_measure_say_their_minutes() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = dict(re.findall(r"^(bench[a-z-]*|oracle|fuzz[a-z-]*):.*?## (.*)$", makefile, re.MULTILINE))
    assert 10 < len(targets) < 16
    assert [name for name, text in targets.items() if not re.match(r"\d+ min: ", text)] == []


def test_the_documents_name_targets_and_programs_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = 0
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        text = document.read_text()
        for target in re.findall(r"`make ([a-z-]*[a-z])\b(?!-)", text):
            named += 1
            assert target in targets, f"{document.name}: make {target}"
        for module in re.findall(r"python -m (tests[\w.]*\w)", text):
            named += 1
            path = ROOT.joinpath(*module.split("."))
            assert path.is_dir() or path.with_suffix(".py").is_file(), f"{document.name}: {module}"
    assert named > 20


def test_the_tests_that_the_documents_name_exist() -> None:
    """``folder/test_file.py::test_name`` in docs/viewer.md."""
    named = set(re.findall(r"`([\w/]+\.py)::(\w+)`", (ROOT / "docs" / "viewer.md").read_text()))
    assert len(named) > 20
    for file, name in named:
        assert re.search(rf"^def {name}\(", (ROOT / "tests" / file).read_text(), re.MULTILINE), f"{file}::{name}"


def test_paths_that_the_documents_name_exist() -> None:
    """`folder/file.py` and `folder/` in README, CONTRIBUTING and the architecture."""
    named = 0
    for document in ("README.md", "CONTRIBUTING.md", "docs/architecture.md"):
        for path in re.findall(
            r"`((?:analysis|config|docs|players|replays|templates|tests)/[\w./-]*)`", (ROOT / document).read_text()
        ):
            named += 1
            assert (ROOT / path).exists(), f"{document}: {path}"
    assert named > 40


def test_the_glossary_is_short_and_right() -> None:
    """At most 150 rows, no term twice, and every module exists."""
    glossary = (ROOT / "docs" / "glossary.md").read_text()
    rows = [line.split(" | ")[0].removeprefix("| ") for line in glossary.splitlines() if line.startswith("| ")]
    terms = [term.lower() for row in rows if row != "term" for term in row.split(", ")]
    assert 100 < len(rows) - rows.count("term") <= 150
    assert [term for term, times in Counter(terms).items() if times > 1] == []
    modules = re.findall(r"`([\w.-]+(?:/[\w.-]+)+)`", glossary)
    assert len(modules) > 100
    assert [module for module in modules if not (ROOT / module).exists()] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120


def test_the_version_is_that_of_the_changelog() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", version())
    assert f"\n## {version()} " in (ROOT / "CHANGELOG.md").read_text()


def test_changes_of_the_api_have_entries_of_their_own_in_the_changelog() -> None:
    """``docs/api.md`` promises that programs need no others."""
    entries = re.split(r"\n(?=- |#)", (ROOT / "CHANGELOG.md").read_text())
    of_api = [entry for entry in entries if re.search(r"API:|/api/v1/(?!docs/)", entry)]
    assert [entry for entry in of_api if not entry.startswith("- API: ") or entry.count("API:") > 1] == []
