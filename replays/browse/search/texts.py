"""Words of the glossary and pages of the site, by their names and by what they are about."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from replays.browse.help.terms import TERMS
from replays.browse.search.words import Words, active_language, all_languages, best_of_both, names_of


class FoundText(NamedTuple):
    """``label`` and ``doc`` in the language of the reader."""

    name: str
    label: str
    doc: str
    html_url: str


Named = tuple[tuple[FoundText, Words], ...]

#: The name of the address of a page, which is searched as well, its title, and its description.
PAGES: Final = (
    ("tool-probability", _("Position probabilities"), _("Exact mine probabilities for any Minesweeper "
                                                             "position, with reasons.")),
    ("tool-solver", _("Watch the solver play"), _("Watch a Minesweeper solver play, with a reason for every click, "
                                               "and see how often it wins.")),
    ("tool-one-and-two", _("Puzzle: a 1 and a 2 on a 16 × 16 board"), _("A classic puzzle with an exact answer: how "
                                                         "the chance of a mine in three kinds of cells depends on the "
                                                         "number of mines.")),
    ("tool-laying", _("Placing mines area by area"), _("How the multiplayer algorithm places mines, step by step, with "
                                                      "any parameters.")),
    ("tools", _("Tools"), _("Exact answers for any position, without sampling or estimates.")),
    ("play", _("Play"), _("Play Minesweeper here: every game is recorded, checked and becomes a replay.")),
    ("play-rooms", _("Rooms"), _("One Minesweeper board for many players at once.")),
    ("play-verify", _("Verify a board"), _("Regenerate the board of a finished game in your own browser.")),
    ("compare", _("Compare two replays"), ""),
    ("upload", _("Upload replays"), ""),
    ("watch-file", _("Watch a file"), _("Watch a Minesweeper replay file without uploading it.")),
    ("replays", _("Replays"), ""),
    ("players", _("Players"), ""),
    ("leaderboards", _("Leaderboards"), ""),
    ("records", _("Records"), ""),
    ("statistics", _("How every statistic is defined"), ""),
    ("help", _("Help"), ""),
    ("help-files", _("Where to find replay files"), ""),
    ("help-ranking", _("What counts"), ""),
    ("help-glossary", _("Glossary"), _("The community's terms and our statistics, in English and Chinese.")),
    ("data", _("Data downloads"), _("Nightly downloads of all public data: replays, players, records and replay files.")),
    ("help-about", _("About"), ""),
    ("help-privacy", _("Privacy"), ""),
    ("help-licence", _("Licence"), ""),
    ("api-docs", _("For developers"), _("The API: every endpoint, with examples.")),
)  # fmt: skip


def terms_named(query: str, limit: int) -> list[FoundText]:
    """Return words of the glossary by name, then those whose meaning has the words of ``query``."""
    return best_of_both(_terms(active_language()), query, limit)


def pages_named(query: str, limit: int) -> list[FoundText]:
    """Return pages by title, then those whose description has the words of ``query``."""
    return best_of_both(_pages(active_language()), query, limit)


@cache
def _terms(language: str) -> tuple[Named, Named]:
    glossary = reverse("help-glossary")
    rows = [(FoundText(one.name, gettext(one.term), gettext(one.text), f"{glossary}#{one.name}"), one) for one in TERMS]
    by_name = tuple((found, names_of(one.name, *all_languages(one.term))) for found, one in rows)
    return by_name, tuple((found, names_of(*all_languages(one.text))) for found, one in rows)


@cache
def _pages(language: str) -> tuple[Named, Named]:
    rows = [
        (FoundText(name, gettext(title), gettext(doc) if doc else "", reverse(name)), title, doc)
        for name, title, doc in PAGES
    ]
    by_name = tuple((found, names_of(found.name, *all_languages(title))) for found, title, _doc in rows)
    return by_name, tuple((found, names_of(*all_languages(doc))) for found, _title, doc in rows if doc)
