"""Downloads of replay files, original or as RawVF.  They are untrusted, so the browser must only save them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import gettext as _

from analysis.formats import rawvf
from analysis.statistics import VERSION
from replays.models import Replay, file_store
from replays.models.recordings import recording_of
from replays.odds.luck.selectors import unreadable_is_404
from replays.upload.intake.names import FALLBACK_FILE_NAME
from replays.upload.kernels import require_kernels


def replay_file_response(request: HttpRequest, replay: Replay) -> HttpResponseBase:
    """The original bytes with their original name; 304 if the client has them, 404 if the file is lost."""
    if replay.file_deleted_at is not None:
        raise Http404(_("The file of this rejected replay has been deleted."))
    name = replay.original_name or f"{FALLBACK_FILE_NAME}-{replay.pk}"
    return _download(request, name, replay.sha256, lambda: file_store.get(replay.sha256))


def replay_rawvf_response(request: HttpRequest, replay: Replay) -> HttpResponseBase:
    """The recording of an analysed replay as RawVF; 304 if the client has it, 404 if the file is lost or rejected."""
    if replay.status != Replay.Status.DONE:
        raise Http404(_("There's no recording yet, because this replay hasn't been analysed."))
    # The content depends on the file, the chosen encoding and our code; changes of the code raise VERSION.
    require_kernels("analysis")
    chosen = f"-{replay.name_encoding}" if replay.encoding_chosen else ""
    tag = f"{replay.sha256}-rawvf-{VERSION}{chosen}"
    name = f"{PurePath(replay.original_name).stem or FALLBACK_FILE_NAME}-{replay.pk}.rawvf"
    return _download(request, name, tag, lambda: rawvf.write(recording_of(replay)), immutable=False)


def _download(
    request: HttpRequest, name: str, tag: str, content: Callable[[], bytes], *, immutable: bool = True
) -> HttpResponseBase:
    etag = quote_etag(tag)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        with unreadable_is_404():
            response = HttpResponse(content(), content_type="application/octet-stream")
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["ETag"] = etag
    response["Cache-Control"] = "private, max-age=31536000, immutable" if immutable else "private, no-cache"
    return response
