"""Countries: two letters in the database, names in the reader's language."""

from __future__ import annotations

from functools import cache
from typing import Final

from babel import Locale
from django.conf import settings
from django.utils.translation import get_language

#: Codes that CLDR names beside countries: unions, test regions, parts of other countries.
_NO_COUNTRIES: Final = frozenset(["AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"])


def country_names() -> dict[str, str]:
    """Every country by its code, sorted by name, in the language of the request."""
    return _names(get_language() or settings.LANGUAGE_CODE)


def country_name(code: str) -> str:
    """The name of the country ``code`` in the language of the request; an unknown code stands for itself."""
    return country_names().get(code, code)


@cache
def _names(language: str) -> dict[str, str]:
    territories = Locale.parse(_locale(language), sep="_").territories
    found = [(code, name) for code, name in territories.items() if code.isalpha() and code not in _NO_COUNTRIES]
    return dict(sorted(found, key=lambda pair: pair[1].casefold()))


def _locale(language: str) -> str:
    """``zh-hans`` as Babel writes it."""
    head, _, tail = language.partition("-")
    return f"{head}_{tail.title()}" if len(tail) == 4 else head
