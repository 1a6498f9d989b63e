"""Reading a file in the process that computes; nothing here needs Django."""

from __future__ import annotations

from dataclasses import dataclass

from analysis import formats
from analysis.analyse import Analysis, analyse
from analysis.errors import ReplayError
from analysis.evidence import Evidence, evidence_of
from analysis.film import encode, film_of


@dataclass(frozen=True, slots=True)
class ReadFile:
    """``film``: its bytes (``analysis.film.encoding``)."""

    analysis: Analysis
    evidence: Evidence
    film: bytes


def read_file(data: bytes) -> ReadFile | ReplayError:
    """Analyse the game in ``data``, or return why that cannot be done."""
    try:
        analysis = analyse(formats.read(data))
    except ReplayError as error:
        return error
    return ReadFile(analysis, evidence_of(analysis), encode(film_of(analysis)))
