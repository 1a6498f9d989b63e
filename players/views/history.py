"""How the record of a board, and a player's best, came to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.statistics import Better, Statistic
from players.boards import ON_LEVEL, STYLES, BoardKey
from players.charts import Point, step_chart
from players.keyset import Page
from players.models import ALL_STYLES, Player
from players.selectors.framed import rank_history
from players.selectors.history import (
    HistoryRow,
    Step,
    board_progression,
    history_key,
    history_page,
    player_progression,
)
from players.templatetags.sweepbook import counts_from_one
from players.time_convention import number_text, seconds_text, time_decimals, value_text
from players.views.addresses import answers_bad_addresses

PAGE_SIZE: Final = 50


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A row of the table; ``gain`` is how far it moved, with its sign ("" for the first)."""

    step: Step
    player: Player
    gain: str


@require_safe
@answers_bad_addresses
def board_history(request: HttpRequest, level: str, statistic: str) -> HttpResponse:
    """Every record of one board by its day."""
    key = _key(request, level, statistic)
    context = _history(request, key, board_progression(key))
    context["tabs"] = _tabs(key, lambda name: reverse("board-history", args=[name, statistic]))
    return render(request, "players/history.html", context)


@require_safe
@answers_bad_addresses
def player_progress(request: HttpRequest, pk: int, level: str, statistic: str) -> HttpResponse:
    """Every personal best of one player on one board by its day."""
    key = _key(request, level, statistic)
    player = Player.objects.get(pk=pk)
    context = _history(request, key, player_progression(player, key))
    context["tabs"] = _tabs(key, lambda name: reverse("player-progress", args=[pk, name, statistic]))
    context["player"] = player
    context["rank_chart"] = rank_chart(rank_history(player, key))
    return render(request, "players/history_player.html", context)


def _key(request: HttpRequest, level: str, statistic: str) -> BoardKey:
    return history_key(level, statistic, request.GET.get("style", ALL_STYLES))


def _history(request: HttpRequest, key: BoardKey, steps: Sequence[Step]) -> dict[str, Any]:
    page = history_page(steps, cursor=request.GET.get("cursor"), size=PAGE_SIZE)
    return {
        "level": key.level,
        "style": key.style,
        "styles": STYLES,
        "row": key.row,
        "page": Page([_shown(key.row, row) for row in page.rows], page.next_cursor, page.previous_cursor),
        "chart": history_chart(key.row, steps, from_one=counts_from_one(request.user)),
        "count": len(steps),
    }


def _shown(row: Statistic, found: HistoryRow) -> ShownStep:
    step = found.step
    if step.gain is None:
        return ShownStep(step, found.player, "")
    sign = "+" if row.better is Better.HIGH else "−"
    decimals = time_decimals(step.precision_ms) if row.name == "time" else row.decimals
    return ShownStep(step, found.player, sign + number_text(step.gain, decimals))


def history_chart(row: Statistic, steps: Sequence[Step], *, from_one: bool) -> SafeString:
    """The drawing of ``steps``, which stand until now; times by the clock of the reader."""
    if not steps:
        return SafeString("")

    def text(step: Step) -> str:
        return value_text(row, step.value, precision_ms=step.precision_ms, from_one=from_one)

    def number(value: float, decimals: int) -> str:
        if row.name == "time":
            return seconds_text(value, from_one=from_one, decimals=decimals)
        return number_text(value, decimals)

    points = [
        Point(step.achieved_at, step.value, f"{timezone.localtime(step.achieved_at):%Y-%m-%d}: {text(step)}")
        for step in steps
    ]
    title = _("%(statistic)s over time, from %(first)s to %(last)s. The table holds the same numbers.") % {
        "statistic": _(row.label), "first": text(steps[0]), "last": text(steps[-1]),
    }  # fmt: skip
    return step_chart(points, until=timezone.now(), title=title, number=number)


def rank_chart(ranks: Sequence[tuple[datetime, int | None]]) -> SafeString:
    """The drawing of a rank over time, the first places at the top."""
    known = [(moment, rank) for moment, rank in ranks if rank is not None]
    if not known:
        return SafeString("")
    # Turned around, so that better stands higher, as in every other drawing of the site.
    points = [Point(moment, -rank, f"{timezone.localtime(moment):%Y-%m-%d}: {rank}") for moment, rank in known]
    title = _("Rank over time, from %(first)d to %(last)d.") % {"first": known[0][1], "last": known[-1][1]}

    def number(value: float, decimals: int) -> str:
        return number_text(-value, 0) if value <= -1 and decimals == 0 else ""

    return step_chart(points, until=timezone.now(), title=title, number=number)


def _tabs(key: BoardKey, address: Callable[[str], str]) -> list[tuple[str, str]]:
    """The same statistic on each level that has it, in the same style."""
    levels = [level for level, rows in ON_LEVEL.items() if key.row in rows]
    query = "" if key.style == ALL_STYLES else f"?style={key.style}"
    return [(level, address(level) + query) for level in levels]
