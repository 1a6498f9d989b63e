from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.statistics import Better, Statistic
from analysis.time_convention import decimals_apart, number_text, value_text
from players.db.keyset import Page
from players.leaderboards.boards import LEVEL_ORDER, ON_LEVEL, STYLE, STYLES, BoardKey, main_statistics, statistics_on
from players.leaderboards.history.selectors import (
    HistoryRow,
    Step,
    board_progression,
    decimals_of_steps,
    history_key,
    history_page,
    player_progression,
    rank_history,
)
from players.models import ALL_STYLES
from players.people.player_refs import PlayerRef
from players.people.selectors import player_of_id
from players.web.charts.step_chart import Point, step_chart
from players.web.clock import shown_text
from players.web.errors import handle_bad_addresses
from players.web.parameters import CURSOR, form_of
from players.web.statistic_groups import grouped

HistoryForm = form_of(STYLE, CURSOR)


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A row of the table; ``gain``: the difference from the step before, with its sign ("" for the first)."""

    step: Step
    player: PlayerRef
    gain: str


@require_safe
@handle_bad_addresses
def board_history(request: HttpRequest, level: str, statistic: str) -> HttpResponse:
    history_key(level, statistic, ALL_STYLES)  # an unknown board is 404 whatever its parameters are
    values = HistoryForm(request.GET).values()
    key = history_key(level, statistic, values["style"])
    context = _context(request, key, board_progression(key), values["cursor"])
    context["tabs"] = _tabs(key, lambda name: reverse("board-history", args=[name, statistic]))
    context |= {
        "statistic": key.statistic,
        "groups": grouped(statistics_on(key.level)),
        "main": main_statistics(key.level, key.statistic),
    }
    return render(request, "players/leaderboards/history/history.html", context)


@require_safe
@handle_bad_addresses
def player_progress(request: HttpRequest, pk: int, level: str, statistic: str) -> HttpResponse:
    history_key(level, statistic, ALL_STYLES)
    player = player_of_id(pk)
    values = HistoryForm(request.GET).values()
    key = history_key(level, statistic, values["style"])
    context = _context(request, key, player_progression(player, key), values["cursor"])
    context["tabs"] = _tabs(key, lambda name: reverse("player-progress", args=[pk, name, statistic]))
    context["player"] = player
    context["rank_chart"] = rank_chart(rank_history(player, key))
    return render(request, "players/leaderboards/history/history_player.html", context)


def _context(request: HttpRequest, key: BoardKey, steps: Sequence[Step], cursor: str | None) -> dict[str, object]:
    page = history_page(steps, cursor=cursor)
    decimals = decimals_of_steps(key.row, page)
    return {
        "level": key.level,
        "style": key.style,
        "styles": STYLES,
        "row": key.row,
        "decimals": decimals,
        "page": Page([_shown(key.row, row, decimals) for row in page.rows], page.next_cursor, page.previous_cursor),
        "chart": history_chart(key.row, steps),
        "count": len(steps),
    }


def _shown(row: Statistic, found: HistoryRow, decimals: int | None) -> ShownStep:
    step = found.step
    if step.gain is None:
        return ShownStep(step, found.player, "")
    sign = "+" if row.better is Better.HIGH else "−"
    return ShownStep(
        step, found.player, sign + value_text(row, step.gain, precision_ms=step.precision_ms, decimals=decimals)
    )


def _day(at: datetime) -> str:
    return f"{at if at.tzinfo is None else timezone.localtime(at):%Y-%m-%d}"


def history_chart(row: Statistic, steps: Sequence[Step]) -> SafeString:
    if not steps:
        return SafeString("")

    apart = decimals_apart(row, (step.value for step in steps))

    def text(step: Step) -> str:
        return shown_text(row, step.value, precision_ms=step.precision_ms, decimals=apart)

    def number(value: float, decimals: int) -> str:
        return shown_text(row, value, decimals=decimals)

    points = [Point(step.achieved_at, step.value, f"{_day(step.shown_at)}: {text(step)}") for step in steps]
    title = _("%(statistic)s over time, from %(first)s to %(last)s. The table shows the same data.") % {
        "statistic": _(row.label), "first": text(steps[0]), "last": text(steps[-1]),
    }  # fmt: skip
    return step_chart(points, until=timezone.now(), title=title, number=number)


def rank_chart(ranks: Sequence[tuple[datetime, int | None]]) -> SafeString:
    known = [(when, rank) for when, rank in ranks if rank is not None]
    if not known:
        return SafeString("")
    # A dot where the rank changed, not one for each datetime at which it was counted.
    changes = [known[0], *(now for before, now in pairwise(known) if now[1] != before[1])]
    # Negated, so that rank 1 is at the top.
    points = [Point(when, -rank, f"{timezone.localtime(when):%Y-%m-%d}: {rank}") for when, rank in changes]
    title = _("Rank over time, from %(first)d to %(last)d.") % {"first": known[0][1], "last": known[-1][1]}

    def number(value: float, decimals: int) -> str:
        return number_text(-value, decimals) if value <= -1 else ""

    return step_chart(points, until=timezone.now(), title=title, number=number, whole=True)


def _tabs(key: BoardKey, address: Callable[[str], str]) -> list[tuple[str, str]]:
    """Level and address of the same statistic on each level that has it, in the same style."""
    levels = [level for level in LEVEL_ORDER if key.row in ON_LEVEL.get(level, ())]
    query = "" if key.style == ALL_STYLES else f"?style={key.style}"
    return [(level, address(level) + query) for level in levels]
