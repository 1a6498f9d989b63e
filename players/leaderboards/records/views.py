from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.statistics import BY_NAME, RANKED
from players.db.keyset import Page
from players.leaderboards.boards import COMBINED, LEVEL_ORDER, ON_LEVEL, STYLE, STYLES
from players.leaderboards.records.holders import by_statistic, most_held, record_holders
from players.leaderboards.records.record_parameters import RecordsForm, record_filters
from players.models import RecordEvent
from players.web.errors import handle_bad_addresses
from players.web.links import redirect_to_clean
from players.web.parameters import DEFAULT_PAGE_SIZE, form_of
from players.web.statistic_groups import grouped

_MOST: Final = 10


@require_safe
@handle_bad_addresses
@redirect_to_clean
def records(request: HttpRequest) -> HttpResponse:
    values = RecordsForm(request.GET).values()
    filters = record_filters(values)
    parameters = request.GET.copy()
    parameters.pop("cursor", None)
    page = filters.page(values["cursor"], DEFAULT_PAGE_SIZE)
    context = {
        "filters": filters,
        "page": Page(
            [(BY_NAME[event.statistic], event) for event in page.rows], page.next_cursor, page.previous_cursor
        ),
        "kinds": RecordEvent.Kind.choices,
        "levels": [*ON_LEVEL, COMBINED],
        "styles": STYLES,
        "groups": grouped(RANKED),
        "feed_query": parameters.urlencode(),
    }
    return render(request, "players/leaderboards/records/history_records.html", context)


# --- holders ----------------------------------------------------------------------------------------------------------


HoldersForm = form_of(STYLE)


@require_safe
@handle_bad_addresses
def holders(request: HttpRequest) -> HttpResponse:
    style = HoldersForm(request.GET).values()["style"]
    found = record_holders(style)
    context = {
        "style": style,
        "styles": STYLES,
        "columns": LEVEL_ORDER,
        "rows": by_statistic(found, LEVEL_ORDER),
        "most": most_held(found)[:_MOST],
    }
    return render(request, "players/leaderboards/records/holders.html", context)
