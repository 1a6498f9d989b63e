"""Facts known about one file, and the codes of the findings that decide how the site may use it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from analysis.evidence.fingerprint import Fingerprint
from analysis.evidence.history import History
from analysis.recording import Finding


class EvidenceClass(StrEnum):
    """Degree of trust in a replay.

    ``HERE``: played on this site; never read from a file.  ``SEALED``: a native file whose seal is not visibly broken
    and all of whose public checks hold.  ``OPEN``: everything else.
    """

    HERE = "here"
    SEALED = "sealed"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts that one file proves.

    ``evidence_class``: ``SEALED`` or ``OPEN``.
    ``findings``: those of this package alone; they add to ``Analysis.findings`` and never repeat them.
    ``seal_hash``: 16 bytes, equal for equal seals of one format; ``None`` without a seal, or with a stub.
    ``fingerprint``: ``None`` if no cell was ever opened.
    ``shingles``: by which similar games are found (``analysis.evidence.sketch``), the smallest first.
    """

    evidence_class: EvidenceClass
    findings: tuple[Finding, ...]
    seal_hash: bytes | None
    fingerprint: Fingerprint | None
    history: History
    shingles: tuple[int, ...] = ()


#: Each of these findings withholds a rank by itself.  What they may rest on: docs/threats.md.
STRONG: Final[frozenset[str]] = frozenset(
    {
        # of this package
        "moments_differ",
        "start_not_zero",
        "no_path",
        "trailing_bytes",
        "not_fair",
        "unlikely_board",
        # of comparing games; the site adds them
        "same_clicks",
        "similar_clicks",
        # of the analysis and the readers: the header against the events
        "time_differs",
        "bv_differs",
        "result_differs",
        "header_times_differ",
        "header_time_early",
    }
)

#: Each of these findings makes a file ``OPEN``.
OPENING: Final[frozenset[str]] = frozenset(
    {
        # of this package
        "text_format",
        "freesweeper",
        "converted",
        "moments_missing",
        "seal_absent",
        "seal_length",
        "seal_stub",
        "version_unknown",
        "version_withdrawn",
        "before_version",
        # of the readers: a public check that fails
        "checksum_board",
        "checksum_name",
        "checksum_stamp",
        "stamp_unreadable",
        "stamp_level",
        "stamp_date",
        "name_differs",
        "point_half_outside",
        "header_dates_differ",
        "file_size",
        "version_byte",
        "level_differs",
        "text_not_utf8",
        "program_line",
        "filler",
        "level_unknown",
        "claim_unread",
    }
)
