"""Signs of a file's origin: its format, its seal, the bytes after its end.

A *seal* is a checksum that a clone writes and that only the clone can verify.  Its length, that it is not one byte
repeated, and that no other file has it can be checked here; its value cannot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from analysis.errors import excerpt
from analysis.evidence.programs import program_findings
from analysis.formats.evf import METASWEEPER
from analysis.recording import Finding, Recording

RAWVF: Final = "rawvf"

_SEAL_BYTES: Final[dict[str, frozenset[int]]] = {
    "avf": frozenset({16}),
    "evf": frozenset({32}),
    "mvf": frozenset({32, 22, 10}),  # from 0.97 on; 0.8 to 0.96; before
    "rmv": frozenset({18}),
}


def seal_hash(recording: Recording) -> bytes | None:
    """16 bytes, equal for equal seals of one format; ``None`` where there is none or only a stub."""
    if len(set(recording.seal)) < 2:
        return None
    return hashlib.sha256(f"seal-1 {recording.format}\0".encode() + recording.seal).digest()[:16]


def file_findings(recording: Recording) -> Iterator[Finding]:
    """Yield findings about parts of a native file that this one lacks, and about parts that it has in addition."""
    if recording.format == RAWVF:
        yield Finding("text_format")
        return
    if recording.format == "avf" and recording.software.startswith("FreeSweeper"):
        yield Finding("freesweeper")
    elif recording.converted or (recording.format == "evf" and not recording.software.startswith(METASWEEPER)):
        yield Finding("converted", {"program": excerpt(recording.software)})
    else:
        yield from program_findings(recording)
    yield from _seal_findings(recording)
    if recording.trailing_bytes:
        yield Finding("trailing_bytes", {"count": recording.trailing_bytes})


def _seal_findings(recording: Recording) -> Iterator[Finding]:
    seal = recording.seal
    if not seal:
        yield Finding("seal_absent")
    elif len(set(seal)) < 2:
        yield Finding("seal_stub", {"byte": seal[0]})
    elif len(seal) not in _SEAL_BYTES.get(recording.format, ()):
        yield Finding("seal_length", {"size_bytes": len(seal)})
