"""Leaderboards."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.statistics import RANKED, Statistic
from players import selectors
from players.boards import (
    COMBINED,
    COMBINED_LEVELS,
    COMBINED_NAMES,
    COMBINED_STATISTICS,
    ON_LEVEL,
    STYLES,
    SUB_STEPS,
    BoardKey,
    UnknownBoard,
    board_key,
    checked_level,
    checked_style,
)
from players.frames import PARAMETERS, WHOLE, Frame, frame_of
from players.links import board_address
from players.models import ALL_STYLES, Player, User
from players.selectors import MAX_SUB, MIN_SUB, BoardPage, Top
from players.time_convention import sub_limit_ms
from players.views.addresses import answers_bad_addresses
from players.views.errors import bad_request
from players.views.framing import framing, with_frame
from players.views.jumps import asked_of, asked_of_sub, told
from players.views.statistics import Group, grouped, levels_by_statistic

PAGE_SIZE = 50
TOP_SIZE = 5
#: How boards stand side by side: the hardest first, the combined one below with its parts.
_TOP_ORDER = ("expert", "intermediate", "beginner", COMBINED, "beginner-9x9")


def viewer_of(request: HttpRequest) -> Player | None:
    """The player of the signed-in visitor."""
    return selectors.player_of_account(request.user) if isinstance(request.user, User) else None


def tops_in_order(tops: list[Top]) -> list[Top]:
    """``tops`` as they stand on the page."""
    return sorted(tops, key=lambda top: _TOP_ORDER.index(top.key.level))


def _style(request: HttpRequest) -> str:
    return checked_style(request.GET.get("style", ALL_STYLES))


@require_safe
@answers_bad_addresses
def leaderboards(request: HttpRequest) -> HttpResponse:
    """The first places of each level; the form of the board page comes here to be sent on."""
    level, statistic = request.GET.get("level"), request.GET.get("statistic")
    if level and statistic:
        frame = frame_of(_given(request), combined=level == COMBINED)
        return redirect(_address_of_board(level, statistic, _style(request), frame))
    style = _style(request)
    context = {
        "style": style,
        "styles": STYLES,
        "tops": tops_in_order(selectors.top_places(style=style, size=TOP_SIZE)),
        "groups": grouped(RANKED),
        "boards": levels_by_statistic(),
        "combined": COMBINED_NAMES,
        "sub_steps": SUB_STEPS,
    }
    return render(request, "players/leaderboards.html", context)


def _given(request: HttpRequest) -> dict[str, str]:
    return {name: request.GET.get(name, "") for name in PARAMETERS}


def _address_of_board(level: str, statistic: str, style: str, frame: Frame = WHOLE) -> str:
    key = board_key(level, statistic, style)
    if level == COMBINED:
        frame = replace(frame, min_bv=0)
    return with_frame(board_address(key.level, key.statistic), style, frame)


@lru_cache(maxsize=1_000)
def _side(language: str, level: str, statistic: str, style: str, n: int) -> SafeString:
    """The list of boards of a level beside one of them (``n`` > 0: beside a sub-N board), in ``language``.

    Kept, because drawing it takes as long as the board itself, and it never changes.
    """
    context = {
        "level": level, "statistic": statistic, "style": style, "n": n or None, "groups": _groups(level),
        "sub_start": SUB_STEPS[level][1] if level in SUB_STEPS else None,
    }  # fmt: skip
    return render_to_string("players/_side.html", context)


@lru_cache(maxsize=500)
def _options(_language: str, level: str, statistic: str) -> SafeString:
    """The choice of statistics of a level; kept as :func:`_side` is."""
    return render_to_string("players/_options.html", {"groups": _groups(level), "statistic": statistic})


def _statistics_of(level: str) -> tuple[Statistic, ...]:
    return COMBINED_STATISTICS if level == COMBINED else ON_LEVEL[level]


def _groups(level: str) -> tuple[Group, ...]:
    return grouped(_statistics_of(level))


def _frame(level: str, statistic: str, style: str, frame: Frame, *, n: int = 0) -> dict[str, Any]:
    """What the tabs and pickers around a board need."""
    language = get_language() or ""
    return {
        "side": _side(language, level, statistic, style, n),
        "options": _options(language, level, statistic),
        "level": level,
        "statistic": statistic,
        "style": style,
        "styles": STYLES,
        "tabs": [
            (name, _address_of_board(name, statistic if _offers(name, statistic) else "time", style, frame))
            for name in (*ON_LEVEL, COMBINED)
        ],
    }


def _places(page: BoardPage, viewer: Player | None) -> dict[str, Any]:
    """The rows; the viewer's own stands apart unless the page shows it anyway."""
    shown = {place.player.pk for place in page.rows}
    own = page.own_row
    return {
        "page": page,
        "viewer_id": viewer.pk if viewer else None,
        "own_apart": [own] if own is not None and own.player.pk not in shown else [],
    }


def _offers(level: str, statistic: str) -> bool:
    return any(row.name == statistic for row in _statistics_of(level))


@require_safe
@answers_bad_addresses
def board(request: HttpRequest, level: str, statistic: str) -> HttpResponse:
    """One leaderboard."""
    key = board_key(level, statistic, _style(request))
    if level == COMBINED:
        raise UnknownBoard(_("There is no ranked level “%(level)s”.") % {"level": level})
    return _opened(request, key, "players/board.html", {})


@require_safe
@answers_bad_addresses
def board_combined(request: HttpRequest, statistic: str) -> HttpResponse:
    """The sum of three levels, with its parts."""
    key = board_key(COMBINED, statistic, _style(request))
    return _opened(request, key, "players/board_combined.html", {"parts": tuple(reversed(COMBINED_LEVELS))})


def _opened(request: HttpRequest, key: BoardKey, template: str, more: dict[str, Any]) -> HttpResponse:
    """The page of ``key`` that the address asks for."""
    frame = frame_of(_given(request), combined=key.level == COMBINED)
    asked = asked_of(request, key)
    if asked.only_choice is not None:
        return redirect(_address_of_place(key, frame, asked.only_choice))
    viewer = viewer_of(request)
    place: dict[str, Any] = {"player": asked.player, "value": asked.value, "cursor": request.GET.get("cursor")}
    if frame.is_whole:
        opened = selectors.open_board(key, **place, size=PAGE_SIZE, viewer=viewer)
    else:
        opened = selectors.open_framed(key, frame, **place, size=PAGE_SIZE, viewer=viewer)
    context = {
        **_frame(key.level, key.statistic, key.style, frame),
        **_places(opened.page, viewer),
        **told(asked, opened),
        **framing(frame, min_bv=key.level != COMBINED),
        "whole_address": _address_of_board(key.level, key.statistic, key.style),
        "row": key.row,
        **more,
    }
    return render(request, template, context)


def _address_of_place(key: BoardKey, frame: Frame, player: Player) -> str:
    address = _address_of_board(key.level, key.statistic, key.style, frame)
    return f"{address}{'&' if '?' in address else '?'}player={player.pk}#place"


@require_safe
@answers_bad_addresses
def board_sub(request: HttpRequest, level: str, n: int) -> HttpResponse:
    """Who has how many games below N seconds."""
    checked_level(level)
    style = _style(request)
    frame = replace(frame_of(_given(request)), best_of=1)
    wanted = request.GET.get("n", "")
    if wanted:
        if not (wanted.isascii() and wanted.isdigit()):
            return bad_request(request, _("N must be a whole number."))
        return redirect(_address_of_sub(level, min(max(int(wanted[:9]), MIN_SUB), MAX_SUB), style, frame))
    viewer = viewer_of(request)
    asked = asked_of_sub(request)
    if asked.only_choice is not None:
        address = _address_of_sub(level, n, style, frame)
        return redirect(f"{address}{'&' if '?' in address else '?'}player={asked.only_choice.pk}#place")
    opened = selectors.open_sub(
        level, n, style, frame, player=asked.player, value=asked.value, cursor=request.GET.get("cursor"),
        size=PAGE_SIZE, viewer=viewer,
    )  # fmt: skip
    context = {
        **_frame(level, "time", style, frame, n=n),
        **_places(opened.page, viewer),
        **told(asked, opened),
        **framing(frame, best_of=False),
        "whole_address": _address_of_sub(level, n, style),
        "n": n,
        "steps": [(step, _address_of_sub(level, step, style, frame)) for step in SUB_STEPS[level]],
        "sub_tabs": [(name, _address_of_sub(name, SUB_STEPS[name][1], style, frame)) for name in ON_LEVEL],
        "longest": f"{(sub_limit_ms(n) - 10) / 1000:.2f}",
        "next_second": f"{sub_limit_ms(n) / 1000:.2f}",
        "previous_n": n - 1 if n > MIN_SUB else None,
        "previous_address": _address_of_sub(level, n - 1, style, frame),
        "next_n": n + 1 if n < MAX_SUB else None,
        "next_address": _address_of_sub(level, n + 1, style, frame),
    }
    return render(request, "players/board_sub.html", context)


def _address_of_sub(level: str, n: int, style: str, frame: Frame = WHOLE) -> str:
    return with_frame(reverse("board-sub", args=[level, n]), style, frame)
