from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from analysis.statistics import BY_NAME, RANKED
from players.db.keyset import Page
from players.leaderboards.board import board_address, board_at
from players.leaderboards.boards import (
    COMBINED,
    CORPSE_STATISTICS,
    LEVEL_ORDER,
    LOGGED_STATISTICS,
    MAIN_STATISTICS,
    OFFERED_N,
    STYLE,
    STYLES,
    levels_by_statistic,
    statistics_on,
)
from players.leaderboards.filters import FILTERS
from players.leaderboards.pages.board_texts import level_text
from players.leaderboards.pages.columns import CHOSEN
from players.leaderboards.pages.views import given_columns
from players.leaderboards.records.holders import Holder, by_statistic, most_held, record_holders
from players.leaderboards.records.record_parameters import RecordsForm, record_filters
from players.leaderboards.records.selectors import RecordRow
from players.models import ALL_STYLES, RecordEvent
from players.web.errors import handle_bad_addresses
from players.web.links import history_address, progress_address, redirect_to_clean
from players.web.parameters import DEFAULT_PAGE_SIZE, form_of, known_query, text
from players.web.share import Share, card_of
from players.web.statistic_groups import grouped
from players.web.statistic_names import code_name

_MOST: Final = 10


#: The parameters of the index page.  The picker of board pages sends its form there, and is redirected.
IndexForm = form_of(STYLE, *FILTERS, CHOSEN, text("level", most_chars=20), text("statistic", most_chars=20))


@require_safe
@handle_bad_addresses
@redirect_to_clean
def leaderboards(request: HttpRequest) -> HttpResponse:
    """The leader of every board; with ``level`` and ``statistic``, a redirect to that board.

    ``level`` alone: the level that a phone shows.
    """
    values = IndexForm(request.GET).values()
    level, statistic, style = values["level"], code_name(values["statistic"]), values["style"]
    if level and statistic:
        return redirect(board_at(level, statistic).with_parameters(values).url(given_columns(values)))
    shown = level if level in LEVEL_ORDER else LEVEL_ORDER[0]
    holders = record_holders(style)
    context = {
        "style": style,
        "styles": STYLES,
        "level": shown,
        "columns": LEVEL_ORDER,
        "tabs": [(name, _index_address(name, style)) for name in LEVEL_ORDER],
        "rows": sorted(by_statistic(holders, LEVEL_ORDER), key=lambda one: _place(one.row.name)),
        "corpse_rows": CORPSE_STATISTICS,
        "corpse_boards": levels_by_statistic(lost=True),
        "min_completion": settings.MINIMUM_COMPLETION,
        "sub_steps": OFFERED_N,
        "share": _share(style, holders),
    }
    return render(request, "players/leaderboards/records/leaderboards.html", context)


def _share(style: str, holders: Sequence[Holder]) -> Share:
    """The card of the fastest game of the hardest level."""
    path = reverse("leaderboards") + ("" if style == ALL_STYLES else f"?style={style}")
    first = next((one for one in holders if (one.key.level, one.key.statistic) == (LEVEL_ORDER[0], "time")), None)
    if first is None or first.provisional:
        return Share(path)
    return Share(path, picture=card_of(first.replay_id, level_text(first.key.level), first.player.shown_name))


def _place(statistic: str) -> int:
    """Return the place of ``statistic`` among the most used; the others come after them."""
    return MAIN_STATISTICS.index(statistic) if statistic in MAIN_STATISTICS else len(MAIN_STATISTICS)


def _index_address(level: str, style: str) -> str:
    query = {} if level == LEVEL_ORDER[0] else {"level": level}
    query |= {} if style == ALL_STYLES else {"style": style}
    return f"?{urlencode(query)}"


@require_safe
@handle_bad_addresses
@redirect_to_clean
def records(request: HttpRequest) -> HttpResponse:
    values = RecordsForm(request.GET).values()
    filters = record_filters(values)
    parameters = known_query(request.GET)
    parameters.pop("cursor", None)
    page = filters.page(values["cursor"], DEFAULT_PAGE_SIZE)
    rows = [(BY_NAME[event.statistic], event, _record_address(event)) for event in page.rows]
    is_personal = filters.kind == RecordEvent.Kind.PERSONAL
    offered = RANKED if filters.level is None else statistics_on(filters.level)
    context = {
        "filters": filters,
        "row": None if filters.statistic is None else BY_NAME[filters.statistic],
        "page": Page(rows, page.next_cursor, page.previous_cursor),
        # A record of the site always ends at rank 1.
        "ranks": is_personal,
        "is_logged": not is_personal or filters.statistic in (None, *LOGGED_STATISTICS),
        "tabs": [(level, _records_address(parameters, level, filters.statistic)) for level in (None, *LEVEL_ORDER)],
        "styles": STYLES,
        "groups": grouped(tuple(row for row in offered if not is_personal or row.name in LOGGED_STATISTICS)),
        "feed_query": parameters.urlencode(),
    }
    return render(request, "players/leaderboards/records/history_records.html", context)


def _records_address(parameters: QueryDict, level: str | None, statistic: str | None) -> str:
    """The address of the records of ``level``, without a statistic that this level does not have."""
    query = parameters.copy()
    query.pop("level", None)
    if level is not None:
        query["level"] = level
        if all(row.name != statistic for row in statistics_on(level)):
            query.pop("statistic", None)
    return f"?{query.urlencode()}"


def _record_address(event: RecordRow) -> str:
    """The address of what a record is a step of: the site's or the player's history; of sums, the board."""
    if event.level == COMBINED:
        address = board_address(event.level, event.statistic)
    elif event.kind == RecordEvent.Kind.SITE or event.player is None:
        address = history_address(event.level, event.statistic)
    else:
        address = progress_address(event.player.pk, event.level, event.statistic)
    return address if event.style == ALL_STYLES else f"{address}?{urlencode({'style': event.style})}"


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
