from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from analysis.statistics import BY_NAME, Better
from players.leaderboards.boards import (
    COMBINED,
    COMBINED_LEVELS,
    CORPSES_ON,
    LEVEL_ORDER,
    OFFERED_N,
    ON_LEVEL,
    STYLES,
    BoardKey,
    UnknownBoard,
    board_key,
    main_statistics,
    statistics_on,
)
from players.leaderboards.filters import UNFILTERED, X5, BoardFilter, board_filter
from players.leaderboards.pages.board_share import share_of_board
from players.leaderboards.pages.cells import cells_of
from players.leaderboards.pages.columns import CHOSEN, Column, column_context, columns_text
from players.leaderboards.pages.export import exports
from players.leaderboards.pages.filter_form import filter_context, with_filter
from players.leaderboards.pages.jumps import (
    FIELDS,
    BoardForm,
    JumpRequest,
    find_parameter,
    jump_context,
    jump_request,
    refused_context,
)
from players.leaderboards.pages.services import remember_board_columns
from players.leaderboards.ranks import BoardPage, page_at
from players.models import Player
from players.people.selectors import own_player
from players.web.errors import handle_bad_addresses
from players.web.links import board_address, corpses_address, redirect_to_clean, redirect_to_next
from players.web.parameters import DEFAULT_PAGE_SIZE, BadParameter, Parsed
from players.web.statistic_groups import grouped
from players.web.users import required_user


@require_POST
@login_required
@handle_bad_addresses
def remember_columns(request: HttpRequest) -> HttpResponse:
    chosen = CHOSEN.read(request.POST)
    remember_board_columns(required_user(request), "" if chosen is None else columns_text(chosen))
    return redirect_to_next(request, reverse("leaderboards"))


@require_safe
@handle_bad_addresses
@redirect_to_clean
def board(request: HttpRequest, level: str, statistic: str) -> HttpResponse:
    """A board of one level; for a statistic that is no merit, as IOME, a redirect to its definition."""
    if level == COMBINED:
        raise UnknownBoard(_("There's no ranked level “%(level)s”.") % {"level": level})
    if level in ON_LEVEL and statistic in BY_NAME and BY_NAME[statistic].better is Better.NONE:
        return redirect(f"{reverse('statistics')}#{BY_NAME[statistic].public}")
    board_key(level, statistic)  # an unknown board is 404 whatever its parameters are
    return _board_page(request, level, statistic, {})


@require_safe
@handle_bad_addresses
@redirect_to_clean
def board_combined(request: HttpRequest, statistic: str) -> HttpResponse:
    board_key(COMBINED, statistic)
    return _board_page(request, COMBINED, statistic, {"parts": tuple(reversed(COMBINED_LEVELS))})


@require_safe
@handle_bad_addresses
@redirect_to_clean
def board_corpses(request: HttpRequest, level: str, statistic: str) -> HttpResponse:
    board_key(level, statistic, lost=True)
    more = {"min_completion": settings.MINIMUM_COMPLETION}
    return _board_page(request, level, statistic, more, lost=True)


def _board_page(
    request: HttpRequest, level: str, statistic: str, more: Mapping[str, object], *, lost: bool = False
) -> HttpResponse:
    template = "players/leaderboards/pages/board.html"
    values, errors = BoardForm(request.GET).read()
    key = board_key(level, statistic, values["style"], lost=lost)
    filters, jump = read_board(request, values, key, errors, lost=lost)
    given = given_columns(values)
    address = address_of_board(level, statistic, key.style, filters, given)
    chosen = column_context(request, key, filters, values["columns"])
    around = {
        **around_board(key.level, key.statistic, key.style, filters, columns=given),
        **filter_context(filters, key.style, min_bv=key.level != COMBINED, columns=given),
        **chosen,
        "unfiltered_address": address_of_board(key.level, key.statistic, key.style, BoardFilter(lost=lost), given),
        "exports": exports(key, filters, request),
        "x5_address": address_of_board(level, statistic, key.style, replace(filters, best_of=X5), given),
        "row": key.row,
        **more,
    }
    if errors:
        fields = FIELDS - {"min_3bv"} if key.level == COMBINED else FIELDS
        context = around | refused_context(request.GET, errors, filters, fields=fields)
        return render(request, template, context, status=400)
    if found := jump_address(address, values, jump):
        return redirect(found)
    viewer = own_player(request)
    page = page_at(
        key, filters, player=jump.player, value=jump.value, cursor=values["cursor"], size=DEFAULT_PAGE_SIZE,
        viewer=viewer,
    )  # fmt: skip
    path = address_of_board(level, statistic, key.style, filters)
    return render(
        request,
        template,
        around | rows_context(request, page, path, filters, viewer, chosen["columns"]) | jump_context(jump, page),
    )


def read_board(
    request: HttpRequest, values: Parsed, key: BoardKey | None, errors: dict[str, str], *, lost: bool = False
) -> tuple[BoardFilter, JumpRequest]:
    """The filters and the jump of parsed parameters; what contradicts itself is added to ``errors`` and left out.

    ``key`` is None on sub-N boards; ``lost``: of a board of lost games.  Raises ``Player.DoesNotExist`` for an unknown
    player.
    """
    filters, jump = BoardFilter(lost=lost), JumpRequest()
    try:
        filters = board_filter(values, combined=key is not None and key.level == COMBINED, lost=lost)
    except BadParameter as error:
        errors |= error.errors
    try:
        jump = jump_request(request, values)
    except BadParameter as error:
        errors |= error.errors
    return filters, jump


def given_columns(values: Parsed) -> str:
    """The parameter ``columns`` as it stands in addresses; "" if it was not given."""
    return "" if values["columns"] is None else columns_text(values["columns"])


def address_of_board(
    level: str, statistic: str, style: str, filters: BoardFilter = UNFILTERED, columns: str = ""
) -> str:  # fmt: skip
    """Raise ``UnknownBoard`` if there is none."""
    key = board_key(level, statistic, style, lost=filters.lost)
    if level == COMBINED:
        filters = replace(filters, min_bv=0)
    path = (corpses_address if filters.lost else board_address)(key.level, key.statistic)
    return with_filter(path, style, filters, columns)


def jump_address(address: str, values: Parsed, jump: JumpRequest) -> str:
    """Return where a jump leads from ``address``, a board without one: to the only player, or what "find" means.

    "" if this page shows the jump.
    """
    parameter = ""
    if jump.only_choice is not None:
        parameter = f"player={jump.only_choice.pk}#place"
    elif values["find"]:
        parameter = urlencode(find_parameter(values["find"]))
    return parameter and f"{address}{'&' if '?' in address else '?'}{parameter}"


def around_board(
    level: str, statistic: str, style: str, filters: BoardFilter, *, n: int | None = None, columns: str = ""
) -> dict[str, object]:
    return {
        "groups": grouped(statistics_on(level)),
        "main": main_statistics(level, statistic),
        "sub_start": OFFERED_N[level][1] if level in OFFERED_N else None,
        "n": n,
        "level": level,
        "statistic": statistic,
        "style": style,
        "styles": STYLES,
        "tabs": [
            (name, address_of_board(name, _nearest(name, statistic, filters.lost), style, filters, columns))
            for name in LEVEL_ORDER
            if not filters.lost or name in CORPSES_ON
        ],
        "lost": filters.lost,
        "corpse_rows": CORPSES_ON.get(level, ()),
    }


def rows_context(
    request: HttpRequest, page: BoardPage, path: str, filters: BoardFilter, viewer: Player | None,
    columns: Collection[Column],
) -> dict[str, object]:  # fmt: skip
    """The context of the rows; the viewer's own row is shown separately unless it is on the page.

    ``path``: the address of the board with its filters.
    """
    shown = {row.player.pk for row in page.rows}
    own = page.own_row
    return {
        "board": cells_of(page, filters, columns),
        "share": share_of_board(path, page),
        "page": page,
        "viewer_id": viewer.pk if viewer else None,
        "is_wide": any(not column.is_default for column in columns),
        "own_apart": [own] if own is not None and own.player.pk not in shown else [],
    }


def _nearest(level: str, statistic: str, lost: bool) -> str:
    """Return ``statistic`` if ``level`` has a board of it, else one that every level has."""
    rows = CORPSES_ON[level] if lost else statistics_on(level)
    if any(row.name == statistic for row in rows):
        return statistic
    return "estime" if lost else "time"
