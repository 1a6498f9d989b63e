"""MVF, the replay file of Minesweeper Clone: three families.

With a header (0.97, 2006, 2007, and the "funny mode" hack of 0.97)::

    4 texts     length and bytes each: "Minesweeper Clone", a range of years, the author, the version
    3           unknown
    7           month, day, year (two bytes), hour, minute, second; local time
    1, 1        level (1 beginner, 2 intermediate, 3 expert, 4 custom), mode (1 classic, 2 density, 3 UPK, 4 cheat)
    3           time: 0.97 two bytes of seconds and one of hundredths, else milliseconds
    10          0.97 only: 3BV, solved 3BV, left, double and right clicks, two bytes each
    1, 1, 1, 2  question marks, width, height, mines
    2 x mines   (column, row), both from 1
    1, n        length of the player's name; the name
    2, 3        key, number of records
    5 or 6 x n  records, their bits in an order that follows from the key (``analysis.formats.mvf.records``)
    32          checksum: the seal, of which nothing is known

A hack of 0.97 has seven other bytes, 00 00 first, in place of texts and unknown bytes.  Files before 0.97 are described
in ``analysis.formats.mvf.old``.

A record is the state of the buttons, not an event: what changed since the record before makes the events, in the order
move, presses, releases.  The first record gives a press for every button that it holds.

The times of the records and that of the header are read from one clock, which is 0 at the first record, the press of the
opening; its release has 0 or 10 ms, far less than a finger needs.  So the time of a game counts from 0 and not from the
release (``docs/clocks.md``).

Sources: the readers ``rawvf``, ``flop`` and ``ms_toollib``; measurements on one file of each kind, except the hacks,
which were never met.
"""

from __future__ import annotations

from analysis.formats.mvf import old
from analysis.formats.mvf.new import HACK, PROGRAM, looks_like_hack, read_new
from analysis.recording import Recording

NAME = "mvf"


def recognises(data: bytes) -> bool:
    return data.startswith(PROGRAM) or old.recognises(data) or looks_like_hack(data)


def read(data: bytes) -> Recording:
    """The game that an MVF file holds.

    The result is precise to 10 ms (2006 and 2007: 1 ms).  The header's right clicks are not a claim: the program counts
    every right press made while the left button is up, so they stand in ``extra`` as ``RightPresses``.
    Raises ``ReplayError``: ``Truncated``, ``BadField``, ``LimitExceeded`` or ``Inconsistent``; nothing else.
    """
    if data.startswith(HACK):
        return read_new(data, hacked=True)
    return read_new(data) if data.startswith(PROGRAM) else old.read_old(data)
