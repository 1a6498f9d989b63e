"""Large files as responses, from any byte on, so that a download that broke off can go on.

Each part is read when the client has taken the part before, so a slow one holds neither memory nor a thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag

#: One range; several at once are answered with the whole file, as every server may.
_RANGE: Final = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)
_PART: Final = 1 << 18
_TYPES: Final = {
    ".gz": "application/gzip", ".json": "application/json", ".ndjson": "application/x-ndjson", ".tar": "application/x-tar",
}  # fmt: skip


def ranged_file_response(request: HttpRequest, path: Path, tag: str) -> HttpResponseBase:
    """The file, the part of it that ``Range`` asks for (206), 304, or 416; ``tag`` changes with the content."""
    etag, size = quote_etag(tag), path.stat().st_size
    response = get_conditional_response(request, etag=etag) or _content(
        request, path, _asked(request, etag, size), size
    )
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = etag
    response["Cache-Control"] = "public, no-cache"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=path.name) or "attachment"
    return response


def _asked(request: HttpRequest, etag: str, size: int) -> range:
    """Return the bytes that the request asks for, none of which may be there; all if it asks for no single range.

    A range of another version of the file is not asked for (``If-Range``).
    """
    everything = range(size)
    match = _RANGE.fullmatch(request.headers.get("Range", ""))
    if match is None or match.group() == "bytes=-" or request.headers.get("If-Range", etag) != etag:
        return everything
    first, last = match.groups()
    if not first:  # so many at the end
        return everything[-int(last) :] if int(last) else range(0)
    if last and int(last) < int(first):
        return everything
    return range(min(int(first), size), min(int(last) + 1 if last else size, size))


def _content(request: HttpRequest, path: Path, asked: range, size: int) -> HttpResponseBase:
    if not asked and size:
        response: HttpResponseBase = HttpResponse(status=416)
        response["Content-Range"] = f"bytes */{size}"
        return response
    parts = _parts(path, asked) if request.method == "GET" else iter(())
    response = StreamingHttpResponse(parts, content_type=_TYPES[path.suffix])
    response["Content-Length"] = str(len(asked))
    if len(asked) < size:
        response.status_code = 206
        response["Content-Range"] = f"bytes {asked.start}-{asked.stop - 1}/{size}"
    return response


def _parts(path: Path, asked: range) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(asked.start)
        left = len(asked)
        while left and (part := file.read(min(left, _PART))):
            left -= len(part)
            yield part
