"""RawVF, the replay format that is text: options, the board, the events.

::

    RawVF_Version: Rev6         options, one a line, names and keywords without case
    Width: 4
    ...
    Board:                      Height lines of Width signs, ``*`` a mine, anything else a safe cell
    0*00
    ...
    Events:                     this line may be missing
    0.000 lc 1 3 (3 40)         see ``analysis.formats.rawvf.events``

Labels ``Rev3`` to ``Rev6.1`` and ``6`` were met; all share one grammar, so the label is only shown.  Width, Height and
Mines must be stated; everything else may be missing.

:func:`write` says everything that RawVF can say, and reading it gives the same recording.  What RawVF has no word for
is said by an addition of this site: the event codes ``pf`` (a flag that stood before the first event), ``cc``, ``l``,
``r`` and ``m`` (changes of a button that the source does not tell apart), and the options ``Player_Bytes`` (the name
in hexadecimal, if its bytes are not UTF-8), ``Country``, ``Ended`` and ``Clock_Start`` (``Recording.clock_start_ms``).

Sources: the format's forum topic and the readers ``rawvf`` and ``flop``.
"""

from __future__ import annotations

from analysis.formats.rawvf.parse import read, recognises
from analysis.formats.rawvf.write import write

NAME = "rawvf"

__all__ = ["NAME", "read", "recognises", "write"]
