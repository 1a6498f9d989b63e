"""What a file shows of its origin: its format, its seal, the bytes behind its end.

A *seal* is a checksum that a clone writes and that only the clone can verify.  Its length, that it is not one byte
repeated, and that no other file has it can be checked here; its value cannot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from analysis.analyse import Analysis
from analysis.recording import Finding, Recording

RAWVF: Final = "rawvf"


def seal_hash(recording: Recording) -> bytes | None:
    """16 bytes, equal for equal seals of one format; ``None`` where there is none or only a stub."""
    if len(set(recording.seal)) < 2:
        return None
    return hashlib.sha256(f"seal-1 {recording.format}\0".encode() + recording.seal).digest()[:16]


def file_findings(analysis: Analysis) -> Iterator[Finding]:
    """What the file lacks of a native file, and what it has besides."""
    recording = analysis.recording
    if recording.format == RAWVF:
        yield Finding("text_format", "RawVF is plain text without a seal: any editor can change it.")
        return
    if recording.converted:
        yield Finding("converted", f"The file was converted from another format ({recording.software or 'unnamed'}).")
    if not recording.seal:
        yield Finding("seal_absent", "The file has no seal.")
    elif len(set(recording.seal)) < 2:
        yield Finding("seal_stub", f"The seal of the file is the byte {recording.seal[0]} repeated.")
    if recording.trailing_bytes:
        yield Finding("trailing_bytes", f"{recording.trailing_bytes} bytes stand behind the end of the file.")
