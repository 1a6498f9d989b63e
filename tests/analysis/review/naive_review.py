"""The slow twin of the remarks about wasted clicks and missed chords: it plays each chord that could have been."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.recording import Kind, Recording
from tests.naive_game import Cell, NaiveGame, cell_at


@dataclass(frozen=True, order=True)
class Remarked:
    """A remark under the names of ``analysis.review``; ``cells``: how many a missed chord would have opened at once."""

    event: int
    kind: str
    cell: Cell | None
    reason: str | None
    cells: int = 0


def remarks(recording: Recording) -> list[Remarked]:
    """Wasted clicks and missed chords in their order."""
    game, pressed = NaiveGame(recording.board, recording.question_marks, recording.helps), None
    found = []
    for index, (_time, x, y, kind) in enumerate(recording.events.tolist()):
        if kind == Kind.MOVE:
            continue
        at = cell_at(recording, x, y)
        if kind == Kind.RIGHT_PRESS or (kind == Kind.RIGHT_CHANGE and game.right == "up"):
            pressed = at
        before = game.copy()
        game.now = index
        game.event(Kind(kind), at)
        if len(game.clicks) > len(before.clicks):
            button = game.clicks[-1].button
            effective = (game.lce, game.rce, game.dce) != (before.lce, before.rce, before.dce)
            if not effective:
                cell = pressed if button == "right" else at
                found.append(Remarked(index, f"wasted_{button}", cell, reason(before, button, cell)))
            elif button == "left" and at is not None and (cells := missed_chord(before, at, game.opened)):
                found.append(Remarked(index, "missed_chord", at, None, cells))
        if game.over():
            break
    return found


def reason(board: NaiveGame, button: str, cell: Cell | None) -> str:
    """Return why a click on ``cell`` did nothing."""
    if cell is None:
        return "outside"
    if button != "double":
        return "on_flag" if cell in board.flags else "on_open"
    if cell not in board.opened:
        return "on_closed"
    return "flags_differ" if any(map(board.may_open, board.around(cell))) else "nothing_closed"


def missed_chord(board: NaiveGame, at: Cell, opened: set[Cell]) -> int:
    """Return how many cells the best missed chord would have opened at once; 0 if there is none.

    Each number around is chorded in a game of its own, and must have opened ``at`` and something that is not among
    ``opened``, and no mine.
    """
    most = 0
    for number in board.around(at) & board.opened:
        if board.number(number) == 0:
            continue
        other = board.copy()
        other.chord(number)
        if at in other.opened and other.opened - opened and not other.blasted():
            most = max(most, len(board.around(number) & (other.opened - board.opened)))
    return most
