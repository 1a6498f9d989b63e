"""Countries: two letters in the database, names from CLDR in the active language."""

from __future__ import annotations

from functools import cache
from typing import Final

from babel import Locale
from django.conf import settings
from django.utils.translation import get_language

#: Codes in CLDR that are not countries: unions, test regions, parts of countries.
_NO_COUNTRIES: Final = frozenset(["AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"])


def country_names() -> dict[str, str]:
    """The names of all countries by code, in the active language and sorted by name."""
    return _names(get_language() or settings.LANGUAGE_CODE)


def country_name(code: str) -> str:
    """The name of the country ``code`` in the active language; the code itself if it is unknown."""
    return country_names().get(code, code)


@cache
def _names(language: str) -> dict[str, str]:
    territories = Locale.parse(_locale(language), sep="_").territories
    found = [(code, name) for code, name in territories.items() if code.isalpha() and code not in _NO_COUNTRIES]
    return dict(sorted(found, key=lambda pair: pair[1].casefold()))


def _locale(language: str) -> str:
    """The language code as Babel writes it: ``zh-hans`` is ``zh_Hans``."""
    head, _, tail = language.partition("-")
    return f"{head}_{tail.title()}" if len(tail) == 4 else head
