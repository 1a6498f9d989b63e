from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.leaderboards.boards import (
    LEVEL_ORDER,
    MAX_SUB,
    MIN_SUB,
    OFFERED_N,
    ON_LEVEL,
    BoardKey,
    checked_level,
    checked_sub_n,
)
from players.leaderboards.filters import UNFILTERED, BoardFilter
from players.leaderboards.pages.columns import column_context
from players.leaderboards.pages.export import exports
from players.leaderboards.pages.filter_form import filter_context, with_filter
from players.leaderboards.pages.jumps import FIELDS, SubNForm, jump_context, refused_context
from players.leaderboards.pages.views import (
    around_board,
    given_columns,
    jump_address,
    read_board,
    rows_context,
)
from players.leaderboards.ranks import sub_n_page_at
from players.people.selectors import own_player
from players.web.errors import handle_bad_addresses
from players.web.links import redirect_to_clean
from players.web.parameters import BadParameter, parse_integer

_TEMPLATE: Final = "players/leaderboards/sub_n/board_sub.html"


@require_safe
@handle_bad_addresses
@redirect_to_clean
def board_sub(request: HttpRequest, level: str, n: int) -> HttpResponse:
    """A sub-N board; ``?n=`` redirects to that N."""
    checked_level(level)
    checked_sub_n(n)
    values, errors = SubNForm(request.GET).read()
    filters, jump = read_board(request, values, None, errors)
    style, filters = values["style"], replace(filters, best_of=1)
    given = given_columns(values)
    if (typed := request.GET.get("n", "").strip()) and not errors:
        try:
            return redirect(_address(level, _nearest_n(typed), style, filters, given))
        except BadParameter as error:
            errors |= error.errors
    key = BoardKey(level, f"sub{n}", style)
    chosen = column_context(request, key, filters, values["columns"])
    around = {
        **_around(level, n, style, filters, given),
        **chosen,
        "exports": exports(key, filters, request),
    }
    if errors:
        context = around | refused_context(request.GET, errors, filters, fields=(FIELDS - {"best_of"}) | {"n"})
        return render(request, _TEMPLATE, context, status=400)
    if found := jump_address(_address(level, n, style, filters, given), values, jump):
        return redirect(found)
    viewer = own_player(request)
    page = sub_n_page_at(
        level, n, style, filters, player=jump.player, value=jump.value, cursor=values["cursor"], viewer=viewer
    )
    path = _address(level, n, style, filters)
    return render(
        request,
        _TEMPLATE,
        around | rows_context(request, page, path, filters, viewer, chosen["columns"]) | jump_context(jump, page),
    )


def _around(level: str, n: int, style: str, filters: BoardFilter, columns: str) -> dict[str, object]:
    return {
        **around_board(level, "time", style, filters, n=n, columns=columns),
        **filter_context(filters, style, best_of=False, columns=columns),
        "unfiltered_address": _address(level, n, style, columns=columns),
        "steps": [(step, _address(level, step, style, filters, columns)) for step in OFFERED_N[level]],
        "tabs": [
            (name, _address(name, OFFERED_N[name][1], style, filters, columns))
            for name in LEVEL_ORDER
            if name in ON_LEVEL
        ],
        "previous_n": n - 1 if n > MIN_SUB else None,
        "previous_address": _address(level, n - 1, style, filters, columns),
        "next_n": n + 1 if n < MAX_SUB else None,
        "next_address": _address(level, n + 1, style, filters, columns),
    }


def _nearest_n(text: str) -> int:
    """The N that the visitor typed, limited to those that have boards; raises ``BadParameter``."""
    try:
        n = parse_integer(text, "n", 0, 10**9)
    except ValueError as error:
        raise BadParameter({"n": _("N must be a whole number.")}) from error
    return min(max(n, MIN_SUB), MAX_SUB)


def _address(level: str, n: int, style: str, filters: BoardFilter = UNFILTERED, columns: str = "") -> str:
    return with_filter(reverse("board-sub", args=[level, n]), style, filters, columns)
