from __future__ import annotations

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from analysis.deduction import Conclusion
from analysis.solver import Reason, Rules, Strength
from analysis.solver.course import Course, Thought
from replays.odds.positions.position_texts import advice_text, cell_text, percent

#: What each player does, from the weakest to the strongest.
STAGE_TEXTS: dict[Strength, str] = {
    Strength.RANDOM: _("Opens any cell at random"),
    Strength.NOVICE: _("MD(1) (single numbers), then guesses at random"),
    Strength.SURRENDER: _("MD(1) and MD(2) (one and two numbers), then gives up"),
    Strength.LOGIC: _("Opens every provably safe cell, then gives up"),
    Strength.CAREFUL: _("MD(1) and MD(2) (one and two numbers), then guesses at random"),
    Strength.EXACT: _("Opens every provably safe cell, then guesses at random"),
    Strength.SAFEST: _("Opens every provably safe cell, then the one with the lowest risk"),
    Strength.FULL: _("Full strength: looks one guess ahead and plays endgames perfectly"),
}
RULES_TEXTS: dict[Rules, str] = {
    Rules.XP: _("First click safe (XP)"),
    Rules.WIN7: _("First click opens an area (Windows 7)"),
}


def stage_text(stage: Strength) -> str:
    return gettext(STAGE_TEXTS[stage])


def rules_text(rules: Rules) -> str:
    return gettext(RULES_TEXTS[rules])


def move_text(thought: Thought, rules: Rules) -> str:
    """A move in words; of several certain cells all at once."""
    move = thought.move
    if move.reason is Reason.FIRST and rules is Rules.WIN7:
        return gettext("Start at %(cell)s: the first click always opens an area.") % {"cell": cell_text(*move.cells[0])}
    if move.reason is Reason.CHANCE:
        return gettext("Open a random cell, %(cell)s: this solver found no safe cell.") % {
            "cell": cell_text(*move.cells[0])
        }
    return advice_text(move)


def click_text(thought: Thought, step: Conclusion | None, rules: Rules) -> str:
    """The reason of one click: the deduction's words if the cell is certain."""
    return move_text(thought, rules) if step is None else step.sentence(gettext)


def facts_text(thought: Thought) -> str:
    """The chance of a mine in a clicked cell, how many cells were certain, and how many of them the player found."""
    move, known = thought.move, thought.known
    parts = []
    if move.cells:
        parts.append(gettext("Chance of a mine: %(percent)s%%.") % {"percent": percent(1.0 - move.safe)})
    if known is not None:
        certain = int(known.certain_safe.sum())
        found = len(move.cells) if move.reason is Reason.CERTAIN else 0
        if found == certain:
            words = ngettext(
                "%(count)s cell can be determined by logic.", "%(count)s cells can be determined by logic.", certain
            )
        else:
            words = ngettext(
                "%(count)s cell can be determined by logic; this solver finds %(found)s.",
                "%(count)s cells can be determined by logic; this solver finds %(found)s.",
                certain,
            )
        parts.append(words % {"count": certain, "found": found})
    return " ".join(parts)


def end_text(course: Course) -> str:
    if course.won:
        return gettext("Won: every safe cell is open.")
    if course.turns[-1].thought.move.reason is Reason.GIVE_UP:
        return advice_text(course.turns[-1].thought.move)
    return gettext("Lost: %(cell)s was a mine.") % {"cell": cell_text(*course.turns[-1].opened[-1][0])}
