"""Computes every statistic of the registry from a recording, and compares them with the header of the file.

Use :func:`analyse_many` for more than one replay: it derives the statistics of all of them in one vectorised pass.
What the header claims is never used as a result; each claim that differs becomes a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

import numpy as np

from analysis.board import BoardFacts, board_facts
from analysis.click_machine import Game, Result, play
from analysis.errors import ReplayError
from analysis.kernels.events import canonical_acts
from analysis.recording import Finding, Level, Recording, digest
from analysis.statistics import ANALYSED, BASE, LEVEL_CODES, Floats, derive
from analysis.zini import ZiniCounts, zini_counts


def _rows_of(source: type[BoardFacts | ZiniCounts | Game]) -> tuple[str, ...]:
    base = {row.name for row in BASE}
    return tuple(field.name for field in fields(source) if field.name in base)


_ANALYSED_NAMES = tuple(row.name for row in ANALYSED)
_INTEGER = np.array([row.integer for row in ANALYSED])
_FACT_ROWS, _ZINI_ROWS, _GAME_ROWS = _rows_of(BoardFacts), _rows_of(ZiniCounts), _rows_of(Game)


class Style(StrEnum):
    """NF: no flag was ever placed, one from before the first event included; FL: every other game."""

    NF = "NF"
    FL = "FL"


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """The result of analysing one replay.

    ``values``: every row of the registry but those of kind LUCK, by name; ``None`` = not defined for this replay.
    ``game_hash``: equal for the same game in another wrapper (:func:`game_hash`).
    ``findings``: those of the reader, then every claim of the header that the replayed game contradicts.
    """

    recording: Recording
    facts: BoardFacts
    game: Game
    style: Style
    game_hash: str
    values: dict[str, float | int | None]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Replayed:
    """A replay before its derived statistics are computed."""

    recording: Recording
    facts: BoardFacts
    zini: ZiniCounts
    game: Game

    def inputs(self) -> dict[str, float]:
        """Every BASE statistic, and the ``win`` and ``level`` that formulas may need."""
        numbers: dict[str, float] = {f"cell{number}": count for number, count in enumerate(self.facts.cells)}
        for source, names in ((self.facts, _FACT_ROWS), (self.zini, _ZINI_ROWS), (self.game, _GAME_ROWS)):
            numbers.update((name, getattr(source, name)) for name in names)
        numbers["win"] = self.game.result is Result.WON
        numbers["level"] = LEVEL_CODES[self.recording.board.level]
        return numbers


def analyse(recording: Recording) -> Analysis:
    """Every statistic of one replay, except those of luck.

    Raises ``ReplayError`` if the recording cannot be replayed.
    """
    (outcome,) = analyse_many([recording])
    if isinstance(outcome, ReplayError):
        raise outcome
    return outcome


def analyse_many(recordings: Sequence[Recording]) -> list[Analysis | ReplayError]:
    """Every statistic of many replays, the derived ones in one vectorised pass.

    Returns one element a recording in the same order: its Analysis, or the ReplayError that it ended with.
    """
    outcomes = [_attempt(recording) for recording in recordings]
    replayed = [outcome for outcome in outcomes if isinstance(outcome, _Replayed)]
    values = iter(_values(replayed))
    return [_finished(outcome, next(values)) if isinstance(outcome, _Replayed) else outcome for outcome in outcomes]


def game_hash(recording: Recording, game: Game) -> str:
    """SHA-256 of the board and of the events on it, independent of format and file.

    It covers rows, columns, mines, and the events other than moves up to the deciding one: kind, time relative to the
    opening, point at 16 px a cell (every point outside is one and the same).  So the same game in another format, with
    moves dropped or repeated, or with events behind its end, has the same hash.

    ``game``: of that recording.  The hash has 64 hexadecimal digits.
    """
    board = recording.board
    acts = canonical_acts(
        recording.events, game.start_index, game.end_index, recording.cell_px, board.rows, board.columns
    )
    return digest(bytes([board.rows]), bytes([board.columns]), board.packed(), acts.astype("<i4", copy=False).tobytes())


def _attempt(recording: Recording) -> _Replayed | ReplayError:
    facts = board_facts(recording.board)
    try:
        game = play(recording, facts)
    except ReplayError as error:
        return error
    return _Replayed(recording, facts, zini_counts(recording.board), game)


def _values(replayed: Sequence[_Replayed]) -> list[dict[str, float | int | None]]:
    if not replayed:
        return []
    inputs = [one.inputs() for one in replayed]
    base: dict[str, Floats] = {name: np.array([one[name] for one in inputs], np.float64) for name in inputs[0]}
    columns = base | derive(base)
    table = _plain_table(np.array([columns[row.name] for row in ANALYSED]))
    return [dict(zip(_ANALYSED_NAMES, values, strict=True)) for values in table]


def _plain_table(table: Floats) -> list[list[float | int | None]]:
    """``analysis.statistics.plain`` of every value at once.

    ``table``: shape (analysed statistics, replays); the result has a list a replay.
    """
    undefined = np.isnan(table)
    shown = table.astype(object)
    shown[_INTEGER] = np.rint(np.where(undefined[_INTEGER], 0, table[_INTEGER])).astype(np.int64)
    shown[undefined] = None
    return list(shown.T.tolist())


def _finished(one: _Replayed, values: dict[str, float | int | None]) -> Analysis:
    return Analysis(
        recording=one.recording,
        facts=one.facts,
        game=one.game,
        style=Style.FL if one.game.toggles else Style.NF,
        game_hash=game_hash(one.recording, one.game),
        values=values,
        findings=(*one.recording.findings, *_findings(one)),
    )


def _findings(one: _Replayed) -> Iterator[Finding]:
    claims, game, board = one.recording.claims, one.game, one.recording.board
    if game.result is Result.UNFINISHED:
        yield Finding("unfinished")
    time_step_ms = max(one.recording.time_precision_ms, claims.time_step_ms)
    if claims.time_ms is not None and abs(claims.time_ms - game.time_ms) > time_step_ms:
        yield Finding("time_differs", {"claimed_ms": claims.time_ms, "actual_ms": game.time_ms})
    for name, claimed, actual in (
        ("bv", claims.bv, one.facts.bv),
        ("bvdone", claims.bvdone, game.bvdone),
        ("lcl", claims.lcl, game.lcl),
        ("rcl", claims.rcl, game.rcl),
        ("dcl", claims.dcl, game.dcl),
    ):
        if claimed is not None and claimed != actual:
            yield _differs(name, claimed, actual)
    if claims.win is not None and claims.win != (game.result is Result.WON):
        yield _differs("result", "won" if claims.win else "not_won", game.result)
    # A custom game may happen to have the size of a level, and programs call 9x9 "beginner", too: no contradictions.
    named_so = {Level.BEGINNER_9X9: Level.BEGINNER}.get(board.level, board.level)
    if claims.level not in (None, Level.CUSTOM, board.level, named_so):
        yield _differs("level", claims.level, board.level)
    if claims.nf is not None and claims.nf != (game.toggles == 0):
        yield _differs("nf", "yes" if claims.nf else "no", "no" if claims.nf else "yes")


def _differs(name: str, claimed: str | int, actual: str | int) -> Finding:
    return Finding(f"{name}_differs", {"claimed": claimed, "actual": actual})
