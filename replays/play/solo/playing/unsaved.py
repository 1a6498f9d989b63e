"""Games that have ended, on disk until the database has them.

Each process appends to a file of its own, in ``DATA_DIR/unsaved-games``, and holds a lock on it.  The file is emptied
whenever the database has all of its games.  When a process dies, its file has no lock any more: another process hands in
what is left in it, and interrupts what the dead one was playing.  Handing a game in twice does no harm, so nothing marks
the games that are in.
"""

from __future__ import annotations

import atexit
import errno
import fcntl
import json
import logging
import os
import secrets
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError

from analysis.recording import Recording
from replays.play.models import LiveGame as Row
from replays.play.solo.playing.played_game import PlayerSocket

#: A file takes so much: some thousand games.  With more of them waiting, the rest is in memory alone.
MAX_BYTES: Final = 64 * 2**20
#: Of files that the database is known not to have taken yet; others are still being made.
_SUFFIX: Final = ".games"
#: Name of this process, of its file and in the rows of its running games.
HOLDER: Final = secrets.token_hex(16)

logger = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class EndedGame:
    """A game that has ended, as it is stored: ``row`` without its recording, and ``data``, its RawVF file compressed with zlib.

    ``data``: b"" for a game without a decision.  ``holder``: the process that played it.  ``recording``: the same as
    ``data``, while it need not be read again.  ``connection``: whom to tell.
    """

    row: Row
    holder: str
    data: bytes = b""
    recording: Recording | None = None
    connection: PlayerSocket | None = None

    def line(self) -> bytes:
        values = {
            field.attname: None if getattr(self.row, field.attname) is None else field.value_to_string(self.row)
            for field in Row._meta.concrete_fields
        }
        content = {"holder": self.holder, "row": values, "data": b64encode(self.data).decode()}
        return json.dumps(content).encode() + b"\n"

    @classmethod
    def of_line(cls, line: bytes) -> EndedGame:
        content = json.loads(line)
        values: dict[str, Any] = {
            field.attname: field.to_python(content["row"][field.attname]) for field in Row._meta.concrete_fields
        }
        return cls(Row(**values), content["holder"], b64decode(content["data"]))


class UnsavedGames:
    """The file of a process, made when it stores or ends its first game."""

    def __init__(self, folder: Path, holder: str) -> None:
        self._path = folder / f"{holder}{_SUFFIX}"
        self._file: IO[bytes] | None = None
        self._waiting = 0
        self._lock = threading.Lock()

    def open(self) -> None:
        """Show other processes that this one is alive, before there are rows of games that it plays."""
        with self._lock:
            try:
                self._file = self._file or _new_file(self._path)
            except OSError:
                logger.exception("If this process dies, its running games are found a day later.")

    def add(self, game: EndedGame) -> None:
        """Write ``game`` to the disk; ``remove`` must follow once the database has it."""
        line = game.line()
        with self._lock:
            self._waiting += 1
            try:
                self._file = self._file or _new_file(self._path)
                _append(self._file, line)
            except OSError:
                logger.exception("The live game %s cannot be kept on disk: it is in memory alone.", game.row.pk)

    def remove(self) -> None:
        with self._lock:
            self._waiting -= 1
            if not self._waiting and self._file is not None:
                self._file.seek(0)
                self._file.truncate()

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None


def _new_file(path: Path) -> IO[bytes]:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = path.with_suffix("")
    file = open(name, "xb", buffering=0, opener=_private)  # noqa: SIM115 - open as long as the process lives
    fcntl.flock(file, fcntl.LOCK_EX)
    name.rename(path)  # locked before any other process looks at it
    _sync(path.parent)
    return file


def _append(file: IO[bytes], line: bytes) -> None:
    """Write all of ``line`` to the disk, or nothing."""
    begin = file.tell()
    try:
        if begin + len(line) > MAX_BYTES or file.write(line) < len(line):
            raise OSError(errno.ENOSPC, "No room for unsaved games")
        os.fsync(file.fileno())
    except OSError:
        file.seek(begin)
        file.truncate()
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def abandoned_games(folder: Path) -> Iterator[tuple[str, list[EndedGame]]]:
    """Yield each dead process, and the games in its file.

    A file is deleted when the caller asks for the next: it has handed in the games of the last one then.
    """
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        try:
            file = path.open("rb")
        except FileNotFoundError:
            continue  # another process was quicker
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue  # its process lives
            if os.fstat(file.fileno()).st_nlink:
                yield path.stem, list(_games(path, file))
                path.unlink()


def _games(path: Path, file: IO[bytes]) -> Iterator[EndedGame]:
    for number, line in enumerate(file, 1):
        try:
            yield EndedGame.of_line(line)
        except (ValueError, KeyError, TypeError, ValidationError):
            # The last line of a process that died in the middle of it; nothing else writes such lines.
            logger.exception("Line %d of %s is no game.", number, path)


def folder() -> Path:
    return Path(settings.DATA_DIR) / "unsaved-games"


@cache
def unsaved_games() -> UnsavedGames:
    games = UnsavedGames(folder(), HOLDER)
    atexit.register(games.close)
    return games
