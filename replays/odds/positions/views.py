from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.one_and_two import (
    FIGURE,
    FORMULAS,
    NAMES,
    Chances,
    Crossing,
    Meeting,
    apart,
    crossings,
    meetings,
    position_rows,
    series,
)
from analysis.probability import FLAG
from players.web.parameters import parse_integer
from players.web.rate_limits import visitor_of
from replays.odds.positions.budget import count_position, count_time
from replays.odds.positions.examples import EXAMPLES
from replays.odds.positions.points import CLOSE_UP, Note, PointSeries, point_chart
from replays.odds.positions.position_drawing import brushes, size_class, table_of
from replays.odds.positions.position_texts import advice_text, big_number, flags_text, percent, rule_text
from replays.odds.positions.positions import MAX_CELLS, Flags, PositionQuery, mines_of_density, read_rows
from replays.odds.positions.refusal import Refusal
from replays.odds.positions.results import PositionResult, evaluate

_SHOWN_MINES = 40  # of the position that the page of the 1 and the 2 links to
_CLOSE_UP_MINES = 7  # numbers of mines on each side of a close-up
_MOST_MINES = 10**9 - 1
_DRAWN_REFUSED = 900  # cells of a position that is refused; larger ones are told without a drawing


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of the deduction; ``marks`` is JSON for the script: the cells of each mark as pairs of row and column."""

    rule: str
    text: str
    marks: str


@dataclass(frozen=True, slots=True)
class Share:
    mines: int
    chance: float
    percent: str


@require_safe
def tools(request: HttpRequest) -> HttpResponse:
    return render(request, "replays/odds/positions/tools.html")


@require_safe
def probability(request: HttpRequest) -> HttpResponse:
    """Render the whole page, or only the result for htmx."""
    started = time.thread_time()
    query, found, refusal = EXAMPLES[0].query, None, None
    asked = "position" in request.GET
    text, mines = "\n".join(query.rows), str(query.mines)
    try:
        if asked:
            text, mines = request.GET["position"].replace("/", "\n"), request.GET.get("mines", "")
            query = PositionQuery(read_rows(text), 0)  # drawn if the parameters are refused
            count_position(request)
            query = _query(request, query.rows)
        found = evaluate(query, visitor=visitor_of(request)) if asked else _first_example()
    except Refusal as error:
        refusal = error
    context = {
        "query": query, "text": text, "mines": mines, "flags_ignored": request.GET.get("flags") == Flags.IGNORED,
        "table": table_of(query, found, refusal) if query.cells <= _most_drawn(refusal) else [],
        "size": size_class(query.rows), "refusal": refusal, "link": f"{reverse('tool-probability')}?{query.parameters}",
        "examples": EXAMPLES, "max_cells": MAX_CELLS, "signs": brushes(), **_result_context(found),
    }  # fmt: skip
    part = request.headers.get("HX-Request") == "true"
    status = refusal.http_status if refusal else 200
    response = render(
        request,
        "replays/odds/positions/_position.html" if part else "replays/odds/positions/probability.html",
        context,
        status=status,
    )
    patch_vary_headers(response, ["HX-Request"])
    if asked and _most_drawn(refusal):
        count_time(visitor_of(request), time.thread_time() - started)
    if refusal and refusal.retry_seconds is not None:
        response["Retry-After"] = str(refusal.retry_seconds)
    return response


def _most_drawn(refusal: Refusal | None) -> int:
    """Return how many cells may be drawn: none if visitor or site has no time left, since drawing costs the most."""
    if refusal is None:
        return MAX_CELLS
    return (
        0 if refusal.http_status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE) else _DRAWN_REFUSED
    )


@cache
def _first_example() -> PositionResult:
    """Charge the time to no visitor."""
    return evaluate(EXAMPLES[0].query)


def _query(request: HttpRequest, rows: tuple[str, ...]) -> PositionQuery:
    flags = request.GET.get("flags", Flags.TRUSTED.value)
    if flags not in list(Flags):
        raise Refusal("bad_flags")
    return PositionQuery(rows, _mines(request, rows), Flags(flags))


def _mines(request: HttpRequest, rows: tuple[str, ...]) -> int:
    text = request.GET.get("mines", "").strip()
    if text:
        try:
            return parse_integer(text, "mines", 0, _MOST_MINES)
        except ValueError as error:
            raise Refusal("bad_mines") from error
    try:
        density = float(request.GET.get("density", ""))
    except ValueError as error:
        raise Refusal("no_mines") from error
    if not 0 <= density <= 1:  # also refuses NaN
        raise Refusal("no_mines")
    return mines_of_density(rows, density)


def _result_context(found: PositionResult | None) -> dict[str, object]:
    if found is None:
        return {"found": None}
    shown, power = big_number(found.layouts)
    return {
        "found": found,
        "layouts": str(found.layouts),
        "layouts_shown": shown,
        "layouts_power": power,
        "elsewhere": None if found.found.elsewhere is None else percent(found.found.elsewhere),
        "frontier": [
            Share(mines, chance, percent(chance)) for mines, chance in found.found.frontier_distribution.items()
        ],
        "safe_cells": int(found.found.certain_safe.sum()),
        "mine_cells": int(found.found.certain_mine.sum()),
        "flags": flags_text(found.flags) if (found.position.numbers == FLAG).any() else "",
        "advice": advice_text(found.advice) if found.advice else "",
        "steps": [
            StepView(rule_text(step.rule), step.sentence(_), json.dumps(step.marks)) for step in found.deduction.steps
        ],
    }


@require_safe
def one_and_two(request: HttpRequest) -> HttpResponse:
    chances = series()
    meet, cross = meetings(chances), crossings(chances)
    context = {
        "drawing": _drawing(chances, meet, cross),
        "formulas": FORMULAS,
        "figure": FIGURE,
        "meetings": [(one, _close_up(chances, one.names, one.mines)) for one in meet],
        "crossings": [
            (
                one,
                [(n, [(name, chances[n][name]) for name in one.names]) for n in (one.before, one.after)],
                _close_up(chances, one.names, one.nearest),
            )
            for one in cross
        ],
        "apart": apart(chances),
        "rows": [(n, [(chance, percent(float(chance))) for chance in of.values()]) for n, of in chances.items()],
        "link": f"{reverse('tool-probability')}?{PositionQuery(position_rows(), _SHOWN_MINES).parameters}",
        "shown_mines": _SHOWN_MINES,
    }
    return render(request, "replays/odds/positions/one_and_two.html", context)


def _drawing(chances: dict[int, Chances], meet: list[Meeting], cross: list[Crossing]) -> SafeString:
    notes = [Note(one.mines, float(one.chance), _("equal at n = %(n)s") % {"n": one.mines}, below=True) for one in meet]
    notes += [
        Note(
            one.nearest,
            float(chances[one.nearest][one.names[0]]),
            _("cross between %(before)s and %(after)s") % {"before": one.before, "after": one.after},
        )
        for one in cross
    ]
    return point_chart(
        [_points(chances, name) for name in NAMES],
        notes,
        title=_("The chance of a mine in A, B and C with 10 to 240 mines, one point per mine count."),
        across=_("n (mines on the board)"),
        up=_("chance of a mine"),
    )


def _close_up(chances: dict[int, Chances], names: tuple[str, str], mines: int) -> SafeString:
    near = {n: of for n, of in chances.items() if abs(n - mines) <= _CLOSE_UP_MINES}
    title = _("P(%(first)s) and P(%(second)s) around n = %(n)s.") % {"first": names[0], "second": names[1], "n": mines}
    return point_chart(
        [_points(near, name) for name in names], [], title=title, across="n", up=_("chance of a mine"), canvas=CLOSE_UP
    )


def _points(chances: dict[int, Chances], name: str) -> PointSeries:
    return PointSeries(NAMES.index(name), name, {n: float(of[name]) for n, of in chances.items()})
