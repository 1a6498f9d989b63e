"""RawVF, the words of the event lines."""

from __future__ import annotations

import numpy as np

from analysis.recording import Kind

#: Codes of mouse events.  Those behind ``mt`` are an addition of this site: RawVF has no word for what they say.
MOUSE_CODES: dict[str, Kind] = {
    "mv": Kind.MOVE,
    "lc": Kind.LEFT_PRESS,
    "lr": Kind.LEFT_RELEASE,
    "rc": Kind.RIGHT_PRESS,
    "rr": Kind.RIGHT_RELEASE,
    "mc": Kind.MIDDLE_PRESS,
    "mr": Kind.MIDDLE_RELEASE,
    "sc": Kind.SHIFT_LEFT_PRESS,
    "mt": Kind.MARKS_TOGGLE,
    "pf": Kind.PREFLAG,
    "cc": Kind.SECOND_PRESS,
    "l": Kind.LEFT_CHANGE,
    "r": Kind.RIGHT_CHANGE,
    "m": Kind.MIDDLE_CHANGE,
}
_WIN_WORDS = ("won", "win", "victory")
_LOSS_WORDS = ("lost", "lose", "loss", "defeat", "boom")
GAME_WORDS = (*_WIN_WORDS, *_LOSS_WORDS, "start", "nonstandard")
SCROLL_WORDS = ("sx", "sy")
BOARD_WORDS = (
    *(f"number{number}" for number in range(9)),
    *("pressed", "closed", "flag", "questionmark", "pressedqm", "blast"),
)
WORDS = (*MOUSE_CODES, *GAME_WORDS, *SCROLL_WORDS, *BOARD_WORDS)

# Numbers of the words that the kernel must tell apart.
BLAST = WORDS.index("blast")
FIRST_GAME = len(MOUSE_CODES)
FIRST_LOSS = FIRST_GAME + len(_WIN_WORDS)
FIRST_OTHER = FIRST_LOSS + len(_LOSS_WORDS)
FIRST_SCROLL = FIRST_GAME + len(GAME_WORDS)
FIRST_BOARD = FIRST_SCROLL + len(SCROLL_WORDS)

WORD_BYTES = max(len(word) for word in WORDS)
WORD_TABLE = np.array([list(word.encode().ljust(WORD_BYTES, b"\0")) for word in WORDS], np.uint8)
WORD_LENGTHS = np.array([len(word) for word in WORDS], np.int64)
KIND_OF_WORD = np.array(list(MOUSE_CODES.values()), np.uint8)
