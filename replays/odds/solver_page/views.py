from __future__ import annotations

import time
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.solver import Rules, Strength
from analysis.solver.match import BINS
from analysis.solver.stages import Stage
from players.leaderboards.boards import GAME_LEVELS
from players.web.parameters import BadParameter
from players.web.rate_limits import visitor_of
from replays.odds.positions.budget import count_position, count_time
from replays.odds.positions.refusal import Refusal
from replays.odds.solver_page.selectors import (
    MAX_SEED,
    PUBLISHED,
    PUBLISHED_TENTHS,
    RULES,
    GameQuery,
    SolverForm,
    first_game,
    measured_stages,
    played_game,
)
from replays.odds.solver_page.solver_drawing import Playback, playback_of
from replays.odds.solver_page.solver_texts import rules_text, stage_text


@dataclass(frozen=True, slots=True)
class StageRow:
    """A row of the table; shares are in percent."""

    stage: Stage
    name: str
    win_rate: float
    low: float
    high: float
    published: str | None


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the histogram: games that ended with ``begin`` to ``end`` percent of the safe cells open, in percent of
    all games; ``published``: the same of xienaoban's program, a range of ten percent.  ``end`` is ``None`` for won games.
    """

    begin: int
    end: int | None
    share: float
    published: tuple[int, int]


@require_safe
def solver(request: HttpRequest) -> HttpResponse:
    """Show one step of a game; requests count towards the same limits as the probability tool."""
    values, errors = SolverForm(request.GET).read()
    query = GameQuery.of(values)
    playback: Playback | None = None
    status, wait = 200, 0
    try:
        if request.GET:
            count_position(request)
        if errors:
            raise BadParameter(errors)
        course = played_game(query, visitor_of(request)) if request.GET else first_game()
        started = time.thread_time()
        playback = playback_of(course, query.rules)
        if request.GET:
            count_time(visitor_of(request), time.thread_time() - started)
    except BadParameter as error:
        errors, status = error.errors, 400
    except Refusal as error:
        errors, status = {"": str(error)}, error.http_status
        wait = error.retry_seconds or 0
    context = {
        "query": query,
        "errors": errors,
        "levels": GAME_LEVELS,
        "rules": [(rules.value, rules_text(rules)) for rules in RULES],
        "stages": [(stage.value, stage_text(stage)) for stage in Strength],
        "max_seed": MAX_SEED,
        "tables": [(rules, rules_text(rules), _rows(rules)) for rules in RULES],
        "bars": _bars(query),
        "bars_published": query.rules is Rules.XP and query.stage is Strength.FULL,
        "bars_title": (stage_text(query.stage), rules_text(query.rules)),
        **(_playback_context(playback, query, min(values["step"], playback.last_step)) if playback else {}),
    }
    response = render(request, "replays/odds/solver_page/solver.html", context, status=status)
    if wait:
        response["Retry-After"] = str(wait)
    return response


def _playback_context(playback: Playback, query: GameQuery, step: int) -> dict[str, object]:
    link = f"{reverse('tool-solver')}?{query.parameters}"
    return {
        "playback": playback,
        "for_script": playback.for_script(),
        "table": playback.table(step),
        "step": step,
        "words": playback.words(step),
        "facts": playback.facts(step),
        "link": link,
        "before": f"{link}&{urlencode({'step': step - 1})}" if step else "",
        "after": f"{link}&{urlencode({'step': step + 1})}" if step < playback.last_step else "",
        "other_game": replace(query, seed=(query.seed + 1) % MAX_SEED).parameters,
    }


def _rows(rules: Rules) -> list[StageRow]:
    return [
        StageRow(
            stage,
            stage_text(stage.match.strength),
            100 * stage.score.win_rate,
            100 * stage.score.interval[0],
            100 * stage.score.interval[1],
            PUBLISHED.get((rules, stage.match.strength)),
        )
        for stage in measured_stages()
        if stage.match.rules is rules
    ]


def _bars(query: GameQuery) -> list[Bar]:
    """The histogram of the stage and the rules of the page: lost games by tenths, then won games."""
    score = next(
        stage.score
        for stage in measured_stages()
        if (stage.match.rules, stage.match.strength) == (query.rules, query.stage)
    )
    width = 100 // BINS
    counts = [*score.lost_explored, score.wins]
    return [
        Bar(
            place * width,
            (place + 1) * width if place < BINS else None,
            100 * count / score.games,
            (10 * (tenths - 1), 10 * tenths),
        )
        for place, (count, tenths) in enumerate(zip(counts, PUBLISHED_TENTHS, strict=True))
    ]
