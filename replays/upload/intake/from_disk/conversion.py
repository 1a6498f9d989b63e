"""Converting replay files on disk to RawVF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.utils.translation import gettext as _

from analysis import formats
from analysis.errors import ReplayError
from analysis.formats import evfs, rawvf
from analysis.limits import MAX_REPLAY_BYTES
from replays.upload.intake.from_disk.paths import files_below
from replays.upload.intake.receipts import Receipt

SUFFIX = ".rawvf"


class Conversion(StrEnum):
    """WRITTEN: a new file.  UNCHANGED: the file existed with the same bytes.  FAILED: see the reason."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Converted:
    """The result for one replay: its file, the written file (None if it failed), and the reason of a failure."""

    source: Path
    target: Path | None
    outcome: Conversion
    reason: str = ""


def convert_all(inputs: Sequence[Path], output: Path | None, *, overwrite: bool) -> Iterator[Converted]:
    """Convert files and all files below folders, one at a time.

    Without ``output`` each result is written beside its source; else below ``output``, in the same subfolders.  The
    replays of a set get its name with numbers.  Existing files that differ are replaced only with ``overwrite``.
    """
    written: set[Path] = set()
    for given in inputs:
        root = given if given.is_dir() else given.parent
        unreadable: list[Receipt] = []
        for source in files_below([given], unreadable):
            folder = source.parent if output is None else output / source.parent.relative_to(root)
            yield from _convert(source, folder, written, overwrite=overwrite)
        for receipt in unreadable:  # folders that cannot be read
            if receipt.system_files:
                continue
            yield Converted(Path(receipt.name), None, Conversion.FAILED, receipt.message)


def _convert(source: Path, folder: Path, written: set[Path], *, overwrite: bool) -> Iterator[Converted]:
    try:
        replays = _replays(_read(source))
    except (OSError, ReplayError) as error:
        yield _failed(source, error)
        return
    for number, data in enumerate(replays, start=1):
        name = f"{source.stem}-{number:03d}" if len(replays) > 1 else source.stem
        target = folder / f"{name}{SUFFIX}"
        try:
            text = rawvf.write(formats.read(data))
            yield Converted(source, target, _write(target, text, overwrite=overwrite and target not in written))
            written.add(target)
        except (OSError, ReplayError) as error:
            yield _failed(source, error, f"{number}: " if len(replays) > 1 else "")


def _failed(source: Path, error: OSError | ReplayError, prefix: str = "") -> Converted:
    reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    return Converted(source, None, Conversion.FAILED, prefix + reason)


def _read(source: Path) -> bytes:
    with source.open("rb") as file:
        data = file.read(MAX_REPLAY_BYTES + 1)  # one byte too many makes the reader refuse a file that is too large
        return data + file.read() if evfs.recognises(data) else data


def _replays(data: bytes) -> list[bytes]:
    if evfs.recognises(data):
        return [cell.data for cell in evfs.cells(data)]
    return [data]


def _write(target: Path, text: bytes, *, overwrite: bool) -> Conversion:
    """Write ``text``; ``FileExistsError`` if the file exists and differs, unless ``overwrite``."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not overwrite and target.exists():
        if target.read_bytes() == text:
            return Conversion.UNCHANGED
        raise FileExistsError(0, _("%(path)s exists with different content") % {"path": target})
    target.write_bytes(text)
    return Conversion.WRITTEN
