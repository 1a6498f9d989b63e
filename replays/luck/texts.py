"""The texts of ``luck.js`` in the active language; the script fills in their values."""

from __future__ import annotations

from django.utils.translation import gettext as _

from analysis.deduction import Rule
from analysis.time_convention import MS_PER_SECOND, time_decimals
from replays.positions.texts import RULES


def luck_texts(precision_ms: int | None, *, from_one: bool) -> dict[str, object]:
    """The texts by the names that ``replays/static/replays/luck.js`` uses, and the clock on which it shows times.

    ``precision_ms``: of the game's clock; ``from_one``: the reader's clock starts at 1.
    """
    return {
        "clock": {"starts_at_ms": MS_PER_SECOND if from_one else 0, "decimals": time_decimals(precision_ms)},
        "click": _("Click %(number)s of %(count)s, %(time)s s"),
        "first": _("the first click: safe by the rules"),
        "certain": _("certainly safe"),
        "guess": _("a guess: risk %(risk)s, the least was %(least)s"),
        "needless": _("a needless guess: risk %(risk)s, but a safe cell could be seen by: %(rule)s"),
        "chord": _("a chord"),
        "copied": _("Link copied"),
        "mine": _("it hit a mine"),
        "summary": _("guesses: %(guesses)s, needless: %(needless)s; chance of survival: %(luck)s"),
        "none": _("The risks of this game could not be counted."),
        "too_wide": _("Counting the layouts of this position would take too long."),
        "busy": _("Too many positions in a while. Try again later."),
        "ready": _("The site is getting ready. Try again soon."),
        "trouble": _("The position cannot be shown now. Try again later."),
        "rules": {rule.value: _(name) for rule, name in RULES.items() if rule is not Rule.GUESS},
    }
