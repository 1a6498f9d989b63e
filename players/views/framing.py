"""The part of a board page that narrows the board: ``?period=``, ``as_of``, ``country``, ``min_3bv``, ``best_of``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.countries import country_name, country_options
from players.frames import ACTIVE, FIRST_YEAR, MAX_BEST_OF, MAX_MIN_BV, Frame
from players.models import ALL_STYLES

#: Years that are offered beside those that may be typed.
_YEARS = 12


@dataclass(frozen=True, slots=True)
class Chip:
    """One narrowing, in words, and the parameter that takes it away."""

    text: str
    parameter: str


def framing(frame: Frame, *, min_bv: bool = True, best_of: bool = True) -> dict[str, Any]:
    """What ``players/_frame.html`` needs; ``min_bv``, ``best_of``: whether the board takes these."""
    today = timezone.now().date()
    return {
        "frame": frame,
        "frame_hidden": [(name, text) for name, text in frame.parameters().items()],
        "chips": chips_of(frame),
        "countries": country_options(frame.country),
        "periods": [ACTIVE, *(str(year) for year in range(today.year, today.year - _YEARS, -1))],
        "first_day": f"{FIRST_YEAR}-01-01",
        "takes_min_bv": min_bv,
        "takes_best_of": best_of,
        "max_min_bv": MAX_MIN_BV,
        "max_best_of": MAX_BEST_OF,
    }


def chips_of(frame: Frame) -> list[Chip]:
    """What the board leaves out, in words."""
    told = {
        "period": _period_text(frame) if frame.period else "",
        "as_of": _("as of %(day)s") % {"day": frame.as_of} if frame.as_of else "",
        "country": country_name(frame.country) if frame.country else "",
        "min_3bv": _("at least %(count)d 3BV") % {"count": frame.min_bv} if frame.min_bv else "",
        "best_of": ngettext("mean of the best %(count)d game", "mean of the best %(count)d games", frame.best_of)
        % {"count": frame.best_of}
        if frame.best_of > 1
        else "",
    }
    return [Chip(text, name) for name, text in told.items() if text]


def _period_text(frame: Frame) -> str:
    if frame.since is None or len(frame.period) in (4, 7):
        return frame.period
    return _("two weeks from %(day)s") % {"day": f"{frame.since:%Y-%m-%d}"}


def with_frame(path: str, style: str, frame: Frame) -> str:
    """``path`` with the parameters of ``style`` and ``frame``."""
    query = ({} if style == ALL_STYLES else {"style": style}) | frame.parameters()
    return f"{path}?{urlencode(query)}" if query else path
