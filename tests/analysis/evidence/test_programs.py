"""The table of programs."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from analysis.evidence import programs
from analysis.evidence.programs import PROGRAMS, program_findings, withdrawn_when_received
from tests.analysis.evidence.honest import recording


def test_every_row_is_of_a_format_with_seals_and_stands_once() -> None:
    assert {row.format for row in PROGRAMS} == {"avf", "evf", "mvf", "rmv"}
    assert max(Counter((row.format, row.version) for row in PROGRAMS).values()) == 1


def test_days_are_in_order_and_an_end_has_a_reason() -> None:
    for row in PROGRAMS:
        assert row.first is None or row.last is None or row.first < row.last, row
        assert bool(row.reason) == (row.last is not None), row


def test_variants_are_of_evf_alone() -> None:
    assert {row.format for row in PROGRAMS if row.variants} == {"evf"}


def test_a_day_that_is_not_known_is_said_to_be_none() -> None:
    """An empty field would tell nobody whether somebody has looked."""
    with Path(programs.__file__).with_name("programs.csv").open(encoding="utf-8", newline="") as table:
        assert all(row["first"] and row["last"] for row in csv.DictReader(table))
    with pytest.raises(ValueError, match="Invalid isoformat"):
        programs._day("")


def test_every_version_of_clone_has_ended() -> None:
    assert {row.last for row in PROGRAMS if row.format == "mvf"} == {date(2013, 12, 31)}


def test_a_withdrawn_program_is_told_by_the_day_on_which_its_file_came() -> None:
    """Whatever the file says; a day more, for the zones."""
    clone, last = recording("mvf 2007"), date(2013, 12, 31)
    for stated in (clone, replace(clone, played_at=None)):
        assert withdrawn_when_received(stated, last + timedelta(days=1)) is None
        late = withdrawn_when_received(stated, last + timedelta(days=2))
        assert late is not None
        assert (late.code, late.params["received"], late.params["last"]) == (
            "version_withdrawn",
            "2014-01-02",
            "2013-12-31",
        )
    assert withdrawn_when_received(recording("avf"), date(2099, 1, 1)) is None
    assert withdrawn_when_received(replace(clone, software="Clone of my own"), date(2099, 1, 1)) is None


ARBITER, VIENNA = "Minesweeper Arbiter ", "Vienna Minesweeper - Release "


@pytest.mark.parametrize(
    ("form", "software", "codes"),
    [
        *(("avf", ARBITER + version, []) for version in ("0.51", "0.51.2", "0.49.5", "0.50b", "0.48", "0.52.3")),
        *(("rmv 2", VIENNA + version, []) for version in ("5.0.0b4", "5.1.0", "4.0.0", "3.0.2H", "2.2")),
        *(("avf", ARBITER + version, ["version_new"]) for version in ("0.519", "0.5000.9", "0.52.4", "0.53")),
        *(("rmv 2", VIENNA + version, ["version_new"]) for version in ("5.777", "5.2", "5.10", "6.0")),
        *(("avf", ARBITER + version, ["version_unknown"]) for version in ("0.51 by me", "0.51.x", "0.51.2.", "0.51.", "0.51\n")),
        *(("rmv 2", VIENNA + version, ["version_unknown"]) for version in ("5.x made by me", "5.", "5.0 of mine", "3.777", "2.")),
        ("mvf 2007", "Minesweeper Clone 2007 release 1 by me", ["version_unknown"]),
    ],
)  # fmt: skip
def test_a_star_stands_for_the_rest_of_a_version_alone(form: str, software: str, codes: list[str]) -> None:
    found = program_findings(replace(recording(form), software=software))
    assert [finding.code for finding in found] == codes
