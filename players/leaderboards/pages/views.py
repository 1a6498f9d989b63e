from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from analysis.statistics import BY_NAME, Better
from players.leaderboards.board import Board, board_at
from players.leaderboards.boards import (
    COMBINED,
    COMBINED_LEVELS,
    CORPSES_ON,
    MAX_SUB,
    MIN_SUB,
    OFFERED_N,
    ON_LEVEL,
    STYLES,
    main_statistics,
    statistics_on,
)
from players.leaderboards.filters import X5
from players.leaderboards.pages.board_share import share_of_board
from players.leaderboards.pages.board_texts import board_title
from players.leaderboards.pages.cells import cells_of
from players.leaderboards.pages.columns import CHOSEN, Column, column_context, columns_text
from players.leaderboards.pages.export import TYPES
from players.leaderboards.pages.filter_form import filter_context
from players.leaderboards.pages.jumps import (
    BoardForm,
    JumpRequest,
    SubNForm,
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
from players.web.links import redirect_to_clean, redirect_to_next
from players.web.parameters import BadParameter, Parsed, parse_integer
from players.web.statistic_groups import grouped
from players.web.users import required_user

_TEMPLATE: Final = "players/leaderboards/pages/board.html"


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
def board_page(
    request: HttpRequest, level: str = COMBINED, statistic: str = "", n: int | None = None, *, lost: bool = False
) -> HttpResponse:
    """A board; for a statistic that is no merit, as IOME, a redirect to its definition.

    ``?n=`` on a sub-N board redirects to that N.
    """
    row = BY_NAME.get(statistic)
    if level in ON_LEVEL and not lost and row is not None and row.better is Better.NONE:
        return redirect(f"{reverse('statistics')}#{row.public}")
    board = board_at(level, statistic, n, lost=lost)  # an unknown board is 404 whatever its parameters are
    values, errors = (BoardForm if n is None else SubNForm)(request.GET).read()
    board, jump = _read(request, board, values, errors)
    given = given_columns(values)
    if n is not None and (typed := request.GET.get("n", "").strip()) and not errors:
        try:
            return redirect(board.sub(_nearest_n(typed)).url(given))
        except BadParameter as error:
            errors |= error.errors
    chosen = column_context(request, board, values["columns"])
    around = _around(board, given) | filter_context(board, given) | dict(chosen)
    if errors:
        return render(request, _TEMPLATE, around | refused_context(request.GET, errors, board), status=400)
    if found := jump_address(board.url(given), values, jump):
        return redirect(found)
    viewer = own_player(request)
    page = page_at(board, player=jump.player, value=jump.value, cursor=values["cursor"], viewer=viewer)
    rows = _rows_context(request, page, viewer, chosen["columns"])
    return render(request, _TEMPLATE, around | rows | jump_context(jump, page))


def _read(request: HttpRequest, board: Board, values: Parsed, errors: dict[str, str]) -> tuple[Board, JumpRequest]:
    """The board with its filters, and the jump of parsed parameters; what contradicts itself is added to ``errors`` and left out.

    Raises ``Player.DoesNotExist`` for an unknown player.
    """
    board, jump = replace(board, style=values["style"]), JumpRequest()
    try:
        board = board.with_parameters(values)
    except BadParameter as error:
        errors |= error.errors
    try:
        jump = jump_request(request, values)
    except BadParameter as error:
        errors |= error.errors
    return board, jump


def _nearest_n(text: str) -> int:
    """The N that the visitor typed, limited to those that have boards; raises ``BadParameter``."""
    try:
        n = parse_integer(text, "n", 0, 10**9)
    except ValueError as error:
        raise BadParameter({"n": _("N must be a whole number.")}) from error
    return min(max(n, MIN_SUB), MAX_SUB)


def given_columns(values: Parsed) -> str:
    """The parameter ``columns`` as it stands in addresses; "" if it was not given."""
    return "" if values["columns"] is None else columns_text(values["columns"])


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


def _around(board: Board, columns: str) -> dict[str, object]:
    """The context around the rows; ``columns``: as in the address, which the links of the page keep."""
    level, statistic = board.level, "time" if board.row is None else board.statistic
    return {
        "groups": grouped(statistics_on(level)),
        "main": main_statistics(level, statistic),
        "sub_start": OFFERED_N[level][1] if level in OFFERED_N else None,
        "level": level,
        "statistic": statistic,
        "row": board.row,
        "style": board.style,
        "styles": STYLES,
        "title": board_title(board),
        "tabs": [(other.level, other.url(columns)) for other in board.on_levels()],
        "lost": board.filters.lost,
        "corpse_rows": CORPSES_ON.get(level, ()),
        "min_completion": settings.MINIMUM_COMPLETION,
        "parts": tuple(reversed(COMBINED_LEVELS)) if board.is_sum else (),
        "exports": board.file_urls(tuple(TYPES), columns),
        "unfiltered_address": board.unfiltered().url(columns),
        "x5_address": board.filtered(best_of=X5).url(columns) if board.takes_best_of else "",
        **(_steps(board, board.n, columns) if board.n is not None else {"n": None}),
    }


def _steps(board: Board, n: int, columns: str) -> dict[str, object]:
    """The context of ``players/leaderboards/pages/_steps.html``."""
    return {
        "n": n,
        "steps": [(step, board.sub(step).url(columns)) for step in OFFERED_N[board.level]],
        "previous_n": n - 1 if n > MIN_SUB else None,
        "previous_address": board.sub(n - 1).url(columns),
        "next_n": n + 1 if n < MAX_SUB else None,
        "next_address": board.sub(n + 1).url(columns),
    }


def _rows_context(
    request: HttpRequest, page: BoardPage, viewer: Player | None, columns: Collection[Column]
) -> dict[str, object]:
    """The context of the rows; the viewer's own row is shown separately unless it is on the page."""
    shown = {row.player.pk for row in page.rows}
    own = page.own_row
    return {
        "board": cells_of(page, columns),
        "share": share_of_board(page),
        "page": page,
        "viewer_id": viewer.pk if viewer else None,
        "is_wide": any(not column.is_default for column in columns),
        "own_apart": [own] if own is not None and own.player.pk not in shown else [],
    }
