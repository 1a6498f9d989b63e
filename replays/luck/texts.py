"""The texts of ``luck.js`` in the active language; the script fills in their values."""

from __future__ import annotations

from django.utils.translation import gettext as _

from analysis.deduction import Rule
from replays.positions.texts import RULES


def luck_texts() -> dict[str, object]:
    """The texts by the names that ``replays/static/replays/luck.js`` uses."""
    return {
        "click": _("Click %(number)s of %(count)s, %(time)s s"),
        "first": _("the first click: safe by the rules"),
        "certain": _("certainly safe"),
        "guess": _("a guess: risk %(risk)s, the least was %(least)s"),
        "needless": _("a needless guess: risk %(risk)s, but a safe cell could be seen by: %(rule)s"),
        "chord": _("a chord"),
        "mine": _("it hit a mine"),
        "summary": _("guesses: %(guesses)s, needless: %(needless)s; chance of survival: %(luck)s"),
        "none": _("The risks of this game could not be counted."),
        "too_wide": _("Counting the layouts of this position would take too long."),
        "busy": _("Too many positions in a while. Try again later."),
        "ready": _("The site is getting ready. Try again soon."),
        "trouble": _("The position cannot be shown now. Try again later."),
        "rules": {rule.value: _(name) for rule, name in RULES.items() if rule is not Rule.GUESS},
    }
