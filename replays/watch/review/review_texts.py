from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from analysis.review import Annotation, Kind, Reason, Weight
from replays.odds.positions.position_texts import rule_text

TITLES: Final[Mapping[Kind, str]] = {
    Kind.CERTAIN_MINE: _("Certain mine"),
    Kind.NEEDLESS_GUESS: _("Needless guess"),
    Kind.WORSE_GUESS: _("Riskier guess"),
    Kind.BEST_GUESS: _("Safest guess"),
    Kind.WASTED_LEFT: _("Wasted left click"),
    Kind.WASTED_RIGHT: _("Wasted right click"),
    Kind.WASTED_DOUBLE: _("Wasted chord"),
    Kind.FLAG_REMOVED: _("Flag removed"),
    Kind.WRONG_FLAG: _("Wrong flag"),
    Kind.UNUSED_FLAG: _("Flag never used"),
    Kind.MISSED_CHORD: _("Missed chord"),
    Kind.SLOW: _("Slow stretch"),
    Kind.DETOUR: _("Detour"),
    Kind.ONE_AND_A_HALF: _("1.5 click"),
}
WEIGHTS: Final[Mapping[Weight, str]] = {
    Weight.ERROR: _("error"),
    Weight.MISTAKE: _("mistake"),
    Weight.SLIP: _("slip"),
    Weight.HINT: _("hint"),
    Weight.FACT: _("note"),
}
#: The shape of each weight in lists; ``film/timeline.js`` draws the same.
MARKS: Final[Mapping[Weight, str]] = {
    Weight.ERROR: "▼",
    Weight.MISTAKE: "◆",
    Weight.SLIP: "✕",
    Weight.HINT: "○",
    Weight.FACT: "▪",
}
_REASONS: Final[Mapping[Reason, str]] = {
    Reason.OUTSIDE: _("That's outside the board."),
    Reason.ON_OPEN: _("The cell was already open."),
    Reason.ON_FLAG: _("The cell had a flag."),
    Reason.ON_CLOSED: _("The cell was not open."),
    Reason.FLAGS_DIFFER: _("The flags around the number didn't match it."),
    Reason.NOTHING_CLOSED: _("No closed cells were left next to the number."),
}
_DETAILS: Final[Mapping[Kind, str]] = {
    Kind.CERTAIN_MINE: _("The numbers showed that the cell was a mine."),
    Kind.FLAG_REMOVED: _("A flag was placed, then removed."),
    Kind.WRONG_FLAG: _("There was no mine here."),
    Kind.UNUSED_FLAG: _("No chord used this flag."),
    Kind.ONE_AND_A_HALF: _("The right button placed a flag and stayed down for the chord."),
}


def count_text(weight: Weight, count: int) -> str:
    return _count_form(weight, count) % {"count": count}


def legend_texts() -> dict[str, dict[str, str]]:
    """Return the mark of each weight, and its count in words by the plural category of the number, from the worst down."""
    return {
        weight.value: {"mark": MARKS[weight], "one": _count_form(weight, 1), "other": _count_form(weight, 2)}
        for weight in Weight
    }


def _count_form(weight: Weight, count: int) -> str:
    texts = {
        Weight.ERROR: ngettext("%(count)s error", "%(count)s errors", count),
        Weight.MISTAKE: ngettext("%(count)s mistake", "%(count)s mistakes", count),
        Weight.SLIP: ngettext("%(count)s slip", "%(count)s slips", count),
        Weight.HINT: ngettext("%(count)s hint", "%(count)s hints", count),
        Weight.FACT: ngettext("%(count)s note", "%(count)s notes", count),
    }
    return texts[weight]


def title(kind: Kind) -> str:
    return gettext(TITLES[kind])


def detail(one: Annotation) -> str:
    if one.reason is not None:
        return gettext(_REASONS[one.reason])
    if one.kind in _DETAILS:
        return gettext(_DETAILS[one.kind])
    if one.risk is not None:
        return _guess(one)
    if one.kind is Kind.MISSED_CHORD:
        count = len(one.cells)
        return ngettext(
            "A chord next to it would have opened %(count)s cell.",
            "A chord next to it would have opened %(count)s cells.",
            count,
        ) % {"count": count}
    if one.kind is Kind.SLOW:
        return gettext("The next click that opened something came %(seconds)s s later.") % {
            "seconds": f"{(one.span_ms or 0) / 1000:.2f}"
        }
    return gettext("The cursor travelled %(ratio)s times the straight-line distance.") % {
        "ratio": f"{one.ratio or 0:.1f}"
    }


def _guess(one: Annotation) -> str:
    given = {"risk": _percent(one.risk), "least": _percent(one.least_risk)}
    if one.kind is Kind.NEEDLESS_GUESS:
        if one.rule is None:
            return gettext("Risk %(risk)s, although another cell was provably safe.") % given
        return gettext("Risk %(risk)s, although this rule shows a safe cell: %(rule)s.") % {
            **given,
            "rule": rule_text(one.rule),
        }
    if one.kind is Kind.WORSE_GUESS:
        return gettext("Risk %(risk)s; the safest cell had %(least)s.") % given
    return gettext("Risk %(risk)s; no cell was safer.") % given


def outcome(one: Annotation) -> str:
    """Return a sentence that a guess lost the game, and whether that was bad luck; "" for everything else."""
    if one.survived or one.risk is None:
        return ""
    return (
        gettext("Bad luck: the cell was a mine.")
        if one.kind is Kind.BEST_GUESS
        else gettext("The opened cell was a mine.")
    )


def _percent(chance: float | None) -> str:
    return f"{100 * (chance or 0):.3g}%"
