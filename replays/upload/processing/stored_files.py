"""Comparing stored files with the hashes that they are stored under: disks forget, and folders are copied in part.

Beat has one of :data:`PARTS` parts checked every hour, by the first digits of the hashes, so that each file is read once
in 30 days; which part it is follows from the time, and needs no memory.  What is found is logged, counted for `/metrics`,
and shown by `/readyz` until the part is checked again.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from django.core.cache import cache

from players.web import counters
from replays.models import Replay, file_store, store_mark
from replays.models.file_store import FileDamagedError, FileMissingError

PARTS: Final = 30 * 24
_PART_SECONDS: Final = 3_600
#: A run ends after so long, far below the time limit of a task; of a part that is larger it reads another share each time.
MOST_SECONDS: Final = 20.0
_CHUNK: Final = 200
_DIGITS: Final = 16
_AFTER_ALL: Final = "g"  # behind every hexadecimal digit
_KEY: Final = "faulty-files"
_now = time.monotonic

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Checked:
    """``missing`` and ``changed``: numbers of replays; ``complete``: there was time for all."""

    files: int = 0
    missing: list[int] = field(default_factory=list)
    changed: list[int] = field(default_factory=list)
    complete: bool = True


def part_of_now() -> int:
    return int(time.time()) // _PART_SECONDS % PARTS


def check_part(part: int, seconds: float = MOST_SECONDS) -> Checked:
    """Read the files of a part for at most ``seconds``; none where another store is seen than that of the site."""
    found = Checked()
    if not store_mark.is_visible():
        logger.error(store_mark.NOT_VISIBLE)
        return Checked(complete=False)
    ends = _now() + seconds
    for chunk in _chunks(*_bounds(part)):
        _check(chunk, found)
        if _now() > ends:
            found.complete = False
            break
    counters.count("files_checked", found.files - len(found.missing) - len(found.changed), result="whole")
    counters.count("files_checked", len(found.missing), result="missing")
    counters.count("files_checked", len(found.changed), result="changed")
    _remember(part, found)
    return found


def faulty_files() -> int:
    """Number of files that were missing or changed when they were last looked at, as far as the cache remembers."""
    return sum(cache.get(_KEY, {}).values())


def _remember(part: int, found: Checked) -> None:
    known = {int(key): number for key, number in cache.get(_KEY, {}).items()}
    known.pop(part, None)
    if faulty := len(found.missing) + len(found.changed):
        known[part] = faulty
    cache.set(_KEY, known, timeout=None)


def _bounds(part: int) -> tuple[str, str]:
    """The first hash of a part, and the first behind it."""
    low, high = (f"{place * 16**_DIGITS // PARTS:0{_DIGITS}x}" for place in (part, part + 1))
    return low, high if part + 1 < PARTS else _AFTER_ALL


def _chunks(low: str, high: str) -> Iterator[list[tuple[int, str]]]:
    """The rows of a range from a random place on, and then those before it."""
    begin = f"{random.randrange(int(low, 16), int(high, 16) if high != _AFTER_ALL else 16**_DIGITS):0{_DIGITS}x}"
    for after, end in ((begin, high), (low, begin)):
        rows = (
            Replay.objects.filter(file_deleted_at=None, sha256__lt=end).order_by("sha256").values_list("pk", "sha256")
        )
        while chunk := list(rows.filter(sha256__gte=after)[:_CHUNK]):
            yield chunk
            after = chunk[-1][1] + "0"  # the smallest text behind it


def _check(chunk: list[tuple[int, str]], found: Checked) -> None:
    missing: list[int] = []
    for pk, sha256 in chunk:
        try:
            file_store.get(sha256)
        except FileMissingError:
            missing.append(pk)
        except FileDamagedError:
            found.changed.append(pk)
            logger.error("The file of replay %d is not the one that was stored: %s", pk, sha256)
    found.files += len(chunk)
    # Not those that were deleted meanwhile.
    kept = (
        Replay.objects.filter(pk__in=missing, file_deleted_at=None).order_by("pk") if missing else Replay.objects.none()
    )
    for pk, sha256 in kept.values_list("pk", "sha256"):
        found.missing.append(pk)
        logger.error("The file of replay %d is missing: %s", pk, sha256)
