from __future__ import annotations

from typing import Final, NamedTuple

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from analysis.statistics import STATISTICS
from players.leaderboards.pages.board_texts import definition_text, sub_n_rule
from replays.browse.help.terms import SUB_N, TERMS, Term

_LANGUAGES: Final = ("en", "zh-hans")
_EXAMPLE_N: Final = 40


class Entry(NamedTuple):
    name: str
    english: str
    chinese: str
    text: str
    is_statistic: bool

    @property
    def html_url(self) -> str:
        return f"{reverse('statistics' if self.is_statistic else 'help-glossary')}#{self.name}"


def glossary() -> list[Entry]:
    """Community words, then statistics in the order of the registry."""
    words = [Entry(one.name, *_both(one.term), _text(one), False) for one in TERMS]
    return words + [Entry(row.public, *_both(row.label), definition_text(row), True) for row in STATISTICS]


def _text(term: Term) -> str:
    text = gettext(term.text)
    return f"{text} {sub_n_rule(_EXAMPLE_N)}" if term.name == SUB_N else text


def _both(text: str) -> tuple[str, str]:
    """``text`` in English and in Chinese, whatever the active language is."""
    found = []
    for language in _LANGUAGES:
        with translation.override(language):
            found.append(gettext(text))
    return found[0], found[1]
