"""Boards and statistics by the words of their names in every language of the site.

Nothing here asks the database: the registry is small, and its words are made once for each language that shows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeVar

from django.conf import settings
from django.utils import translation
from django.utils.translation import get_language, gettext, gettext_noop

from analysis.names import without_accents
from analysis.statistics import STATISTICS, Statistic
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED, COMBINED_STATISTICS, CORPSES_ON, MAX_SUB, MIN_SUB, ON_LEVEL
from players.leaderboards.filters import LOST_GAMES
from players.leaderboards.pages.board_texts import level_text, sub_n_text

T = TypeVar("T")
#: Runs of ASCII signs, and runs of others: Chinese names are written without spaces around abbreviations.
_WORD: Final = re.compile(r"[!-~]+|[^\x00-\x7f\s]+")
_PART: Final = re.compile(r"[a-z0-9]+")
_SUB: Final = re.compile(r"(?<![a-z0-9])sub[ -]?([0-9]{1,4})(?![0-9])")
_LANGUAGES: Final = tuple(code for code, _name in settings.LANGUAGES)
_LOST: Final = gettext_noop("lost games")


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board.  ``level``: "combined" for sums; ``n``: of a sub-N board, which has no ``statistic``."""

    title: str
    level: str
    statistic: str | None
    n: int | None
    url: str
    html_url: str


@dataclass(frozen=True, slots=True)
class Words:
    """The names of one thing, without case and accents."""

    whole: frozenset[str]  # each name as it is
    words: frozenset[str]
    joined: str  # without spaces, for languages that write none

    def distance(self, sought: tuple[str, ...]) -> int | None:
        """Count the ``sought`` words that only begin words here; -1 if all are a whole name, None if one is missing."""
        if " ".join(sought) in self.whole:
            return -1
        begun = 0
        for word in sought:
            if word in self.words:
                continue
            inside = not word.isascii() and word in self.joined
            if not inside and not any(own.startswith(word) for own in self.words):
                return None
            begun += 1
        return begun


def boards_named(query: str, limit: int) -> list[FoundBoard]:
    """At most ``limit`` boards whose level and statistic have words that begin with those of ``query``.

    ``sub 40`` or ``sub40`` names the sub-40 boards.
    """
    text = without_accents(query)
    sub = _SUB.search(text)
    if sub is not None:
        return _sub_boards(int(sub[1]), _words_of(text.replace(sub[0], " ", 1)))[:limit]
    return _best(_boards(active_language()), _words_of(text), limit)


def statistics_named(query: str, limit: int) -> list[Statistic]:
    """At most ``limit`` statistics by name or abbreviation, then those whose definition has the words of ``query``."""
    return best_of_both(_statistics(), query, limit)


def best_of_both(
    rows: tuple[tuple[tuple[T, Words], ...], tuple[tuple[T, Words], ...]], query: str, limit: int
) -> list[T]:
    """Return what ``query`` names, the best first, then what only the texts about it have; ``rows``: names, then texts."""
    sought = _words_of(without_accents(query))
    by_name, by_text = (_best(named, sought, limit) for named in rows)
    return (by_name + [row for row in by_text if row not in by_name])[:limit]


def _best(rows: tuple[tuple[T, Words], ...], sought: tuple[str, ...], limit: int) -> list[T]:
    if not sought:
        return []
    near = [(distance, row) for row, words in rows if (distance := words.distance(sought)) is not None]
    near.sort(key=lambda pair: pair[0])  # stable: the order of the registry
    return [row for _distance, row in near[:limit]]


def active_language() -> str:
    return get_language() or settings.LANGUAGE_CODE


def _words_of(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text))


def names_of(*texts: str) -> Words:
    whole = [without_accents(text) for text in texts]
    words = {word for text in whole for word in _words_of(text)}
    parts = {part for word in words for part in _PART.findall(word)}
    return Words(frozenset(whole), frozenset(words | parts), "".join(whole).replace(" ", ""))


def all_languages(text: str) -> Iterator[str]:
    for language in _LANGUAGES:
        with translation.override(language):
            yield gettext(text)


def _levels(level: str) -> Iterator[str]:
    yield level
    for language in _LANGUAGES:
        with translation.override(language):
            yield level_text(level)


@cache
def _boards(language: str) -> tuple[tuple[FoundBoard, Words], ...]:
    """Every board but those of sub-N, in the order of the levels; called with the active ``language``."""
    rows = [(level, row) for level, rows in ON_LEVEL.items() for row in rows]
    rows += [(COMBINED, row) for row in COMBINED_STATISTICS]
    corpses = [(level, row) for level, on_level in CORPSES_ON.items() for row in on_level]
    won = [(_found(Board(level, row.name)), names_of(*_names(level, row))) for level, row in rows]
    lost = [
        (
            _found(Board(level, row.name, filters=LOST_GAMES)),
            names_of(*_names(level, row), *all_languages(_LOST), "corpses"),
        )
        for level, row in corpses
    ]
    return (*won, *lost)


def _names(level: str, row: Statistic) -> tuple[str, ...]:
    return (*_levels(level), *row.names, *all_languages(row.label))


def _found(board: Board) -> FoundBoard:
    row, lost = board.row, board.filters.lost
    what = sub_n_text(board.n) if board.n is not None else gettext(row.label) if row else ""
    title = " · ".join((level_text(board.level), what, *((gettext(_LOST),) if lost else ())))
    return FoundBoard(title, board.level, row.name if row else None, board.n, board.api_path, board.path)


def _sub_boards(n: int, sought: tuple[str, ...]) -> list[FoundBoard]:
    if not MIN_SUB <= n <= MAX_SUB:
        return []
    levels = [level for level in ON_LEVEL if not sought or names_of(*_levels(level)).distance(sought) is not None]
    return [_found(Board(level, f"sub{n}")) for level in levels]


@cache
def _statistics() -> tuple[tuple[tuple[Statistic, Words], ...], tuple[tuple[Statistic, Words], ...]]:
    names = tuple((row, names_of(*row.names, *all_languages(row.label))) for row in STATISTICS)
    definitions = tuple((row, names_of(*all_languages(row.doc))) for row in STATISTICS)
    return names, definitions
