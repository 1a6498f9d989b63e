"""The codes that make a file open and those that withhold a rank, written out: a slip in either list lets forgeries rank.

The rows come from the table of classes and the list of strong findings in the project's notes on evidence, not from
``analysis.evidence.classes``, which they check.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from analysis import formats
from analysis.analyse import Analysis, analyse
from analysis.evidence import OPENING, STRONG, EvidenceClass, evidence_of
from analysis.recording import Finding
from tests.analysis.evidence.honest import recording
from tests.encoders import native

MAKE_OPEN = (
    # nothing in the file resists a text editor, or its program wrote no seal
    "text_format", "freesweeper", "converted", "moments_missing",
    "seal_absent", "seal_length", "seal_stub",
    # no such program could have written it on that day
    "version_unknown", "version_withdrawn", "before_version",
    # a public check of the format fails
    "checksum_board", "checksum_name", "checksum_stamp", "stamp_unreadable", "stamp_level", "stamp_date",
    "name_differs", "point_half_outside", "header_dates_differ", "file_size", "version_byte", "level_differs",
    "text_not_utf8", "program_line", "filler",
    # a program would have written it in a known way
    "level_unknown", "claim_unread",
)  # fmt: skip
WITHHOLD_THE_RANK = (
    # the events were changed
    "moments_differ", "start_not_zero", "no_path", "trailing_bytes",
    # its program says so
    "not_fair",
    # nobody laid its mines at random
    "unlikely_board",
    # another file has it
    "same_clicks", "similar_clicks",
    # the header contradicts the replayed game
    "time_differs", "bv_differs", "result_differs", "header_times_differ", "header_time_early",
)  # fmt: skip


@cache
def honest_analysis() -> Analysis:
    return analyse(formats.read(native.write(recording())))


def class_with(code: str) -> EvidenceClass:
    analysis = honest_analysis()
    return evidence_of(replace(analysis, findings=(*analysis.findings, Finding(code)))).evidence_class


def test_a_file_without_findings_is_sealed() -> None:
    assert evidence_of(honest_analysis()).evidence_class is EvidenceClass.SEALED


@pytest.mark.parametrize("code", MAKE_OPEN)
def test_each_of_these_findings_alone_makes_a_file_open(code: str) -> None:
    assert class_with(code) is EvidenceClass.OPEN


@pytest.mark.parametrize("code", WITHHOLD_THE_RANK)
def test_a_finding_that_withholds_the_rank_leaves_the_class(code: str) -> None:
    assert class_with(code) is EvidenceClass.SEALED


def test_the_lists_are_complete() -> None:
    assert set(MAKE_OPEN) == OPENING
    assert set(WITHHOLD_THE_RANK) == STRONG
