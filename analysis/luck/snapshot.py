"""Snapshots of a recording: the board as its player saw it after some events."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.board import board_facts
from analysis.click_machine import walk_of
from analysis.kernels.click_machine import OPEN
from analysis.kernels.live import SHOWN_BLAST, SHOWN_QUESTION
from analysis.kernels.probability_front import CLOSED
from analysis.probability import FLAG, Position
from analysis.recording import Recording

#: What a closed cell shows, by its label in ``analysis.kernels.click_machine``; an open one shows its number.
_SHOWN = np.array([CLOSED, FLAG, SHOWN_QUESTION, 0], np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The board before an event.

    ``shown``: uint8, shape (rows, columns), read-only: 0 to 8, ``SHOWN_BLAST``, ``CLOSED``, ``FLAG`` or
    ``SHOWN_QUESTION``.  ``event``: how many events are played.
    """

    event: int
    shown: NDArray[np.uint8]
    mines: int

    @property
    def is_lost(self) -> bool:
        return bool((self.shown == SHOWN_BLAST).any())

    @property
    def position(self) -> Position | None:
        """The same as a position, without labels, since flags are no evidence; ``None`` if a mine is open."""
        return None if self.is_lost else self._without(FLAG, SHOWN_QUESTION)

    @property
    def flagged_position(self) -> Position | None:
        """The same with the player's flags; ``None`` if a mine is open.

        Only for showing what would follow if the flags are right: luck, review and judging use what the player could
        know, which is :attr:`position`.
        """
        return None if self.is_lost else self._without(SHOWN_QUESTION)

    def _without(self, *labels: int) -> Position:
        numbers = self.shown.copy()
        numbers[np.isin(numbers, labels)] = CLOSED
        return Position(numbers, self.mines)

    def rows(self) -> list[str]:
        """A string a row: digits, ``.`` closed, ``F`` flag, ``?`` question mark, ``*`` an open mine."""
        letters = {CLOSED: ".", FLAG: "F", SHOWN_QUESTION: "?", SHOWN_BLAST: "*"}
        return ["".join(letters.get(code, str(code)) for code in row) for row in self.shown.tolist()]


def snapshot_at(recording: Recording, event: int) -> Snapshot:
    """The board when the first ``event`` events are played, as ``analysis.click_machine`` plays them.

    Behind the deciding event nothing changes any more; a number below 0 is taken as 0.
    """
    facts = board_facts(recording.board)
    walked = walk_of(recording, facts)
    acts = np.searchsorted(walked.places, event)
    changes = int(walked.changed[:acts].sum())
    labels = np.zeros(facts.numbers.size, np.uint8)
    labels[walked.cells[:changes]] = walked.faces[:changes]  # of a cell that is named twice the last value stays
    shown = np.where(labels == OPEN, facts.numbers.ravel(), _SHOWN[labels]).reshape(facts.numbers.shape)
    shown.setflags(write=False)
    return Snapshot(event, shown, recording.board.mine_count)


def events_until(recording: Recording, start_event: int, time_ms: int) -> int:
    """Count the events up to ``time_ms`` of the game, those at that time included; ``start_event``: the opening's place."""
    begin = recording.start_ms(start_event)
    return int(np.searchsorted(recording.events["time_ms"], begin + time_ms, side="right"))
