"""Uploads whose file names are not UTF-8.

Browsers send names in UTF-8.  Programs on older systems send other encodings such as GBK, and Django's parser silently
drops a part with such a header, and with it the file.  Here those header lines are converted to UTF-8 before Django
parses them, by the same rule as names inside replays.
"""

from __future__ import annotations

from typing import IO, Any, Protocol

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.http import QueryDict
from django.http.multipartparser import MultiPartParser
from django.utils.datastructures import MultiValueDict

from analysis.formats.text import decode
from analysis.limits import MAX_PART_HEADER_BYTES

_END_OF_HEADERS = b"\r\n\r\n"


class ByteStream(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


class NamesInAnyEncoding(FileUploadHandler):
    """The first upload handler: it parses the converted body for the others."""

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        meta: dict[str, str],
        content_length: int,
        boundary: Any,  # bytes, although the stubs say a text
        encoding: str | None = None,
    ) -> tuple[QueryDict, MultiValueDict[str, UploadedFile[bytes]]]:
        assert self.request is not None  # noqa: S101 - Django sets it before it reads a body
        others = [handler for handler in self.request.upload_handlers if handler is not self]
        body: Any = Utf8Headers(input_data, boundary)  # not a whole file, but the parser calls only ``read``
        return MultiPartParser(meta, body, others, encoding).parse()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Not called, since the other parser has other handlers; returns the data unchanged."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Not called either; returns no file."""


class Utf8Headers:
    """A multipart body with all part headers converted to UTF-8; contents are unchanged.

    Only bytes that may be the beginning of a delimiter or belong to an incomplete header are buffered.
    """

    def __init__(self, stream: ByteStream, boundary: bytes) -> None:
        self._stream = stream
        self._delimiter = b"\r\n--" + boundary + b"\r\n"
        self._waiting = b"\r\n"  # the first delimiter has no line before it
        self._skip = len(self._waiting)  # which is not part of the body
        self._in_headers = False
        self._ended = False

    def read(self, size: int = -1) -> bytes:
        """The next bytes, b"" only at the end; about ``size`` of them, since conversion changes lengths."""
        ready = b""
        while not ready and not self._ended:
            data = self._stream.read(size)
            self._ended = not data
            self._waiting += data
            ready = self._take_ready()
        return ready

    def _take_ready(self) -> bytes:
        """The converted bytes that are complete; at the end of the body all that are left."""
        ready = bytearray()
        while (part := self._take_headers() if self._in_headers else self._take_content()) is not None:
            ready += part
        if self._ended:
            ready += self._waiting
            self._waiting = b""
        skipped = min(self._skip, len(ready))
        self._skip -= skipped
        return bytes(ready[skipped:])

    def _take_content(self) -> bytes | None:
        offset = self._waiting.find(self._delimiter)
        if offset >= 0:
            self._in_headers = True
            return self._cut(offset + len(self._delimiter))
        safe = len(self._waiting) - len(self._delimiter) + 1  # the rest may be the beginning of a delimiter
        return self._cut(safe) if safe > 0 else None

    def _take_headers(self) -> bytes | None:
        offset = self._waiting.find(_END_OF_HEADERS)
        if 0 <= offset <= MAX_PART_HEADER_BYTES:
            self._in_headers = False
            # The blank line is left: its line break may begin the delimiter of an empty part.
            return b"\r\n".join(_as_utf8(line) for line in self._cut(offset).split(b"\r\n"))
        if offset < 0 and len(self._waiting) <= MAX_PART_HEADER_BYTES:
            return None
        self._in_headers = False
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
