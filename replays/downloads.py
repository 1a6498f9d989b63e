"""Sending the file of a replay back: bytes that a stranger made, so the browser must only ever save them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import gettext as _

from replays import files
from replays.models import Replay
from replays.names import FALLBACK_FILE_NAME


def replay_file_response(request: HttpRequest, replay: Replay) -> HttpResponseBase:
    """The original bytes under the name that they came with; 304 if the caller has them, 404 if they are lost."""
    etag = quote_etag(replay.sha256)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        try:
            response = HttpResponse(files.get(replay.sha256), content_type="application/octet-stream")
        except (files.FileMissingError, files.FileDamagedError) as error:
            raise Http404(_("The file of this replay is lost.")) from error
    name = replay.original_name or f"{FALLBACK_FILE_NAME}-{replay.pk}"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["ETag"] = etag
    response["Cache-Control"] = "private, max-age=31536000, immutable"
    return response
