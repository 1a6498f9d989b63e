from __future__ import annotations

from typing import Final

from analysis.statistics import Statistic

#: Names that are words of programming languages: generated clients break on a field ``cls``.
_FIELDS: Final = {"cls": "clicks_per_second"}


def field_name(row: Statistic) -> str:
    """The field of the statistic ``row``: its name, but for a few.

    Everywhere else (parameters, addresses, sort orders, rows of boards) a statistic goes by its name.
    """
    return _FIELDS.get(row.name, row.name)
