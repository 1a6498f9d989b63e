from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from analysis.limits import MAX_REPLAY_BYTES
from replays.upload.intake import archives
from replays.upload.intake.names import is_system_file
from replays.upload.intake.receipts import Receipt, passed_over, refusal
from replays.upload.intake.services import Source

#: Code of the receipt of a link that leads out of the folder or nowhere.
LINK_NOT_FOLLOWED: Final = "link_not_followed"


def files_below(paths: Sequence[Path], unreadable: list[Receipt]) -> Iterator[Path]:
    """The files of ``paths`` and all files below its folders, in the order of names.

    Below a folder hidden entries are skipped, and links are followed last, if they lead to something in the folder that was
    not found yet; so the search stays in the folder and ends.  Receipts of links that lead out of it or nowhere, of folders
    that cannot be read, and of files of an operating system are appended to ``unreadable``.
    """
    for path in paths:
        if path.is_dir():
            yield from _below(path, unreadable)
        else:
            yield path


def _below(folder: Path, unreadable: list[Receipt]) -> Iterator[Path]:
    top = Path(os.path.realpath(folder))
    found: set[str] = set()  # real paths of folders and files
    links = deque([folder])
    while links:
        link = links.popleft()
        target = os.path.realpath(link)
        if not Path(target).is_relative_to(top) or not os.path.exists(target):
            unreadable.append(refusal(_name(link), LINK_NOT_FOLLOWED))
        elif os.path.isdir(target):
            yield from _walk(link, found, links, unreadable)
        elif os.path.isfile(target) and target not in found:
            found.add(target)
            yield link


def _walk(folder: Path, found: set[str], links: deque[Path], unreadable: list[Receipt]) -> Iterator[Path]:
    """Yield the files below ``folder`` that are not among ``found``, add them to it, and put links aside."""

    def note(error: OSError) -> None:
        unreadable.append(_unreadable(Path(error.filename), error))

    for parent, folders, names in os.walk(folder, onerror=note, followlinks=False):
        real = os.path.realpath(parent)
        if real in found:
            folders[:], names = [], []
        system = [name for name in names if is_system_file(os.path.join(os.path.basename(parent), name))]
        unreadable.extend(passed_over(_name(Path(name)), [_name(Path(name))]) for name in system)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        names = sorted({name for name in names if not name.startswith(".")} - set(system))
        found.add(real)
        for path in (Path(parent, name) for name in sorted([*folders, *names])):
            target = os.path.join(real, path.name)
            if path.is_symlink():
                links.append(path)
            elif path.is_file() and target not in found:
                found.add(target)
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
                if archives.is_zip(head):
                    yield name, file
                else:
                    data = file.read(MAX_REPLAY_BYTES + 1)
                    yield (name, file) if len(data) > MAX_REPLAY_BYTES and archives.is_set(data) else (name, data)
        except OSError as error:
            unreadable.append(_unreadable(path, error))


def _name(path: Path) -> str:
    return os.fsencode(path.name).decode("utf-8", "replace")


def _unreadable(path: Path, error: OSError) -> Receipt:
    return refusal(_name(path), "unreadable", reason=error.strerror)
