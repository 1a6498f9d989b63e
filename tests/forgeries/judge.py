"""Judges a file as the site does, by what the analysis and the evidence say of it and of the games stored before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from analysis import formats
from analysis.analyse import Analysis, analyse
from analysis.click_machine import Result
from analysis.errors import ReplayError
from analysis.evidence import (
    OPENING,
    SAME_BOARD,
    SAME_CLICKS,
    SIMILAR_CLICKS,
    SIMILAR_LEVELS,
    SKETCH,
    STRONG,
    Evidence,
    Played,
    evidence_of,
    same_play,
    similar_games,
)
from analysis.recording import LEVEL_SHAPES, Mode


class Outcome(StrEnum):
    """``STOPPED``: does not rank unseen; ``FOUND``: ranks with a finding; ``MISSED``: ranks without."""

    STOPPED = "stopped"
    FOUND = "found"
    MISSED = "missed"


@dataclass(frozen=True)
class Stored:
    """A game that the site has."""

    name: str
    data: bytes
    analysis: Analysis
    evidence: Evidence

    @property
    def played(self) -> Played:
        """Parts of the game that are compared."""
        board = self.analysis.recording.board
        return Played(board.level, self.evidence.shingles, board.packed())


@dataclass(frozen=True)
class Verdict:
    """``reasons``: why it is stopped; ``notes``: other findings."""

    outcome: Outcome
    reasons: frozenset[str]
    notes: frozenset[str]


def stored(name: str, data: bytes) -> Stored:
    """A file as the site keeps it."""
    analysis = analyse(formats.read(data))
    return Stored(name, data, analysis, evidence_of(analysis))


def judge(data: bytes, others: Sequence[Stored]) -> Verdict:
    """Judge the file ``data`` as a site that has ``others`` does."""
    try:
        new = stored("", data)
    except ReplayError as error:
        return Verdict(Outcome.STOPPED, frozenset({error.code}), frozenset())
    codes = {finding.code for finding in (*new.analysis.findings, *new.evidence.findings)}
    codes |= _compared(new, others)
    reasons = (codes & (STRONG | OPENING)) | _unranked(new.analysis)
    outcome = Outcome.STOPPED if reasons else Outcome.FOUND if codes else Outcome.MISSED
    return Verdict(outcome, frozenset(reasons), frozenset(codes - reasons))


def _compared(new: Stored, others: Sequence[Stored]) -> set[str]:
    found = set()
    level = new.analysis.recording.board.level
    for other in others:
        if new.evidence.seal_hash is not None and new.evidence.seal_hash == other.evidence.seal_hash:
            found.add("seal_reused")
        one, two = new.evidence.fingerprint, other.evidence.fingerprint
        if one and two and other.analysis.recording.board.level is level:
            both_won = new.analysis.game.result is other.analysis.game.result is Result.WON
            code = same_play(level, one, two, both_won=both_won)
            found |= {code} if code else set()
    if SAME_CLICKS in found:
        return found - {SAME_BOARD}
    return found | {SIMILAR_CLICKS} if not found and _is_similar(new, others) else found


def _is_similar(new: Stored, others: Sequence[Stored]) -> bool:
    stored = {number: other.played for number, other in enumerate(others) if other.played.level in SIMILAR_LEVELS}
    sketches = {number: game._replace(shingles=game.shingles[:SKETCH]) for number, game in stored.items()}
    return new.played.level in SIMILAR_LEVELS and bool(similar_games({-1: new.played}, sketches))


def _unranked(analysis: Analysis) -> set[str]:
    """Return the reasons why a game is on no board, regardless of its evidence."""
    recording = analysis.recording
    if analysis.game.result is not Result.WON:
        return {"not_won"}
    ranked = recording.board.level in LEVEL_SHAPES and recording.mode is Mode.STANDARD
    return set() if ranked else {"not_a_ranked_level"}
