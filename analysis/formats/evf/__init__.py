"""EVF, the replay file of Metasweeper, versions 0 to 4; other programs' games are converted to it.

::

    1, 1        version, summary (0x80 won, 0x40 official, 0x20 fair, 0x10 NF, 0x08 converted)
    1           settings, from version 3 on
    1, 1, 2     rows, columns, mines
    1, 2, 2     size of a cell, mode, 3BV
    3 or 4      time in ms; four bytes in version 4
    2, 8, 8     version 4: country, start and end in microseconds since 1970
    texts       each ended by a 0: software, player, race, unique id; before version 4 also start, end, country and
                (2, 3) device; version 4 has converter and original encoding behind the software of a converted file
    2, n        version 4: the device
    board       bits, row by row, highest bit first, 1 = mine, padded with 0
    metrics     version 4: their number (2) and names, which are passed over
    events      ``analysis.formats.evf.events``
    checksum    the seal, of which nothing is known

Nothing marks the format, so it is recognised by a header that makes sense.  One converter writes version 2 with the
version byte 0; such a file shows itself by its mines.  The setting of
question marks is described in two ways, so they are taken as off.  The other settings (0x40 the cursor stays on the board, 0x20
lost boards begin anew) speak against nobody: Metasweeper calls such games official.  The device identifies a computer and is
left in the file.

Sources: the two papers on EVF, the reader ``ms_toollib``, Metasweeper itself (when a game is fair); measurements on 10 files of
versions 3 and 4.
"""

from __future__ import annotations

from dataclasses import replace

from analysis.errors import BadField, ReplayError
from analysis.formats.datetimes import parse_datetime
from analysis.formats.evf.events import read_events
from analysis.formats.evf.header import LAYOUTS, Header, Layout, read_header
from analysis.formats.evf.header import recognises as recognises
from analysis.formats.notes import Notes, settle_times
from analysis.formats.reader import ByteReader
from analysis.formats.text import decode, read_name
from analysis.recording import Claims, Finding, Mode, Recording

NAME = "evf"
METASWEEPER = "元"  # so the names of all its versions begin; any other program's game was converted

_WON, _OFFICIAL, _FAIR, _NF = 0x80, 0x40, 0x20, 0x10


def read(data: bytes) -> Recording:
    """The game that an EVF file holds.

    The result is precise to 1 ms; times that wrap around 32 bits are taken as steps back.
    Raises ``ReplayError``: ``Truncated``, ``BadField``, ``LimitExceeded`` or ``Inconsistent``; nothing else.
    """
    version = ByteReader(data).u8("version")
    if version not in LAYOUTS:
        raise BadField("version", offset=0, value=version)
    if version == 0:
        return _read_misnamed(data) or _read_as(data, LAYOUTS[0])
    return _read_as(data, LAYOUTS[version])


def _read_misnamed(data: bytes) -> Recording | None:
    """The recording of a file of version 2 under the version byte 0; ``None`` if ``data`` is none.

    Where version 2 has the device, version 0 has the mines: read in the wrong form, nearly every file has another
    number of mines or no events.
    """
    try:
        if len(_read_as(data, LAYOUTS[0]).events):
            return None
    except ReplayError:
        pass  # the error is raised again if version 2 does not fit either
    try:
        recording = _read_as(data, LAYOUTS[2])
    except ReplayError:
        return None
    finding = Finding("version_byte", {"stated": 0, "built": 2})
    return replace(recording, findings=(*recording.findings, finding)) if len(recording.events) else None


def _read_as(data: bytes, layout: Layout) -> Recording:
    reader, notes = ByteReader(data), Notes()
    header = read_header(reader, layout, notes)
    events, ending = read_events(data, reader.offset, header)
    settle_times(events, notes)
    software = decode(header.texts["software"])
    country = _country(header)
    player, player_encoding = read_name(header.texts["player"], country)
    return Recording(
        format=NAME,
        format_variant=f"v{header.layout.version}",
        board=header.board,
        events=events,
        cell_px=header.cell_px,
        player=player,
        player_bytes=header.texts["player"],
        player_encoding=player_encoding,
        software=software,
        country=country,
        mode=header.mode,
        played_at=header.begin or parse_datetime(decode(header.texts.get("begin", b""))),
        ended_at=header.end or parse_datetime(decode(header.texts.get("end", b""))),
        claims=Claims(
            time_ms=header.time_ms,
            bv=header.bv,
            win=bool(header.summary & _WON),
            nf=bool(header.summary & _NF) if header.layout.tells_nf else None,
            fair=_fair(header, software),
        ),
        findings=tuple(notes.found),
        extra=_extra(header),
        seal=ending.seal,
        trailing_bytes=ending.trailing_bytes,
        converted=header.converted,
        code_texts=(decode(header.texts.get("race", b"")), decode(header.texts.get("unique_id", b""))),
    )


def _fair(header: Header, software: str) -> bool | None:
    """Return Metasweeper's word on its own game; None of converted games, in which converters fill in the bits.

    It calls a game official that is fair, won and of the standard mode.
    """
    if header.converted or not software.startswith(METASWEEPER):
        return None
    needed = _FAIR
    if header.summary & _WON and header.mode is Mode.STANDARD:
        needed |= _OFFICIAL
    return header.summary & needed == needed


def _country(header: Header) -> str:
    country = decode(header.texts["country"])
    return "" if country == "XX" else country


def _extra(header: Header) -> dict[str, str]:
    """The texts without a place of their own, and the datetimes in no known form."""
    names = {
        "race": "Race",
        "unique_id": "UniqueId",
        "converter": "Converter",
        "encoding": "OriginalEncoding",
        "begin": "Timestamp",
        "end": "Ended",
    }
    texts = {name: decode(header.texts.get(key, b"")) for key, name in names.items()}
    return {
        name: text
        for name, text in texts.items()
        if text and not (name in ("Timestamp", "Ended") and parse_datetime(text))
    }
