"""Names of levels, styles and modes, and ranks in words, in the active language."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from analysis.recording import Level
from players.leaderboards.boards import COMBINED
from players.models import ALL_STYLES

LEVEL_TEXTS: Final = {
    Level.BEGINNER.value: _("Beginner"),
    Level.BEGINNER_9X9.value: _("Beginner 9x9"),
    Level.INTERMEDIATE.value: _("Intermediate"),
    Level.EXPERT.value: _("Expert"),
    Level.CUSTOM.value: _("Custom"),
    COMBINED: _("Combined"),
}
_STYLE_TEXTS: Final = {ALL_STYLES: _("all styles"), "NF": _("no flags"), "FL": _("with flags")}
_MODE_TEXTS: Final = {
    "standard": _("standard"),
    "upk": _("known board (UPK)"),
    "cheat": _("cheat"),
    "density": _("density"),
    "win7": _("Windows 7 rules"),
    "no-guess": _("no guessing"),
    "lucky": _("lucky"),
    "other": _("other rules"),
}


def level_text(level: str) -> str:
    """The name of a level."""
    return str(LEVEL_TEXTS.get(level, level))


def style_text(style: str) -> str:
    """The name of a style of play."""
    return str(_STYLE_TEXTS.get(style, style))


def mode_text(mode: str) -> str:
    """The name of a mode (rule set)."""
    return str(_MODE_TEXTS.get(mode, mode))


def rank_words(before: int | None, after: int | None) -> str:
    """The ranks before and after a record (``RecordEvent``) as a sentence; "" where they are not known."""
    if after is None:
        return ""
    if before is None:
        return gettext("New at rank %(rank)s.") % {"rank": after}
    if before == after:
        return gettext("Rank %(rank)s as before.") % {"rank": after}
    return gettext("From rank %(before)s to rank %(after)s.") % {"before": before, "after": after}
