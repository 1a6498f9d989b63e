"""Reading uploaded zip archives and sets of replays (EVFS), which are archives without compression.

They are untrusted: sizes are measured while unpacking, names are only shown, and one member at a time is in memory.  A
refused member has a code of ``replays.trust.reasons`` and does not affect the others.
"""

from __future__ import annotations

import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice, pairwise
from typing import IO, Final

from analysis.errors import ReplayError
from analysis.formats import FORMATS, evfs
from analysis.formats.code_pages import guess_in_zip
from analysis.limits import MAX_DIRECTORY_ENTRY_BYTES, MAX_RATIO, MAX_REPLAY_BYTES, RATIO_FREE_BYTES
from replays.upload.intake.names import file_name, is_system_file

HEAD_BYTES: Final = 8
GAME_HEAD_BYTES: Final = RATIO_FREE_BYTES  # enough for every format to recognise its files

_ZIP_HEADS: Final = (b"PK\x03\x04", b"PK\x05\x06")
_OTHER_HEADS: Final = (
    b"Rar!\x1a\x07",
    b"7z\xbc\xaf\x27\x1c",
    b"\x1f\x8b\x08",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
)
_TAR_MAGIC: Final = slice(257, 262)
_APPLE_DOUBLE: Final = b"\x00\x05\x16\x07"  # begins what macOS writes beside a file, as "._" and its name
_SEPARATORS: Final = re.compile(r"[/\\]")
_LEAST_HEADER_BYTES: Final = 30  # of a member; its name follows
_UTF8_NAME: Final = 0x800
_ENCRYPTED: Final = 0x1
_END_OF_DIRECTORY: Final = struct.Struct("<4s4H2LH")
_MAX_COMMENT_BYTES: Final = 0xFFFF
_ZIP64_LOCATOR: Final = struct.Struct("<4sLQL")
_ZIP64_END: Final = struct.Struct("<4sQ2H2L4Q")

#: Exceptions of the decompressors and of ``zipfile`` on damaged input.
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    OverflowError,
    ValueError,
    struct.error,
    NotImplementedError,
    RuntimeError,
)


@dataclass(frozen=True, slots=True)
class Member:
    """A file of an archive: its bytes, or the code why it is refused.

    ``unpacked_bytes``: how many bytes were unpacked, also of a refused member.  ``system_files``: the member stands for
    these files of an operating system, which were passed over.
    """

    name: str
    data: bytes = b""
    unpacked_bytes: int = 0
    refused: str = ""
    params: dict[str, object] = field(default_factory=dict)
    system_files: list[str] = field(default_factory=list)


def is_zip(head: bytes) -> bool:
    return head.startswith(_ZIP_HEADS)


def is_set(data: bytes) -> bool:
    return evfs.recognises(data)


def holds_games(head: bytes) -> bool:
    """Return whether a file that begins so is a replay or a set, whatever its name says."""
    if head.startswith(_APPLE_DOUBLE):
        return False
    return is_set(head) or any(module.recognises(head) for module in FORMATS)


def is_other_archive(data: bytes) -> bool:
    return data.startswith(_OTHER_HEADS) or data[_TAR_MAGIC] == b"ustar"


def _never() -> str:
    return ""


def members(
    stream: IO[bytes], archive_name: str, *, max_files: int, max_bytes: int, stopped: Callable[[], str] = _never
) -> Iterator[Member]:
    """The files of the archive in its order, without folders.

    Once ``stopped()`` gives a code, nothing more is unpacked, and every further member is refused with that code.

    If it cannot be read or has too many files, or files that share bytes, the only member is a refused one with the name
    of the archive.  After ``max_bytes`` unpacked bytes, or :data:`MAX_RATIO` times its size, the last member is a refused
    one.
    """
    try:
        # Twice: macOS adds a file of its own to each.
        if _directory_bytes(stream) > 2 * max_files * MAX_DIRECTORY_ENTRY_BYTES:
            yield Member(archive_name, refused="archive_too_many", params={"limit": max_files})
            return
        archive = zipfile.ZipFile(stream)
    except _DAMAGE:
        yield Member(archive_name, refused="broken_archive")
        return
    with archive:
        # Not is_dir(), which raises IndexError for members without a name.
        infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
        if not infos:
            yield Member(archive_name, refused="archive_empty")
            return
        if _overlap(infos):
            yield Member(archive_name, unpacked_bytes=stream.seek(0, 2), refused="broken_archive")
            return
        max_bytes = min(max_bytes, max(MAX_REPLAY_BYTES, MAX_RATIO * stream.seek(0, 2)))
        games, system, unpacked = _sorted_out(archive, infos, max_files, max_bytes)
        if len(games) > max_files:
            yield Member(archive_name, refused="archive_too_many", params={"limit": max_files})
            return
        yield from _read_all(archive, games, max_files, max_bytes - unpacked, stopped)
        if system:
            yield Member(archive_name, system_files=system)


def _overlap(infos: list[zipfile.ZipInfo]) -> bool:
    """Return whether bytes of the archive belong to several members: a small one could be unpacked for ever."""
    ordered = sorted(infos, key=lambda info: info.header_offset)
    return any(
        info.header_offset + _LEAST_HEADER_BYTES + info.compress_size > following.header_offset
        for info, following in pairwise(ordered)
    )


def _sorted_out(
    archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo], max_files: int, max_bytes: int
) -> tuple[list[zipfile.ZipInfo], list[str], int]:
    """Return what may be games, the names of files of an operating system, and how many bytes were unpacked to see it.

    At most ``max_files`` of those whose names say so are looked into.
    """
    games, system, looks, unpacked = [], [], max_files, 0
    for info in infos:
        name = display_name(info)
        if is_system_file(name):
            head = _head(archive, info) if looks > 0 and unpacked < max_bytes else b""
            looks, unpacked = looks - 1, unpacked + len(head)
            if not holds_games(head):
                system.append(file_name(name))
                continue
        games.append(info)
    return games, system, unpacked


def _head(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return as much as shows whether a member is a replay, or nothing if it could not be read as one."""
    if _refused_by_header(info):
        return b""
    try:
        with archive.open(info) as file:
            head = file.read(len(_APPLE_DOUBLE))
            return head if head == _APPLE_DOUBLE else head + file.read(GAME_HEAD_BYTES - len(head))
    except _DAMAGE:
        return b""


def replays_of_set(
    content: bytes | IO[bytes],
    name: str,
    *,
    max_files: int,
    size: int | None = None,
    stopped: Callable[[], str] = _never,
) -> Iterator[Member]:
    """Yield the replays of a set as members, one in memory at a time; if it has too many, one refused member.

    The replays before a damage are followed by one refused member, which stands for the rest.
    ``content``: the bytes, or an open, seekable file at its beginning; ``size``: of the file, if it is known.  Sets are
    not compressed, so the replays are never larger than the set.
    """
    stream = BytesIO(content) if isinstance(content, bytes) else content
    if size is None:
        size = stream.seek(0, 2)
        stream.seek(0)
    places: list[evfs.Place] = []
    damaged = False
    try:
        places.extend(islice(evfs.places(stream, size), max_files + 1))
    except ReplayError:
        damaged = True
    if len(places) > max_files:
        yield Member(name, refused="set_too_many", params={"limit": max_files})
        return
    for number, place in enumerate(places, start=1):
        # Names have no suffix and may be equal; the number makes them unique.
        shown = f"{_SEPARATORS.sub('_', place.name) or name} ({number}).evf"
        if code := stopped():
            yield Member(shown, refused=code)
        elif place.size > MAX_REPLAY_BYTES:
            yield Member(shown, refused="too_large", params={"limit": MAX_REPLAY_BYTES})
        else:
            stream.seek(place.offset)
            yield Member(shown, stream.read(place.size))
    if damaged:
        yield Member(name, refused="broken_set")


def _read_all(
    archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo], max_files: int, max_bytes: int, stopped: Callable[[], str]
) -> Iterator[Member]:
    unpacked, room = 0, max_files - len(infos)  # room: how many further files sets may contain
    for info in infos:
        if code := stopped():
            yield Member(display_name(info), refused=code)
            continue
        member = _member(archive, info)
        large_set, probed = _large_set(archive, info) if member.refused == "too_large" else (False, 0)
        unpacked += probed + (info.file_size if large_set else member.unpacked_bytes)
        if unpacked > max_bytes:
            yield Member(display_name(info), refused="archive_too_large", params={"limit": max_bytes})
            return
        if large_set:
            replays = _replays_of_large_set(archive, info, room + 1, stopped)
        elif is_set(member.data):
            replays = replays_of_set(member.data, member.name, max_files=room + 1)
        else:
            yield member
            continue
        for replay in replays:
            room -= 1
            yield replay
        room += 1


def _large_set(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[bool, int]:
    """Return whether a member that is too large for a replay is a set, and how many bytes were unpacked to see it.

    More bytes than it states are never unpacked of it.
    """
    if info.file_size > MAX_RATIO * info.compress_size:
        return False, 0
    try:
        with archive.open(info) as file:
            head = file.read(HEAD_BYTES)
            if head.startswith(evfs.FIRST_BYTE):
                head += file.read(MAX_REPLAY_BYTES)
    except _DAMAGE:
        return False, 0
    return is_set(head), len(head)


def _replays_of_large_set(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, max_files: int, stopped: Callable[[], str]
) -> Iterator[Member]:
    name = display_name(info)
    try:
        with archive.open(info) as file:
            yield from replays_of_set(file, name, max_files=max_files, size=info.file_size, stopped=stopped)
    except _DAMAGE:
        yield Member(name, refused="damaged_member")


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    name = display_name(info)
    refused = _refused_by_header(info)
    if refused:
        return Member(name, refused=refused, params={"limit": MAX_REPLAY_BYTES})
    most_bytes = max(RATIO_FREE_BYTES, MAX_RATIO * info.compress_size)
    try:
        with archive.open(info) as file:
            data = file.read(min(MAX_REPLAY_BYTES, most_bytes) + 1)  # bounded, whatever size the header states
    except _DAMAGE:
        return Member(name, unpacked_bytes=min(info.file_size, most_bytes), refused="damaged_member")
    size = len(data)
    if size > MAX_REPLAY_BYTES:
        return Member(name, unpacked_bytes=size, refused="too_large", params={"limit": MAX_REPLAY_BYTES})
    if size > most_bytes:
        return Member(name, unpacked_bytes=size, refused="compression_ratio", params={"limit": MAX_RATIO})
    if is_zip(data) or is_other_archive(data):
        return Member(name, unpacked_bytes=size, refused="nested_archive")
    return Member(name, data, unpacked_bytes=size)


def _refused_by_header(info: zipfile.ZipInfo) -> str:
    """The code with which a member is refused before it is read, or ""."""
    unix_mode = info.external_attr >> 16
    kind = stat.S_IFMT(unix_mode)
    if kind == stat.S_IFLNK:
        return "link"
    if kind not in (0, stat.S_IFREG):
        return "special_file"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "compression_method"
    if info.file_size > MAX_REPLAY_BYTES:
        return "too_large"
    return ""


def display_name(info: zipfile.ZipInfo) -> str:
    """The member's name as text; only to be shown.

    Without the UTF-8 flag its encoding is a guess.
    """
    if info.flag_bits & _UTF8_NAME:
        return info.filename
    try:
        raw = info.filename.encode("cp437")
    except UnicodeEncodeError:
        return info.filename
    return raw.decode(guess_in_zip(raw))


def _directory_bytes(stream: IO[bytes]) -> int:
    """The stated size of the archive's central directory, checked before ``zipfile`` allocates memory for it.

    Raises ``BadZipFile`` or ``struct.error`` if there is no end-of-directory record.
    """
    end = stream.seek(0, 2)
    start = max(0, end - _END_OF_DIRECTORY.size - _MAX_COMMENT_BYTES - _ZIP64_LOCATOR.size)
    stream.seek(start)
    tail = stream.read(end - start)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0:
        raise zipfile.BadZipFile("no end of directory")
    size = int(_END_OF_DIRECTORY.unpack_from(tail, at)[5])
    locator_at = at - _ZIP64_LOCATOR.size
    if locator_at >= 0 and tail[locator_at : locator_at + 4] == b"PK\x06\x07":
        stream.seek(_ZIP64_LOCATOR.unpack_from(tail, locator_at)[2])
        size = int(_ZIP64_END.unpack(stream.read(_ZIP64_END.size))[8])
    return size
