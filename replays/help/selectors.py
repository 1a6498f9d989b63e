"""The glossary: community words and statistics, in English and Chinese."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from analysis.statistics import STATISTICS
from replays.help.terms import TERMS

_LANGUAGES: Final = ("en", "zh-hans")


class Entry(NamedTuple):
    """A line of the glossary.  ``text``: in the active language; ``is_statistic``: whether it is a number."""

    name: str
    english: str
    chinese: str
    text: str
    is_statistic: bool

    @property
    def html_url(self) -> str:
        """Where it is explained."""
        return f"{reverse('statistics' if self.is_statistic else 'help-glossary')}#{self.name}"


def glossary() -> list[Entry]:
    """Community words, then statistics in the order of the registry."""
    words = [Entry(one.name, *_both(one.term), gettext(one.text), False) for one in TERMS]
    return words + [Entry(row.name, *_both(row.label), gettext(row.doc), True) for row in STATISTICS]


def _both(text: str) -> tuple[str, str]:
    """``text`` in English and in Chinese, whatever the active language is."""
    found = []
    for language in _LANGUAGES:
        with translation.override(language):
            found.append(gettext(text))
    return found[0], found[1]
