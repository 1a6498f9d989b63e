from __future__ import annotations

from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpRequest

from replays.upload.intake.multipart import NamesInAnyEncoding


def keep_in_memory(request: HttpRequest) -> None:
    """Let no file of ``request`` reach the disk: what is too large for memory is left out.  Call it before a form is read."""
    request.upload_handlers = [NamesInAnyEncoding(request), MemoryFileUploadHandler(request)]
