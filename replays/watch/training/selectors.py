from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from analysis.review import Annotation, Review
from players.models import User
from players.web.parameters import BadParameter
from players.web.rate_limits import visitor_of
from replays.models import NeedlessGuess, Replay, TrainingCard, TrainingDay
from replays.odds.luck.selectors import KnownSnapshot, analysed_or_404, known_snapshot
from replays.odds.positions.positions import Flags
from replays.odds.positions.refusal import Refusal
from replays.watch.review.selectors import PUZZLE_KINDS, replay_review
from replays.watch.training.schedule import FIRST, INTERVALS, LEARNED
from replays.watch.training.verdict import Verdict, verdict_on

#: Puzzles of one game, the first ones.
MOST_PUZZLES: Final = 50
#: Slips a day.
DAILY: Final = 10
#: Days of the chart.
MOST_DAYS: Final = 60


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The position before a slip, without flags, since they are what its player believed."""

    replay: Replay
    slip: Annotation
    known: KnownSnapshot

    @property
    def event(self) -> int:
        return self.slip.event

    @property
    def mines(self) -> int:
        return self.known.snapshot.mines

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(row.replace("F", ".").replace("?", ".") for row in self.known.snapshot.rows())

    def verdict(self, row: int, column: int) -> Verdict:
        """Judge an answer; raise ``BadParameter`` unless it is a closed cell."""
        rows = self.rows
        if not (0 <= row < len(rows) and 0 <= column < len(rows[0]) and rows[row][column] == "."):
            raise BadParameter({"cell": _("Choose a closed cell.")})
        assert self.known.found is not None  # noqa: S101 - puzzle_or_404 refuses others
        return verdict_on(self.known.found, (row, column))


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip of the set of today; ``box``: where it is, the first one for new ones."""

    replay_id: int
    event: int
    box: int


@dataclass(frozen=True, slots=True)
class Box:
    """``days``: after which its slips are asked again; None of those that are learned."""

    number: int
    days: int | None
    cards: int


@dataclass(frozen=True, slots=True)
class Training:
    """``slips``: what is left of the set of ``today``.  ``days``: the last ones with answers, oldest first."""

    today: date
    tried: int
    right: int
    slips: Sequence[Slip]
    boxes: Sequence[Box]
    days: Sequence[TrainingDay]


def puzzle_events(review: Review) -> list[int]:
    return [one.event for one in review.annotations if one.kind in PUZZLE_KINDS][:MOST_PUZZLES]


def puzzle_or_404(request: HttpRequest | Request, pk: int, event: int) -> Puzzle:
    """Raise ``Http404`` without such a slip, or the refusals of ``replays.odds.positions.budget``."""
    replay = analysed_or_404(request, pk)
    visitor = visitor_of(request)
    review = replay_review(replay, visitor)
    if event not in puzzle_events(review):
        raise Http404(_("This puzzle doesn't exist."))
    slip = next(one for one in review.annotations if one.event == event and one.kind in PUZZLE_KINDS)
    known = known_snapshot(replay, event=event, time_ms=None, flags=Flags.IGNORED, visitor=visitor)
    if known.found is None:
        raise Refusal("too_wide", http_status=422)
    return Puzzle(replay, slip, known)


def training_of(user: User, today: date) -> Training:
    """Five statements at most."""
    days = list(TrainingDay.objects.filter(user=user, day__lte=today).order_by("-day")[:MOST_DAYS])[::-1]
    now = days[-1] if days and days[-1].day == today else TrainingDay(day=today)
    counts = dict(TrainingCard.objects.filter(user=user).order_by().values_list("box").annotate(cards=Count("pk")))
    boxes = [
        Box(number, INTERVALS[number - 1] if number < LEARNED else None, counts.get(number, 0))
        for number in range(FIRST, LEARNED + 1)
    ]
    return Training(today, now.tried, now.right, slips_of(user, today, DAILY - now.tried), boxes, days)


def slips_of(user: User, today: date, most: int) -> list[Slip]:
    """Up to ``most`` slips: what is due, longest first; then new ones of the games that were uploaded last."""
    if most <= 0:
        return []
    its_own = Q(replay__player__user=user, replay__status=Replay.Status.DONE)
    cards = TrainingCard.objects.filter(its_own, user=user, due_on__lte=today).order_by("due_on", "pk")
    due = [Slip(card.replay_id, card.event, card.box) for card in cards[:most]]
    known = TrainingCard.objects.filter(user=user, replay=OuterRef("replay"), event=OuterRef("event"))
    news = NeedlessGuess.objects.filter(its_own, ~Exists(known), replay__luck_version__isnull=False)
    found = news.order_by("-replay", "event").values_list("replay_id", "event")[: most - len(due)]
    return due + [Slip(replay, event, FIRST) for replay, event in found]
