"""The whole review of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from analysis.analyse import Analysis
from analysis.film import Film
from analysis.luck import Click, Luck, Sort, accuracy_of, needless_risk_of, pace_of, was_avoidable
from analysis.review.acts import acts_of
from analysis.review.annotations import Annotation, Kind
from analysis.review.judged_clicks import click_annotations
from analysis.review.timing import detours, slow_stretches

#: Version of the remarks; raise it whenever the review of any game may change.
REVIEW_VERSION: Final = 3
#: Guesses before it are told apart: who opens the board by quick guesses does not misread it.
OPENING_MS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Scores:
    """``accuracy`` is a percentage, ``needless_risk`` in coin flips, economy, route and pace are ratios; ``None`` = not
    defined for this game.  ``opening_guesses``, ``misreads``: clicks that took an avoidable risk, in the first two seconds
    and after them; both make the difference of accuracy to 100.
    """

    accuracy: float | None
    needless_risk: float | None
    opening_guesses: int
    misreads: int
    economy: float | None
    route: float | None
    pace: float | None


@dataclass(frozen=True, slots=True)
class Review:
    """``annotations``: in the order of their times.  ``is_complete``: there was time to look at all guesses."""

    annotations: tuple[Annotation, ...]
    scores: Scores
    is_complete: bool = True


def review_of(analysis: Analysis, film: Film, luck: Luck) -> Review:
    """The review of a game.

    ``film``: of ``analysis``.  ``luck``: of its recording; without clicks there are no remarks about guesses and no
    accuracy.
    """
    acts = [act for act, _board in acts_of(film)]
    avoidable = [click for click in luck.clicks if was_avoidable(click)]
    annotations = [
        *guess_annotations(luck.clicks),
        *click_annotations(film),
        *slow_stretches(film, acts),
        *detours(film, acts),
    ]
    return Review(
        tuple(sorted(annotations, key=lambda one: (one.time_ms, one.event, one.kind))),
        Scores(
            accuracy=accuracy_of(luck.clicks),
            needless_risk=needless_risk_of(luck.clicks),
            opening_guesses=sum(click.time_ms < OPENING_MS for click in avoidable),
            misreads=sum(click.time_ms >= OPENING_MS for click in avoidable),
            economy=analysis.values["corr"],
            route=analysis.values["gznt"],
            pace=pace_of([act.time_ms for act in acts if act.opens]),
        ),
        is_complete=luck.problem is None,
    )


def guess_annotations(clicks: Sequence[Click]) -> Iterator[Annotation]:
    for click in clicks:
        kind = _kind_of(click)
        if kind is not None:
            yield Annotation(
                kind, click.event, click.time_ms, click.cell, click.cells, risk=click.risk,
                least_risk=click.least_risk, rule=click.rule, survived=click.survived,
            )  # fmt: skip


def _kind_of(click: Click) -> Kind | None:
    if click.sort not in (Sort.GUESS, Sort.NEEDLESS):
        return None
    if click.risk == 1:
        return Kind.CERTAIN_MINE
    if click.sort is Sort.NEEDLESS:
        return Kind.NEEDLESS_GUESS
    return Kind.WORSE_GUESS if was_avoidable(click) else Kind.BEST_GUESS
