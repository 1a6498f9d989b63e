"""The table of docs/threats.md tells what each finding rests on, and what it leads to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from analysis.evidence import OPENING
from replays.trust.judging.default_rules import FINDINGS
from replays.trust.judging.findings import FINDING_CODES
from replays.trust.judging.rules import WITHOUT_DOUBT

_ROW: Final = re.compile(r"^\| `(\w+)` \|(.*)\|(.*)\|(.*)\|(.*)\|$", re.MULTILINE)
_FILES_AND_PEOPLE: Final = re.compile(r"([\d,]+) / (\d+)$")
_DOCUMENT: Final = Path(__file__).resolve().parents[4] / "docs" / "threats.md"
TABLE: Final = {code: [cell.strip() for cell in cells] for code, *cells in _ROW.findall(_DOCUMENT.read_text())}


def consequence(code: str) -> str:
    """The consequence of today: that of before stands in brackets."""
    return re.sub(r"\(.*\)", "", TABLE[code][3])


def test_the_table_has_each_finding_once() -> None:
    assert len(_ROW.findall(_DOCUMENT.read_text())) == len(TABLE)
    assert TABLE.keys() == FINDING_CODES


@pytest.mark.parametrize("code", sorted(FINDING_CODES))
def test_its_consequence_is_that_of_the_rules(code: str) -> None:
    found = consequence(code)
    accuses = code in FINDINGS and code not in WITHOUT_DOUBT
    assert ("suspicious" in found or found.strip() == "linked") == accuses
    assert ("unverified" in found) == (code in WITHOUT_DOUBT)
    assert ("open" in found) == (code in OPENING)


@pytest.mark.parametrize("code", [code for code, row in TABLE.items() if row[0].startswith("learnt")])
def test_what_was_learnt_from_few_accuses_nobody(code: str) -> None:
    _rests_on, evidence, false_alarms, _consequence = TABLE[code]
    found = _FILES_AND_PEOPLE.fullmatch(evidence)
    files, people = (int(number.replace(",", "")) for number in found.groups()) if found else (0, 0)
    if "suspicious" in consequence(code):
        assert files >= 30
        assert people >= 10
        assert false_alarms
