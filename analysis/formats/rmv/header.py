"""RMV, everything before the events but the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from analysis.errors import BadField, Inconsistent, excerpt
from analysis.formats.notes import Notes
from analysis.formats.reader import ByteReader
from analysis.formats.text import decode, read_name
from analysis.recording import Level, Mode

MAGIC = b"*rmv"

#: The sizes in the header, in their order: name and number of bytes.  "properties" is a count.
SIZES: dict[int, tuple[tuple[str, int], ...]] = {
    1: (
        ("file", 4),
        ("result", 2),
        ("version", 2),
        ("player", 2),
        ("board", 2),
        ("preflags", 2),
        ("properties", 2),
        ("events", 4),
        ("checksum", 2),
    ),
    2: (
        ("clone", 1),
        ("major", 1),
        ("file", 4),
        ("version", 2),
        ("player", 2),
        ("board", 2),
        ("preflags", 2),
        ("properties", 2),
        ("extension", 2),
        ("events", 4),
        ("checksum", 2),
    ),
}
#: The properties by their places.
PROPERTIES: dict[int, tuple[str, ...]] = {
    1: ("question_marks", "nf", "mode", "level", "utf8"),
    2: ("question_marks", "nf", "mode", "level", "bv_low", "bv_high", "cell_px"),
}
_NEEDED_PROPERTIES = 4

LEVELS: dict[int, Level] = {0: Level.BEGINNER, 1: Level.INTERMEDIATE, 2: Level.EXPERT, 3: Level.CUSTOM}
MODES: dict[int, Mode] = {
    0: Mode.STANDARD,
    1: Mode.UPK,
    2: Mode.CHEAT,
    3: Mode.DENSITY,
    4: Mode.WIN7,
    5: Mode.NO_GUESS,
    **dict.fromkeys(range(6, 14), Mode.OTHER),  # rule sets without a name here
}
VIENNA = 1  # the clone of these files

_RESULT_BV = re.compile(rb"#3BV:(\d{1,5})#NF:[01]#TIMESTAMP:\d{1,20}#\s*$")
_RESULT_SCORE = re.compile(rb"#SCORE:(\d{1,5})\.(\d\d)#")
_RESULT_MADE_AT = re.compile(rb"#TIMESTAMP:(\d{1,20})#\s*$")
_RELEASE = re.compile(r"Release (\S+)")
_COPYRIGHT = re.compile(r"\s*(?:Copyright|\(c\)).*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The version, and what the header says of the sizes of the parts, in bytes (``properties``: how many).

    ``clone``, ``major``: number of the program and of its release, which version 2 alone states.
    """

    version: int
    clone: int
    major: int
    stated_bytes: int
    result: int
    program: int
    player: int
    board: int
    preflags: int
    properties: int
    extension: int
    events: int
    checksum: int

    @property
    def missing_bytes(self) -> int:
        """Files of version 2 have two bytes more than they say."""
        return 2 if self.version == 2 else 0


@dataclass(frozen=True, slots=True)
class Texts:
    """Result, program and player as they stand in the file."""

    result: bytes
    bv: int | None
    software: str
    release: str
    player_bytes: bytes
    nickname: bytes
    country: bytes
    token: bytes


@dataclass(frozen=True, slots=True)
class Properties:
    """The properties, and the texts whose encoding they tell."""

    question_marks: bool
    nf: bool
    mode: Mode
    level: Level | None
    bv: int | None
    cell_px: int
    player: str
    player_encoding: str
    country: str
    extra: dict[str, str] = field(default_factory=dict)


@contextmanager
def within(reader: ByteReader, size: int, what: str) -> Iterator[None]:
    """A part of the file that must have exactly ``size`` bytes."""
    begin = reader.offset
    reader.need(max(size, 0), what)
    yield
    if reader.offset - begin != size:
        raise Inconsistent(f"The part {what} has {reader.offset - begin} bytes; its header says {size}.")


def read_sizes(reader: ByteReader) -> Sizes:
    reader.take(len(MAGIC), "mark")
    version = reader.u16("version")
    if version not in SIZES:
        raise BadField("version", offset=len(MAGIC), value=version)
    sizes = {name: reader.number(width, f"size of the part {name}") for name, width in SIZES[version]}
    return Sizes(
        version=version,
        clone=sizes.get("clone", VIENNA),
        major=sizes.get("major", 0),
        stated_bytes=sizes["file"],
        result=sizes.get("result", 0),
        program=sizes["version"],
        player=sizes["player"],
        board=sizes["board"],
        preflags=sizes["preflags"],
        properties=sizes["properties"],
        extension=sizes.get("extension", 0),
        events=sizes["events"],
        checksum=sizes["checksum"],
    )


def read_texts(reader: ByteReader, sizes: Sizes) -> Texts:
    result = reader.take(sizes.result, "result")
    match = _RESULT_BV.search(result)
    program = decode(reader.take(sizes.program, "version"))
    with within(reader, sizes.player, "player"):
        names = [_read_text(reader, "player") for _ in range(reader.u16("number of player texts"))]
    name, nickname, country, token = (*names, b"", b"", b"", b"")[:4]
    release = _RELEASE.search(program)
    return Texts(
        result=result,
        bv=int(match[1]) or None if match else None,  # 0 stands in lost games
        software=_COPYRIGHT.sub("", program).rstrip("."),
        release=release[1] if release else "",
        player_bytes=name,
        nickname=nickname,
        country=country,
        token=token,
    )


def note_program(sizes: Sizes, texts: Texts, notes: Notes) -> None:
    """Note where the numbers of the program, which version 2 has, are not those of its name."""
    if sizes.clone != VIENNA:
        notes.add("version_byte", clone=sizes.clone, program=excerpt(texts.software))
    elif sizes.version == 2 and texts.release and texts.release.split(".")[0] != str(sizes.major):
        notes.add("version_byte", version=sizes.major, program=excerpt(texts.software))


def note_result(texts: Texts, time_ms: int, made_at: int, notes: Notes) -> None:
    """Note where the line of the result, if there is one, says anything else than the rest of the file.

    Its score is cut to hundredths; Release 2.2 counts from one second.
    """
    score = _RESULT_SCORE.search(texts.result)
    if score and 100 * int(score[1]) + int(score[2]) not in (time_ms // 10, time_ms // 10 + 100):
        score_ms = 1000 * int(score[1]) + 10 * int(score[2])
        notes.add("header_times_differ", first_ms=score_ms, second_ms=time_ms)
    stamp = _RESULT_MADE_AT.search(texts.result)
    if stamp and int(stamp[1]) != made_at:
        notes.add("header_dates_differ", result=int(stamp[1]), header=made_at)
    if b"#NAME:" in texts.result and b"#NAME:" + texts.player_bytes + b"#" not in texts.result:
        notes.add("name_differs")


def _read_text(reader: ByteReader, what: str) -> bytes:
    return reader.take(reader.u8(f"length of a text of the {what}"), what)


def read_properties(reader: ByteReader, sizes: Sizes, texts: Texts, notes: Notes) -> Properties:
    offset = reader.offset
    if sizes.properties < _NEEDED_PROPERTIES:
        raise BadField("number of properties", offset=offset, value=sizes.properties)
    raw = reader.take(sizes.properties, "properties")
    found = dict(zip(PROPERTIES[sizes.version], raw, strict=False))
    if found["level"] not in LEVELS:
        notes.unknown_level(found["level"])
    cell_px = found.get("cell_px", 16)
    if cell_px == 0:
        raise BadField("size of a cell", offset=offset + 6, value=cell_px)
    is_utf8 = sizes.version == 2 or found.get("utf8") == 1
    # A file that says that it is not UTF-8 may still happen to be legal UTF-8.
    stated = True if is_utf8 else False if found.get("utf8") == 0 else None
    country, _ = _text(texts.country, "country", notes, is_utf8=stated)
    player, player_encoding = _text(texts.player_bytes, "name", notes, country, is_utf8=stated)
    extra = {"Nickname": _text(texts.nickname, "nickname", notes, country, is_utf8=stated)[0]}
    extra.update(_read_extension(reader, sizes))
    return Properties(
        question_marks=bool(found["question_marks"]),
        nf=bool(found["nf"]),
        mode=MODES[found["mode"]] if found["mode"] in MODES else notes.unknown_mode(found["mode"]),
        level=LEVELS.get(found["level"]),
        bv=found["bv_low"] + 256 * found["bv_high"] if "bv_high" in found else None,
        cell_px=cell_px,
        player=player,
        player_encoding=player_encoding,
        country=country,
        extra={name: value for name, value in extra.items() if name and value},
    )


def _text(raw: bytes, what: str, notes: Notes, country: str = "", *, is_utf8: bool | None) -> tuple[str, str]:
    """Return a text by what the file says of it, and its encoding if that is a guess.

    A broken promise of UTF-8 costs a finding, not the game.
    """
    text, encoding = read_name(raw, country, is_utf8=is_utf8)
    if is_utf8 and encoding:
        notes.add("text_not_utf8", what=what)
    return text, encoding


def _read_extension(reader: ByteReader, sizes: Sizes) -> dict[str, str]:
    with within(reader, sizes.extension, "extension"):
        count = reader.u16("number of extension properties") if sizes.extension else 0
        pairs = [(_read_text(reader, "extension"), _read_text(reader, "extension")) for _ in range(count)]
    return {decode(key): decode(value) for key, value in pairs}
