"""Every finding that files of all kinds have is worded in both languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest
from django.utils import translation

from analysis import formats
from analysis.analyse import analyse
from analysis.evidence import evidence_of, withdrawn_when_received
from analysis.recording import Finding, Level
from replays.trust.judging.findings import SENTENCES, WORDS, finding_row, finding_sentence
from tests.analysis.evidence.honest import recording
from tests.analysis.evidence.test_evidence import scaled, shifted, without_moves
from tests.bench.fuzz.seeds import own_seeds
from tests.encoders import native

ROOT = Path(__file__).resolve().parents[4]


def files() -> list[bytes]:
    """Files that have all kinds of findings between them."""
    avf, rmv, evf = recording(), recording("rmv 1"), recording("evf 4")
    hundredths = scaled(scaled(rmv, 1, grid_ms=10), 0.85)
    whole = native.write(rmv)
    return [
        *(seed.data for seed in own_seeds() if seed.format != "evfs"),
        native.write(avf) + b"\0",
        native.write(avf).replace(b"\x1f\x0a\x11\r", b"\x1f\x0a\x11\xff"),
        native.write(shifted(avf, 500)),
        native.write(without_moves(avf, 0.8)),
        native.write(without_moves(avf, 1)),
        native.write(replace(avf, events=avf.events[[*range(len(avf.events)), -1]])),
        native.write(replace(avf, played_at=datetime(2004, 1, 1))),  # noqa: DTZ001
        native.write(replace(avf, software="Minesweeper Arbiter 0.43", format_variant="0.43")),
        native.write(replace(evf, software="元3.2.1")),
        native.write(replace(evf, software="元9")),
        native.write(replace(evf, software="元3.1.12")),
        native.write(replace(evf, software="Arbiter")),
        native.write(evf, seal=bytes(32)),
        native.write(evf)[:-34] + b"\0\0",
        native.write(evf)[:-34] + b"\0\x02ab",
        native.write(hundredths),
        native.write(scaled(recording("mvf 0.97", Level.EXPERT), 0.9)),
        native.write(replace(recording("mvf 2007"), played_at=datetime(2020, 1, 1))),  # noqa: DTZ001
        whole.replace(b"#SCORE:", b"#SCORE:9").replace(b"#NAME:Ann", b"#NAME:An"),
        whole.replace(b"#TIMESTAMP:1", b"#TIMESTAMP:2"),
    ]


@pytest.fixture(scope="module")
def found() -> list[Finding]:
    """Every finding in those files."""
    analyses = [analyse(formats.read(data)) for data in files()]
    late = withdrawn_when_received(recording("mvf 2006"), date(2024, 1, 1))
    assert late is not None
    return [
        late, *(finding for analysis in analyses for finding in (*analysis.findings, *evidence_of(analysis).findings))
    ]  # fmt: skip


def test_every_finding_has_a_sentence(found: list[Finding]) -> None:
    english = [finding_sentence(**finding_row(finding)) for finding in found]
    assert [text for text in english if "%(" in text] == []
    with translation.override("zh-hans"):
        assert [
            text
            for text, finding in zip(english, found, strict=True)
            if finding_sentence(**finding_row(finding)) == text
        ] == []


def made() -> Iterator[tuple[str, set[str]]]:
    """The code of each finding that the sources make, and the names of its parameters where they stand beside it."""
    for path in (*ROOT.glob("analysis/**/*.py"), *ROOT.glob("replays/**/*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match call:
                case ast.Call(ast.Name("Finding"), [ast.Constant(str() as code)]):
                    yield code, set()
                case ast.Call(ast.Name("Finding"), [ast.Constant(str() as code), ast.Dict(keys)]) if None not in keys:
                    yield code, {ast.literal_eval(key) for key in keys if key is not None}
                case ast.Call(
                    ast.Attribute(ast.Name("notes" | "self"), "add"), [ast.Constant(str() as code)], keywords
                ):
                    yield code, {one.arg for one in keywords if one.arg is not None}


def test_every_finding_that_is_made_has_a_sentence_with_its_parameters() -> None:
    found = list(made())
    assert len(found) > 50
    values = {
        code: [frozenset(re.findall(r"%\((\w+)\)s", one)) for one in sentences] for code, sentences in SENTENCES.items()
    }
    assert [
        (code, names)
        for code, names in found
        if not {frozenset(names), frozenset(names | {"what"})} & set(values[code])
    ] == []
    assert [code for code, sets in values.items() if any(sets.count(one) > 1 for one in sets)] == []


def test_the_files_have_the_findings_of_evidence(found: list[Finding]) -> None:
    wanted = {
        "text_format", "freesweeper", "converted", "seal_absent", "seal_length", "seal_stub", "version_unknown",
        "version_withdrawn", "version_new", "before_version", "moments_differ", "start_not_zero", "events_after_end", "lattice",
        "button_jumps", "no_path", "trailing_bytes", "filler", "header_times_differ", "header_dates_differ",
    }  # fmt: skip
    assert wanted <= {finding.code for finding in found}


def test_reasons_of_the_table_are_translated() -> None:
    from analysis.evidence.programs import PROGRAMS

    assert {row.reason for row in PROGRAMS if row.reason} <= set(WORDS)
