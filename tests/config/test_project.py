"""The files around the code: requirements with reasons, migrations complete, a Makefile that tells the truth."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_has_a_range_and_a_reason(name: str) -> None:
    lines = [line for line in (ROOT / name).read_text().splitlines() if line and not line.startswith(("#", "-r"))]
    assert lines
    for line in lines:
        assert re.fullmatch(r"[\w\[\],.-]+>=[\d.]+(,<[\d.]+)?\s+# \S.*", line), line


@pytest.mark.database
@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_every_target_of_the_makefile_says_what_it_does() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = set(re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split())  # type: ignore[index]
    described = set(re.findall(r"^([a-z-]+):.*## \S", makefile, re.MULTILINE))
    assert described == phony
