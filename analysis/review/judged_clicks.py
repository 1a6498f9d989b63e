"""Remarks about single clicks: wasted ones, flags, missed chords."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.film import Film
from analysis.review.acts import FLAG, OPEN, Act, Board, acts_of
from analysis.review.annotations import Annotation, Kind, Reason


def click_annotations(film: Film) -> Iterator[Annotation]:
    """All remarks about clicks of a game, in order; flags that were never used come last."""
    flags: dict[int, tuple[Act, bool]] = {}  # flags that stand on mines, and whether a chord has used them
    flagged_while_held = False
    board = pressed = None
    for act, board in acts_of(film):
        if act.presses_right:
            pressed = act.cell
        yield from _wasted(act, board, pressed)
        yield from _flag_remarks(act, board)
        yield from _missed_chord(act, board)
        if act.dce and flagged_while_held:
            yield _remark(Kind.ONE_AND_A_HALF, act, board)
        flagged_while_held = act.right_held and (flagged_while_held or bool(act.rce and act.presses_right))
        _follow_flags(act, board, flags)
    for act, used in flags.values():
        if not used and board is not None:
            yield _remark(Kind.UNUSED_FLAG, act, board)


def _remark(
    kind: Kind, act: Act, board: Board, *, reason: Reason | None = None, cells: tuple[int, ...] = ()
) -> Annotation:
    cell = None if act.cell is None else board.place(act.cell)
    return Annotation(kind, act.event, act.time_ms, cell, tuple(board.place(other) for other in cells), reason)


def _wasted(act: Act, board: Board, pressed: int | None) -> Iterator[Annotation]:
    """Clicks without effect.  Only one of the counters of clicks rises with an act.

    ``pressed``: the cell of the last press of the right button.  It decides what a right click does, though the click
    counts at the release, wherever that is.
    """
    if act.lcl and not act.lce:
        yield _remark(Kind.WASTED_LEFT, act, board, reason=_reason_of_left(act, board))
    elif act.rcl and not act.rce:
        reason, cell = (Reason.OUTSIDE, None) if pressed is None else (Reason.ON_OPEN, board.place(pressed))
        yield Annotation(Kind.WASTED_RIGHT, act.event, act.time_ms, cell, reason=reason)
    elif act.dcl and not act.dce:
        yield _remark(Kind.WASTED_DOUBLE, act, board, reason=_reason_of_double(act, board))


def _reason_of_left(act: Act, board: Board) -> Reason:
    if act.cell is None:
        return Reason.OUTSIDE
    return Reason.ON_FLAG if board.faces[act.cell] == FLAG else Reason.ON_OPEN


def _reason_of_double(act: Act, board: Board) -> Reason:
    if act.cell is None:
        return Reason.OUTSIDE
    if board.faces[act.cell] != OPEN:
        return Reason.ON_CLOSED
    if not board.closed_around(act.cell):
        return Reason.NOTHING_CLOSED
    return Reason.FLAGS_DIFFER


def _flag_remarks(act: Act, board: Board) -> Iterator[Annotation]:
    if not act.rce:
        return
    for cell, face in act.changes:
        if face == FLAG and not board.is_mine(cell):
            yield _remark(Kind.WRONG_FLAG, act, board)
        elif board.faces[cell] == FLAG:
            yield _remark(Kind.FLAG_REMOVED, act, board)


def _missed_chord(act: Act, board: Board) -> Iterator[Annotation]:
    """The number that would have opened the most cells, some of which the click did not open."""
    if not act.lce or act.cell is None:
        return
    opened = {cell for cell, _face in act.changes}
    best: list[int] = []
    for number in board.around(act.cell):
        if board.faces[number] == OPEN and 0 < board.numbers[number] == board.flags_around(number):
            closed = board.closed_around(number)
            is_missed = not opened.issuperset(closed) and not any(map(board.is_mine, closed))
            if is_missed and len(closed) > len(best):
                best = closed
    if best:
        yield _remark(Kind.MISSED_CHORD, act, board, cells=tuple(best))


def _follow_flags(act: Act, board: Board, flags: dict[int, tuple[Act, bool]]) -> None:
    """Keep the flags on mines that stand after ``act``, and mark those that a chord used."""
    if act.rce:
        for cell, face in act.changes:
            if face == FLAG and board.is_mine(cell):
                flags[cell] = (act, False)
            else:
                flags.pop(cell, None)
    elif act.dce and act.cell is not None:
        for cell in board.around(act.cell):
            if cell in flags:
                flags[cell] = (flags[cell][0], True)
