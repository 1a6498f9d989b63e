"""The table of programs."""

from __future__ import annotations

from collections import Counter

from analysis.evidence.programs import PROGRAMS


def test_every_row_is_of_a_format_with_seals_and_stands_once() -> None:
    assert {row.format for row in PROGRAMS} == {"avf", "evf", "mvf", "rmv"}
    assert max(Counter((row.format, row.version) for row in PROGRAMS).values()) == 1


def test_days_are_in_order_and_an_end_has_a_reason() -> None:
    for row in PROGRAMS:
        assert row.first is None or row.last is None or row.first < row.last, row
        assert bool(row.reason) == (row.last is not None), row


def test_variants_are_of_evf_alone() -> None:
    assert {row.format for row in PROGRAMS if row.variants} == {"evf"}
