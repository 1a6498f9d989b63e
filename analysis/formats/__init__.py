"""Replay files: bytes in, :class:`analysis.recording.Recording` out.

One module a format, chosen by content, never by file name.  A reader module has

``NAME``
    the format in lower case, which becomes ``Recording.format``;
``recognises(data) -> bool``
    cheap, total, and false for every other format;
``read(data) -> Recording``
    strict; raises ``analysis.errors.ReplayError`` and nothing else, whatever the bytes.

To add a format, write its module and add it to :data:`FORMATS`.
"""

from __future__ import annotations

from typing import Protocol

from analysis.errors import LimitExceeded, UnknownFormat
from analysis.formats import avf, evf, evfs, mvf, rawvf, rmv
from analysis.limits import MAX_REPLAY_BYTES
from analysis.recording import Recording


class ReaderModule(Protocol):
    """The interface of the modules of :data:`FORMATS`."""

    NAME: str

    def recognises(self, data: bytes, /) -> bool:
        """Return whether ``data`` looks like this format."""

    def read(self, data: bytes, /) -> Recording:
        """The recording in ``data``."""


FORMATS: tuple[ReaderModule, ...] = (avf, evf, mvf, rmv, rawvf)

#: First bytes of files that people take for replays, and what to tell them.
_OTHER_FILES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a ZIP archive: unpack it first"),
    (b"Rar!", "a RAR archive: unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it first"),
    (b"\x1f\x8b", "a gzip archive: unpack it first"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"%PDF", "a PDF document"),
    (b"<", "a web page"),
    (b"*umf", "a replay of an old Vienna Minesweeper (UMF), a format that is not read"),
)


def read(data: bytes) -> Recording:
    """The recording that ``data`` holds, whatever its format.

    Raises ``ReplayError`` if the file is empty, too large, of no known format, or damaged; nothing else leaves this
    function.
    """
    if not data:
        raise UnknownFormat("The file is empty.")
    if len(data) > MAX_REPLAY_BYTES:
        raise LimitExceeded("size of the file", limit=MAX_REPLAY_BYTES, value=len(data))
    for module in FORMATS:
        if module.recognises(data):
            return module.read(data)
    raise _unknown(data)


def _unknown(data: bytes) -> UnknownFormat:
    if evfs.recognises(data):
        return UnknownFormat("The file is a set of replays (EVFS): take it apart first.")
    head = data[:64].lstrip()
    for first, what in _OTHER_FILES:
        if head.startswith(first):
            return UnknownFormat(f"The file is {what}.")
    return UnknownFormat()
