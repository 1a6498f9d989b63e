"""Tests of what is found in the real files: nothing, except in those that are known for it."""

from __future__ import annotations

import numpy as np
import pytest

from analysis import formats
from analysis.analyse import Analysis, analyse
from analysis.click_machine import Result
from analysis.evidence import OPENING, STRONG, Evidence, EvidenceClass, evidence_of, same_play
from replays.trust.judging.default_rules import QUESTIONS
from tests.analysis.evidence.test_evidence import without_moves
from tests.encoders import native
from tests.shared_files import needs_shared, replay_files

pytestmark = [needs_shared, pytest.mark.shared]

FORMATS = ("avf", "evf", "mvf", "rmv", "rawvf", "unexplained")

#: Files with findings, and why they have them.
TOUCHED: dict[str, set[str]] = {
    # its header states 2.61 s, its events last 14.52 s
    "Wang_Jia_Ning_Beg_15.523bv24.avf": {"header_time_early", "time_differs"},
    # a test of Metasweeper's makers with the stub for a seal, before the release of that version
    "b_0_504.985_10_0.020_匿_fake(wait_500_secs_元3.2.1_in_test_v4).evf": {"seal_stub", "before_version"},
    # copies of test_rmv1_utf8_basic and test_rmv2_utf8_basic with other names
    "test_rmv1_noutf8_but_valid_utf8.rmv": {"name_differs"},
    "test_rmv1_utf8_nonascii.rmv": {"name_differs"},
    "test_rmv1_utf8_invalid.rmv": {"name_differs", "text_not_utf8"},
    "test_rmv2_utf8_invalid.rmv": {"text_not_utf8"},
    # text
    "Cus_1x1_0mines.rawvf": {"text_format", "moments_missing"},
    "nested-opening.rawvf": {"text_format", "moments_missing", "level_differs"},
}

#: The only one of them that is sealed: its header contradicts the game, which withholds the rank and leaves the class.
SEALED_ALL_THE_SAME = {"Wang_Jia_Ning_Beg_15.523bv24.avf"}


@pytest.fixture(scope="module")
def real() -> dict[str, tuple[Analysis, Evidence]]:
    """Every real file by its name."""
    found = {}
    for folder in FORMATS:
        for path in replay_files(folder):
            analysis = analyse(formats.read(path.read_bytes()))
            found[path.name] = (analysis, evidence_of(analysis))
    return found


def test_only_the_known_files_are_touched(real: dict[str, tuple[Analysis, Evidence]]) -> None:
    touched, open_files = {}, set()
    for name, (analysis, evidence) in real.items():
        codes = {finding.code for finding in (*analysis.findings, *evidence.findings)} & (STRONG | OPENING)
        if codes:
            touched[name] = codes
        if evidence.evidence_class is EvidenceClass.OPEN:
            open_files.add(name)
    assert touched == TOUCHED
    assert open_files == TOUCHED.keys() - SEALED_ALL_THE_SAME


def test_no_real_file_asks_a_question_or_has_a_rare_board(real: dict[str, tuple[Analysis, Evidence]]) -> None:
    found = {finding.code for _analysis, evidence in real.values() for finding in evidence.findings}
    assert not found & (QUESTIONS | {"unlikely_board"})
    assert len(real) >= 230


def test_equal_seals_are_those_of_copies(real: dict[str, tuple[Analysis, Evidence]]) -> None:
    groups: dict[bytes, set[str]] = {}
    for name, (_, evidence) in real.items():
        if evidence.seal_hash is not None:
            groups.setdefault(evidence.seal_hash, set()).add(name[:9])
    names = [evidence.seal_hash for _, evidence in real.values() if evidence.seal_hash]
    assert len(names) - len(groups) == 5
    assert all(len(stems) == 1 for stems in groups.values())


def test_no_two_real_games_are_one_play_but_the_copies(real: dict[str, tuple[Analysis, Evidence]]) -> None:
    listed = list(real.items())
    pairs = set()
    for place, (name, (analysis, evidence)) in enumerate(listed):
        for other_name, (other, other_evidence) in listed[:place]:
            level = analysis.recording.board.level
            if other.recording.board.level is level and evidence.fingerprint and other_evidence.fingerprint:
                won = {analysis.game.result, other.game.result} == {Result.WON}
                if same_play(level, evidence.fingerprint, other_evidence.fingerprint, both_won=won):
                    pairs.add((other_name, name))
    assert all(one[:9] == other[:9] and one.startswith("test_rmv") for one, other in pairs)
    assert len(pairs) == 6 + 3  # four copies of the one game, three of the other


@pytest.mark.long(
    beside="tests/analysis/evidence/test_shared_files.py::test_no_two_real_games_are_one_play_but_the_copies"
)
def test_a_real_file_that_is_written_again_has_the_same_evidence(real: dict[str, tuple[Analysis, Evidence]]) -> None:
    for name, (analysis, evidence) in real.items():
        if name in TOUCHED:
            continue
        again = analyse(formats.read(native.write(analysis.recording)))
        np.testing.assert_array_equal(again.recording.events, analysis.recording.events, err_msg=name)
        other = evidence_of(again)
        assert other.evidence_class is EvidenceClass.SEALED, name
        assert (other.fingerprint, other.history) == (evidence.fingerprint, evidence.history), name
        assert other.findings == (), name


@pytest.mark.parametrize(("share", "least"), [(0.3, 0.9), (0.5, 0.96)])
def test_deleted_moves_are_found(real: dict[str, tuple[Analysis, Evidence]], share: float, least: float) -> None:
    games = [analysis.recording for analysis, _ in real.values() if analysis.recording.format == "avf"]
    found = 0
    for game in games:
        codes = {finding.code for finding in evidence_of(analyse(without_moves(game, share))).findings}
        found += "button_jumps" in codes
    assert found >= least * len(games)
