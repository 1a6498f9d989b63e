from __future__ import annotations

from datetime import datetime, time, timedelta

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from players.web.charts.plot import Plot
from players.web.errors import handle_bad_addresses
from players.web.parameters import BadParameter, parse_integer
from players.web.users import required_user, signed_in_user
from replays.odds.positions.budget import count_position
from replays.odds.positions.position_drawing import CellView, size_class, table_of
from replays.odds.positions.position_texts import percent, rule_text
from replays.odds.positions.positions import Flags, PositionQuery
from replays.odds.positions.refusal import Refusal
from replays.watch.training.selectors import Puzzle, Training, puzzle_or_404, training_of
from replays.watch.training.services import answer_store
from replays.watch.training.verdict import Cell, Verdict

_MOST_SIDE = 10_000


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@handle_bad_addresses
def replay_puzzle(request: HttpRequest, pk: int, event: int) -> HttpResponse:
    """Show a slip as a puzzle; POST judges the ``cell``, and shows what could be known."""
    try:
        count_position(request)
        puzzle = puzzle_or_404(request, pk, event)
    except Refusal as refusal:
        response = render(
            request, "replays/watch/training/puzzle.html", {"refusal": str(refusal)}, status=refusal.http_status
        )
        if refusal.retry_seconds is not None:
            response["Retry-After"] = str(refusal.retry_seconds)
        return response
    context: dict[str, object] = {"replay": puzzle.replay, "event": event, "mines": puzzle.mines}
    if request.method == "POST":
        context |= _answered(request, puzzle, _chosen(request.POST.get("cell", "")))
    else:
        context["table"] = [
            [(f"{row},{column}" if one.symbol == "." else "", one) for column, one in enumerate(line)]
            for row, line in enumerate(_cells(puzzle))
        ]  # each with the value of its button, "" if it is open
    context["size"] = size_class(puzzle.rows)
    return render(request, "replays/watch/training/puzzle.html", context)


def _chosen(text: str) -> Cell:
    try:
        row, column = (parse_integer(part, "cell", 0, _MOST_SIDE) for part in text.split(","))
    except ValueError as error:
        raise BadParameter({"cell": _("Choose a closed cell.")}) from error
    return row, column


def _cells(puzzle: Puzzle) -> list[list[CellView]]:
    return table_of(PositionQuery(puzzle.rows, puzzle.mines, Flags.IGNORED))


def _answered(request: HttpRequest, puzzle: Puzzle, cell: Cell) -> dict[str, object]:
    verdict = puzzle.verdict(*cell)
    user, today, following = signed_in_user(request), timezone.localdate(), None
    if user is not None:
        answer_store(user, puzzle.replay, puzzle.event, right=verdict.right, today=today)
        left = [
            one
            for one in training_of(user, today).slips
            if (one.replay_id, one.event) != (puzzle.replay.pk, puzzle.event)
        ]
        following = left[0] if left else None
    table = [
        [("", _marked(one, (row, column), cell, verdict)) for column, one in enumerate(line)]
        for row, line in enumerate(_cells(puzzle))
    ]
    return {
        "verdict": verdict, "table": table, "following": following, "risk": percent(verdict.risk),
        "least": percent(verdict.least_risk),
        "steps": [(rule_text(step.rule), step.sentence(_)) for step in puzzle.steps],
    }  # fmt: skip


def _marked(view: CellView, place: Cell, chosen: Cell, verdict: Verdict) -> CellView:
    shown, classes, label = view.shown, view.classes, view.label
    if place in verdict.best:
        shown, classes = "✓", f"{classes} safe"
        label = f"{label}, {_('safe') if verdict.provable else _('lowest risk')}"
    if place == chosen:
        shown, classes = ("✓" if verdict.right else "✕"), f"{classes} {'advised' if verdict.right else 'wrong'}"
        label = f"{label}, {_('your choice')}"
    return CellView(view.symbol, shown, classes, label)


@login_required
@never_cache
@require_safe
def training(request: HttpRequest) -> HttpResponse:
    found = training_of(required_user(request), timezone.localdate())
    return render(request, "replays/watch/training/training.html", {"training": found, "chart": _chart(found)})


def _chart(found: Training) -> SafeString:
    if not found.days:
        return SafeString("")
    zone = timezone.get_current_timezone()

    def begin(one: object) -> float:
        return datetime.combine(one, time(), zone).timestamp()  # type: ignore[arg-type]

    first, end = begin(min(found.days[0].day, found.today - timedelta(days=13))), begin(found.today + timedelta(days=1))
    plot = Plot((first, end), (0, max(one.tried for one in found.days)))
    plot.value_axis(lambda value, decimals: f"{value:.{decimals}f}", whole=True)
    plot.bottom_dates(datetime.fromtimestamp(first, zone))
    spans = [(begin(one.day), begin(one.day + timedelta(days=1)), one) for one in found.days]
    plot.bars((left, right, one.tried) for left, right, one in spans)
    plot.bars(((left, right, one.right) for left, right, one in spans), "bars inner")
    return plot.svg(_("Slips you retried each day, and how many you got right."))
