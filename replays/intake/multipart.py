"""Uploads whose file names are not UTF-8.

A browser sends names in UTF-8.  Programs on older systems send the bytes as they are, in GBK say, and Django drops
such a part without a word: the file would be lost and nobody told.  Here those lines are put into UTF-8 before Django
reads them, by the same rule as names inside replays.
"""

from __future__ import annotations

from typing import Any, Protocol

from django.core.files.uploadhandler import FileUploadHandler
from django.http.multipartparser import MultiPartParser

from analysis.formats.text import decode

#: Longer heads are left as they are; Django refuses them.
MAX_HEAD_BYTES = 8 * 1024
_END_OF_HEAD = b"\r\n\r\n"


class ByteStream(Protocol):
    """What a request body is read from."""

    def read(self, size: int = ..., /) -> bytes: ...


class NamesInAnyEncoding(FileUploadHandler):
    """Stands first among the upload handlers and reads the body for the others."""

    def handle_raw_input(
        self, input_data: Any, meta: dict[str, Any], content_length: int, boundary: Any, encoding: str | None = None
    ) -> Any:
        """The form and the files, as the parser of Django makes them of the mended body."""
        assert self.request is not None  # noqa: S101 - Django sets it before it reads a body
        others = [handler for handler in self.request.upload_handlers if handler is not self]
        body: Any = MendedHeads(input_data, boundary)
        return MultiPartParser(meta, body, others, encoding).parse()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Never asked, since another parser reads the body; files pass."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Never asked either: no file of its own."""


class MendedHeads:
    """A multipart body in which every line of a part's head is UTF-8; contents pass untouched.

    Bytes are held back only as far as a delimiter or a head may go on in the next ones.
    """

    def __init__(self, stream: ByteStream, boundary: bytes) -> None:
        self._stream = stream
        self._delimiter = b"\r\n--" + boundary + b"\r\n"
        self._waiting = b"\r\n"  # the first delimiter has no line before it
        self._skip = len(self._waiting)  # which is not part of the body
        self._in_head = False
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        """The next bytes, b"" only at the end; about ``size`` of them, since mending may add some."""
        ready = b""
        while not ready and not self._ended:
            data = self._stream.read(size)
            self._ended = not data
            self._waiting += data
            ready = self._take()
        return ready

    def _take(self) -> bytes:
        """Everything that can be told now, at the end of the body all of it."""
        taken = bytearray()
        while (part := self._head() if self._in_head else self._content()) is not None:
            taken += part
        if self._ended:
            taken += self._waiting
            self._waiting = b""
        skipped = min(self._skip, len(taken))
        self._skip -= skipped
        return bytes(taken[skipped:])

    def _content(self) -> bytes | None:
        place = self._waiting.find(self._delimiter)
        if place >= 0:
            self._in_head = True
            return self._cut(place + len(self._delimiter))
        safe = len(self._waiting) - len(self._delimiter) + 1  # the rest may be the beginning of a delimiter
        return self._cut(safe) if safe > 0 else None

    def _head(self) -> bytes | None:
        place = self._waiting.find(_END_OF_HEAD)
        if 0 <= place <= MAX_HEAD_BYTES:
            self._in_head = False
            # The blank line stays: its line break may begin the delimiter of an empty part.
            return b"\r\n".join(_as_utf8(line) for line in self._cut(place).split(b"\r\n"))
        if place < 0 and len(self._waiting) <= MAX_HEAD_BYTES:
            return None
        self._in_head = False
        return b""

    def _cut(self, count: int) -> bytes:
        cut, self._waiting = self._waiting[:count], self._waiting[count:]
        return cut


def _as_utf8(line: bytes) -> bytes:
    try:
        line.decode()
    except UnicodeDecodeError:
        return decode(line).encode()
    return line
