from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.leaderboards.board import Board
from players.leaderboards.filters import ACTIVE, FIRST_YEAR, MAX_BEST_OF, MAX_MIN_BV, BoardFilter, fortnight_of
from players.people.countries import country_name, country_names

#: How many past years the form offers; any other may be typed.
_YEARS = 12


@dataclass(frozen=True, slots=True)
class Chip:
    text: str
    parameter: str


@dataclass(frozen=True, slots=True)
class PeriodLink:
    text: str
    address: str
    is_shown: bool


def filter_context(board: Board, columns: str) -> dict[str, object]:
    """The context of ``players/leaderboards/pages/_filters.html``; ``columns``: as in the address; the forms keep them."""
    board_filter = board.filters
    today = timezone.now().date()
    years = [str(year) for year in range(today.year, today.year - _YEARS, -1)]
    texts = {"": _("All time"), ACTIVE: _("Current two-week period"), **{year: year for year in years}}
    return {
        "given": board_filter.parameters(),
        "filter_hidden": [*board_filter.parameters().items(), *([("columns", columns)] if columns else [])],
        "chips": chips_of(board_filter),
        "countries": country_names().items(),
        "periods": [
            PeriodLink(text, board.filtered(period=period).query(columns) or "?", period == board_filter.period)
            for period, text in texts.items()
        ],
        "active_since": fortnight_of(today),
        "first_day": f"{FIRST_YEAR}-01-01",
        "takes_min_bv": board.takes_min_bv,
        "takes_best_of": board.takes_best_of,
        "max_min_bv": MAX_MIN_BV,
        "max_best_of": MAX_BEST_OF,
    }


def chips_of(board_filter: BoardFilter) -> list[Chip]:
    texts = {
        "period": _period_text(board_filter) if board_filter.period else "",
        "as_of": _("On %(day)s") % {"day": board_filter.as_of} if board_filter.as_of else "",
        "country": country_name(board_filter.country) if board_filter.country else "",
        "min_3bv": _("At least %(count)d 3BV") % {"count": board_filter.min_bv} if board_filter.min_bv else "",
        "best_of": ngettext(
            "Average of the best %(count)d game", "Average of the best %(count)d games", board_filter.best_of
        )
        % {"count": board_filter.best_of}
        if board_filter.best_of > 1
        else "",
    }
    return [Chip(text, name) for name, text in texts.items() if text]


def _period_text(board_filter: BoardFilter) -> str:
    if board_filter.since is None or len(board_filter.period) in (4, 7):
        return board_filter.period
    return _("The two weeks starting %(day)s") % {"day": f"{board_filter.since:%Y-%m-%d}"}
