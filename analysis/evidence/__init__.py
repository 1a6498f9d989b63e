"""Evidence from one replay file, and a test whether two replays record the same play.

    evidence = evidence_of(analysis)
    evidence.evidence_class, {finding.code for finding in evidence.findings} & STRONG
    same_play(level, evidence.fingerprint, other.fingerprint, both_won=True)

No public format carries a signature that a site can check, so nothing here says that a game is genuine.  A file proves
that some list of events solves some board; the findings say where it contradicts itself or what its program writes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis.analyse import Analysis
from analysis.click_machine import Result
from analysis.evidence.boards import board_findings
from analysis.evidence.classes import OPENING as OPENING
from analysis.evidence.classes import STRONG as STRONG
from analysis.evidence.classes import Evidence as Evidence
from analysis.evidence.classes import EvidenceClass as EvidenceClass
from analysis.evidence.fingerprint import SAME_BOARD as SAME_BOARD
from analysis.evidence.fingerprint import SAME_CLICKS as SAME_CLICKS
from analysis.evidence.fingerprint import TELLING_CLICKS as TELLING_CLICKS
from analysis.evidence.fingerprint import Fingerprint as Fingerprint
from analysis.evidence.fingerprint import fingerprint_of
from analysis.evidence.fingerprint import same_play as same_play
from analysis.evidence.hand import Track, hand_findings, path_findings, right_press_findings
from analysis.evidence.history import History as History
from analysis.evidence.history import history_of
from analysis.evidence.history import retimed_likely as retimed_likely
from analysis.evidence.lattice import lattice_finding
from analysis.evidence.programs import withdrawn_when_received as withdrawn_when_received
from analysis.evidence.seal import file_findings, seal_hash
from analysis.evidence.sketch import SIMILAR_CLICKS as SIMILAR_CLICKS
from analysis.evidence.sketch import SIMILAR_LEVELS as SIMILAR_LEVELS
from analysis.evidence.sketch import SKETCH as SKETCH
from analysis.evidence.sketch import Played as Played
from analysis.evidence.sketch import shingles_of
from analysis.evidence.sketch import similar_games as similar_games
from analysis.evidence.times import moment_findings, span_findings
from analysis.recording import Finding, Mode


def evidence_of(analysis: Analysis) -> Evidence:
    """Return the facts that the file of ``analysis`` proves.

    It is never of the class ``HERE``, which only the site itself can give.  It takes the file's word for its
    date; see :func:`withdrawn_when_received`.
    """
    track, clicks = Track.of(analysis), analysis.game.clicks.astype(np.int64)
    findings = tuple(_findings(analysis, track))
    is_open = not OPENING.isdisjoint(finding.code for finding in (*analysis.findings, *findings))
    return Evidence(
        evidence_class=EvidenceClass.OPEN if is_open else EvidenceClass.SEALED,
        findings=findings,
        seal_hash=seal_hash(analysis.recording),
        fingerprint=fingerprint_of(analysis.recording, clicks),
        history=history_of(analysis.recording, analysis.game.end_index, track),
        shingles=shingles_of(analysis.recording.board, clicks),
    )


def _findings(analysis: Analysis, track: Track) -> Iterator[Finding]:
    recording = analysis.recording
    yield from file_findings(recording)
    # The program itself does not call the game fair; unfinished games are never called so.
    if recording.claims.fair is False and analysis.game.result is not Result.UNFINISHED:
        yield Finding("not_fair")
    yield from moment_findings(analysis)
    yield from span_findings(analysis)
    lattice = lattice_finding(recording, track)
    if lattice is not None:
        yield lattice
    yield from path_findings(analysis, track)
    if recording.mode is Mode.STANDARD:  # others choose their boards
        yield from board_findings(recording.board, analysis.facts.bv)
    yield from hand_findings(analysis)
    known = {finding.code for finding in analysis.findings}
    yield from (
        finding for finding in right_press_findings(recording, analysis.game.end_index) if finding.code not in known
    )
