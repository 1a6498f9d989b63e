"""Who holds the record of each board."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.statistics import RANKED, Statistic
from players.boards import COMBINED, STYLES, checked_style
from players.models import ALL_STYLES
from players.selectors.holders import Holder, most_held, record_holders
from players.views.addresses import answers_bad_addresses

#: The columns of the table, the hardest level first.
_COLUMNS = ("expert", "intermediate", "beginner", "beginner-9x9", COMBINED)
_MOST = 10


@dataclass(frozen=True, slots=True)
class StatisticHolders:
    """A row of the table: a statistic, and who leads it in each column (None: nobody, or there is no such board)."""

    row: Statistic
    cells: list[tuple[str, Holder | None]]


@require_safe
@answers_bad_addresses
def holders(request: HttpRequest) -> HttpResponse:
    """The first of every board of one style, and who is first most often."""
    style = checked_style(request.GET.get("style", ALL_STYLES))
    found = record_holders(style)
    places = {(holder.key.statistic, holder.key.level): holder for holder in found}
    rows = [StatisticHolders(row, [(level, places.get((row.name, level))) for level in _COLUMNS]) for row in RANKED]
    context = {
        "style": style,
        "styles": STYLES,
        "columns": _COLUMNS,
        "rows": rows,
        "most": most_held(found)[:_MOST],
    }
    return render(request, "players/holders.html", context)
