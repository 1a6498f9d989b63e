from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from analysis.limits import MAX_REPLAY_BYTES
from replays.upload.intake import archives
from replays.upload.intake.receipts import Receipt, refusal
from replays.upload.intake.services import Source


def files_below(paths: Sequence[Path], unreadable: list[Receipt]) -> Iterator[Path]:
    """The files of ``paths`` and all files below its folders, in the order of names.

    Below a folder hidden entries are skipped and links are not followed, so the search stays in the folder and ends.
    Receipts of folders that cannot be read are appended to ``unreadable``.
    """
    for path in paths:
        if path.is_dir():
            yield from _below(path, unreadable)
        else:
            yield path


def _below(folder: Path, unreadable: list[Receipt]) -> Iterator[Path]:
    def note(error: OSError) -> None:
        unreadable.append(_unreadable(Path(error.filename), error))

    for parent, folders, names in os.walk(folder, onerror=note, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            if not name.startswith(".") and not path.is_symlink() and path.is_file():
                yield path


def sources(paths: Iterator[Path], unreadable: list[Receipt]) -> Iterator[Source]:
    """Names and bytes of files, one at a time; an archive is yielded as an open file, and closed afterwards.

    Receipts of files that cannot be read are appended to ``unreadable``.
    """
    for path in paths:
        name = _name(path)
        try:
            with path.open("rb") as file:
                head = file.read(archives.HEAD_BYTES)
                file.seek(0)
                yield (name, file) if archives.is_zip(head) else (name, file.read(MAX_REPLAY_BYTES + 1))
        except OSError as error:
            unreadable.append(_unreadable(path, error))


def _name(path: Path) -> str:
    return os.fsencode(path.name).decode("utf-8", "replace")


def _unreadable(path: Path, error: OSError) -> Receipt:
    return refusal(_name(path), "unreadable", reason=error.strerror)
