from __future__ import annotations

from typing import Final

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from analysis.recording import Level
from analysis.statistics import BY_NAME, Statistic
from analysis.time_convention import MS_PER_SECOND, last_second_of_sub, sub_limit_ms
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED
from players.models import ALL_STYLES
from players.web.clock import counts_from_one, shown_text

LEVEL_TEXTS: Final = {
    Level.BEGINNER.value: _("Beginner"),
    Level.BEGINNER_9X9.value: _("Beginner 9×9"),
    Level.INTERMEDIATE.value: _("Intermediate"),
    Level.EXPERT.value: _("Expert"),
    Level.CUSTOM.value: _("Custom"),
    COMBINED: _("Combined"),
}
_STYLE_TEXTS: Final = {ALL_STYLES: _("all styles"), "NF": _("no flags"), "FL": _("with flags")}
#: The clock of the times in :func:`sub_n_rule`, the most common one.
_CLOCK_MS: Final = 10
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


def more_text(count: int) -> str:
    return ngettext("and %(more)s more", "and %(more)s more", count) % {"more": count}


def level_text(level: str) -> str:
    return str(LEVEL_TEXTS.get(level, level))


def style_text(style: str) -> str:
    return str(_STYLE_TEXTS.get(style, style))


def mode_text(mode: str) -> str:
    return str(_MODE_TEXTS.get(mode, mode))


def label_inside(label: str) -> str:
    """Return ``label`` as it is written inside a title: "Time" as "time", abbreviations as they are."""
    first = label.split(" ")[0]
    return label[0].lower() + label[1:] if first.isalpha() and first[1:].islower() else label


def sub_n_text(n: int) -> str:
    return gettext("sub-%(n)s") % {"n": n}


def board_title(board: Board) -> str:
    what = sub_n_text(board.n) if board.n is not None else label_inside(gettext(BY_NAME[board.statistic].label))
    parts = (
        gettext("Lost games") if board.filters.lost else "",
        f"{level_text(board.level)} {what}",
        "" if board.style == ALL_STYLES else board.style,
    )
    return " · ".join(filter(None, parts))


def sub_n_goal(n: int) -> str:
    """Return sub-``n`` for next to a time; on a clock from 0, which disagrees with its N, also the limit."""
    if counts_from_one():
        return sub_n_text(n)
    return gettext("sub-%(n)s (under %(seconds)s s)") % {"n": n, "seconds": last_second_of_sub(n)}


def definition_text(row: Statistic) -> str:
    if counts_from_one() and row.name == "time":
        return gettext("The duration of the game in seconds, counted from 1 like your clock.")
    return gettext(row.doc)


def sub_n_rule(n: int) -> str:
    """The longest time that is sub-``n`` and the shortest that is not, on the reader's clock."""
    time, limit_ms = BY_NAME["time"], sub_limit_ms(n)
    longest, shortest = (
        shown_text(time, time_ms / MS_PER_SECOND, precision_ms=_CLOCK_MS)
        for time_ms in (limit_ms - _CLOCK_MS, limit_ms)
    )
    if counts_from_one():
        rule = _(
            "Sub-%(n)s means a time of at most %(longest)s s on your clock, which starts at 1. So %(next)s s is "
            "not sub-%(n)s."
        )
    else:
        rule = _(
            "Sub-%(n)s means a time of at most %(longest)s s. For sub-N the first second is 1, but the times here "
            "start at 0, so %(next)s s is not sub-%(n)s."
        )
    return str(rule) % {"n": n, "longest": longest, "next": shortest}


def rank_words(before: int | None, after: int) -> str:
    """Return the ranks before and after a record (``RecordEvent``) as a sentence."""
    if before is None:
        return gettext("New at rank %(rank)s.") % {"rank": after}
    if before == after:
        return gettext("Still at rank %(rank)s.") % {"rank": after}
    return gettext("From rank %(before)s to rank %(after)s.") % {"before": before, "after": after}
