from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from analysis.deduction import Rule
from analysis.review import KINDS, OPENING_MS, Annotation, Scores, Weight
from analysis.time_convention import MS_PER_SECOND, number_text
from players.leaderboards.pages.board_texts import level_text
from players.people.selectors import player_of_id
from players.web.errors import handle_bad_addresses
from players.web.parameters import CURSOR, choice, form_of
from players.web.rate_limits import visitor_of
from replays.models import NeedlessGuess
from replays.odds.luck.selectors import analysed_or_404
from replays.odds.positions.position_texts import cell_text, rule_text
from replays.odds.positions.refusal import Refusal
from replays.watch.review import review_texts
from replays.watch.review.selectors import PUZZLE_KINDS, RULES, needless_page, replay_review
from replays.watch.standing.selectors import Share, score_shares


@dataclass(frozen=True, slots=True)
class Line:
    """``seconds``: since the opening, at least 0.  ``puzzle``: it can be tried (``replays.watch.training``)."""

    kind: str
    weight: str
    weight_text: str
    mark: str
    title: str
    detail: str
    outcome: str
    where: str
    event: int
    seconds: float
    puzzle: bool


@dataclass(frozen=True, slots=True)
class Group:
    kind: str
    weight: str
    mark: str
    title: str
    lines: list[Line]


@dataclass(frozen=True, slots=True)
class Count:
    weight: str
    mark: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Number:
    title: str
    value: str
    text: str
    share: Share | None


@dataclass(frozen=True, slots=True)
class Moment:
    """A needless guess in a list: seconds since the opening, and a sentence."""

    seconds: float
    text: str


#: The worst kind first.
_ORDER = {kind: place for place, kind in enumerate(KINDS)}
#: Weights that are no fault of the player.
_ASIDE = (Weight.HINT.value, Weight.FACT.value)

NeedlessForm = form_of(choice("rule", RULES), CURSOR)


@require_safe
@vary_on_headers("HX-Request")
def replay_review_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the section of the replay's page for htmx, else a page of its own."""
    replay = analysed_or_404(request, pk)
    part = bool(getattr(request, "htmx", False))
    context: dict[str, object] = {"replay": replay, "part": part}
    status = 200
    try:
        review = replay_review(replay, visitor_of(request))
    except Refusal as refusal:
        context["refusal"], status = str(refusal), 200 if part else refusal.http_status
    else:
        lines = _lines(one for one in review.annotations if not is_opening(one))
        faults = [line for line in lines if line.weight not in _ASIDE]
        shares = score_shares(replay)
        context |= {
            "level": level_text(replay.level), "accuracy_share": shares.get("accuracy"),
            "faults": _groups(faults), "slips": len(faults),
            "asides": _groups(line for line in lines if line.weight in _ASIDE),
            "opening": _lines(one for one in review.annotations if is_opening(one)),
            "counts": _counts(review.annotations), "scores": review.scores, "numbers": _numbers(review.scores, shares),
        }  # fmt: skip
    return render(
        request,
        "replays/watch/review/_review.html" if part else "replays/watch/review/review.html",
        context,
        status=status,
    )


def is_opening(one: Annotation) -> bool:
    """Guesses of the first seconds are how a game is opened, and no misreading."""
    return one.risk is not None and one.time_ms < OPENING_MS


def _groups(lines: Iterable[Line]) -> list[Group]:
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(line.kind, []).append(line)
    return [Group(kind, of[0].weight, of[0].mark, of[0].title, of) for kind, of in groups.items()]


def _lines(annotations: Iterable[Annotation]) -> list[Line]:
    return [
        Line(
            kind=one.kind.value,
            weight=one.weight.value,
            weight_text=_(review_texts.WEIGHTS[one.weight]),
            mark=review_texts.MARKS[one.weight],
            title=review_texts.title(one.kind),
            detail=review_texts.detail(one),
            outcome=review_texts.outcome(one),
            where="" if one.cell is None else cell_text(*one.cell),
            event=one.event,
            seconds=max(one.time_ms, 0) / MS_PER_SECOND,
            puzzle=one.kind in PUZZLE_KINDS,
        )
        for one in sorted(annotations, key=lambda one: (_ORDER[one.kind], one.time_ms))
    ]


def _counts(annotations: Iterable[Annotation]) -> list[Count]:
    """Count the remarks of each weight that occurs, from the worst down."""
    numbers = Counter(one.weight for one in annotations)
    return [
        Count(
            weight.value, review_texts.MARKS[weight], numbers[weight], review_texts.count_text(weight, numbers[weight])
        )
        for weight in Weight
        if numbers[weight]
    ]


def _numbers(scores: Scores, shares: Mapping[str, Share]) -> list[Number]:
    flips = "–" if scores.needless_risk is None else number_text(scores.needless_risk, 2)
    return [
        Number(_("Needless risk"), flips, _("How much more risk you took than with the safest clicks available, in coin flips."), shares.get("needless_risk")),
        Number(_("Useful clicks"), _ratio(scores.economy), _("The share of clicks that changed the board."), shares.get("corr")),
        Number(_("Route efficiency"), _ratio(scores.route), _("Greedy ZiNi clicks per effective click you made."), shares.get("gznt")),
        Number(_("Pace"), _ratio(scores.pace), _("The share of the time that wasn't lost in slow stretches."), shares.get("pace")),
    ]  # fmt: skip


def _ratio(value: float | None) -> str:
    return "–" if value is None else number_text(value, 3)


@require_safe
@handle_bad_addresses
def needless_guesses(request: HttpRequest, pk: int) -> HttpResponse:
    player = player_of_id(pk)
    values = NeedlessForm(request.GET).values()
    page = needless_page(player, values["rule"], values["cursor"])
    rules = [(name, rule_text(Rule(name))) for name in RULES]
    games = [
        (replay, [_moment(guess) for guess in replay.shown_needless])  # type: ignore[attr-defined]  # prefetched
        for replay in page.rows
    ]
    context = {"player": player, "page": page, "games": games, "rules": rules, "rule": values["rule"] or ""}
    return render(request, "replays/watch/review/needless.html", context)


def _moment(guess: NeedlessGuess) -> Moment:
    rule = rule_text(Rule(guess.rule)) if guess.rule else _("a more complex deduction")
    text = _("risk %(risk)s%%; safe cell found by: %(rule)s") % {"risk": f"{100 * guess.risk:.3g}", "rule": rule}
    return Moment(guess.time_ms / MS_PER_SECOND, text)
