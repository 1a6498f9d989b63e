"""A mark by which a process knows that it sees the files of the site, and no other folder or bucket.

``manage.py prepare`` puts a file with a random name into the store, once, and its name into the database.  A process that
does not find it sees another store: a folder that was not mounted, a machine with a ``DATA_DIR`` of its own.  What is
missing there is no fault of the uploads.
"""

from __future__ import annotations

import logging
import uuid
from typing import Final

from django.conf import settings
from django.db import models

from replays.models import file_store
from replays.models.replay import Replay

NOT_VISIBLE: Final = (
    "The replay files of this site are not visible here: is DATA_DIR (or REPLAY_BUCKET) that of the web processes, and"
    " mounted?"
)
#: Files that are looked for before a store is marked: the newest of the site.
_SAMPLE: Final = 20

logger = logging.getLogger(__name__)


class StoreMark(models.Model):
    """The name of a file in the store of this site; there is one row, and none before ``manage.py prepare``."""

    name = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class StoreNotOurs(Exception):
    """The store that this process sees is not that of the database."""


def is_ours() -> bool:
    """Return whether the store is that of the site; also if no store was marked yet.  Raises ``StoreUnreachableError``."""
    name = StoreMark.objects.order_by("pk").values_list("name", flat=True).first()
    return name is None or file_store.has_mark(name)


def is_visible() -> bool:
    """Return whether the store answers and is that of the site."""
    try:
        return is_ours()
    except file_store.StoreUnreachableError:
        return False


def require_visible() -> None:
    """Raise ``StoreUnreachableError`` unless the store answers and is that of the site."""
    if not is_ours():
        logger.error(NOT_VISIBLE)
        raise file_store.StoreUnreachableError


def mark_store() -> None:
    """Mark the store, unless the site has one; raises :class:`StoreNotOurs` if that is another than this.

    Not for two processes at once.
    """
    mark = StoreMark.objects.order_by("pk").first()
    if mark is not None:
        if not file_store.has_mark(mark.name):
            raise StoreNotOurs(
                f"{NOT_VISIBLE} If you moved the files and are sure that they are here, put an empty file {mark.name}"
                f" beside them ({settings.REPLAY_BUCKET or settings.REPLAY_FILES_DIR})."
            )
        return
    newest = Replay.objects.filter(status=Replay.Status.DONE, file_deleted_at=None).order_by("-id")
    hashes = list(newest.values_list("sha256", flat=True)[:_SAMPLE])
    if hashes and not any(map(file_store.exists, hashes)):
        raise StoreNotOurs(NOT_VISIBLE)
    name = f"mark-{uuid.uuid4().hex}"
    file_store.put_mark(name)  # before the row: a mark that nobody knows does no harm
    StoreMark.objects.create(name=name)
