"""Compression of pages and JSON.

BREACH reads a secret from the *length* of compressed responses: an attacker has a visitor's browser request a page that
holds both the secret and a text of the attacker's choice, again and again, and sees when the text makes it shorter, that
is when it repeats a part of the secret.  Four things stand against it:

- What holds secrets that stay the same (tokens and recovery codes on pages of accounts, the pages of the staff) is marked
  ``no-store``, and such responses are not compressed.
- The tokens in forms are the only secret of other pages, and Django masks them with other random bytes each time.
- gzip files get a name of random length (up to ``max_random_bytes``), which hides small differences.
- Session cookies are ``SameSite=Lax``: other sites cannot load pages for a signed-in visitor unseen.

Brotli would be smaller by some 15 %, but has no field for a random length.  Static files, which hold no secrets, do not
use it either: collecting them took 43 s of processor time with it and 3 s without, at every start after an update.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

#: What is worth compressing.  Replay files are left alone: they hold text of strangers, and are saved rather than shown.
_TYPES: Final = frozenset({
    "text/html", "text/plain", "application/json", "application/problem+json", "application/atom+xml", "image/svg+xml",
    "application/vnd.oai.openapi", "application/vnd.oai.openapi+json",
})  # fmt: skip


class CompressionMiddleware(GZipMiddleware):
    """Compresses responses with gzip if the client accepts it; strong ETags become weak ones."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, HttpResponse) or not _may_compress(response):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed


def _may_compress(response: HttpResponse) -> bool:
    if "no-store" in response.get("Cache-Control", ""):
        return False
    return response.get("Content-Type", "").partition(";")[0].strip() in _TYPES
