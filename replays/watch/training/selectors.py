from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Cast
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from analysis.deduction import Conclusion, needed_steps
from analysis.review import Annotation
from players.models import User
from players.web.parameters import BadParameter
from players.web.rate_limits import visitor_of
from replays.models import NeedlessGuess, Replay, TrainingCard, TrainingDay
from replays.odds.luck.selectors import KnownSnapshot, analysed_or_404, known_snapshot
from replays.odds.positions.positions import MAX_CELLS, Flags
from replays.odds.positions.refusal import Refusal
from replays.watch.review.selectors import PUZZLE_KINDS, replay_review
from replays.watch.training.schedule import FIRST, INTERVALS, LEARNED
from replays.watch.training.verdict import Verdict, verdict_on

#: Slips a day.
DAILY: Final = 10
#: Columns of the game of a slip that lists show.
SHOWN: Final = ("replay__level", "replay__time", "replay__time_precision_ms")
#: Days of the chart.
MOST_DAYS: Final = 60
#: Cards of games that are the account's still; a name, and its games with it, may go to another one.
_ITS_GAME: Final = Q(replay__player__user=F("user"), replay__status=Replay.Status.DONE)
_CELLS: Final = Cast("replay__rows", IntegerField()) * F("replay__columns")  # two small integers would overflow


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

    @property
    def steps(self) -> tuple[Conclusion, ...]:
        return needed_steps(self.known.deduction.steps) if self.known.deduction else ()

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

    replay: Replay  # with ``SHOWN`` alone
    event: int
    time_ms: int | None  # of the slip, since the opening; None if it is none by today's rules
    box: int

    @property
    def replay_id(self) -> int:
        return self.replay.pk

    @property
    def time(self) -> float | None:
        return None if self.time_ms is None else self.time_ms / 1_000


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


def puzzle_or_404(request: HttpRequest, pk: int, event: int) -> Puzzle:
    """Raise ``Http404`` without such a slip, or the refusals of ``replays.odds.positions.budget``."""
    replay = analysed_or_404(request, pk)
    visitor = visitor_of(request)
    remarks = replay_review(replay, visitor).annotations
    slip = next((one for one in remarks if one.event == event and one.kind in PUZZLE_KINDS), None)
    if slip is None:
        raise Http404(_("This puzzle doesn't exist."))
    known = known_snapshot(replay, event=event, time_ms=None, flags=Flags.IGNORED, visitor=visitor)
    if known.found is None:
        raise Refusal("too_wide")
    return Puzzle(replay, slip, known)


def training_of(user: User, today: date) -> Training:
    """Five statements at most."""
    days = list(TrainingDay.objects.filter(user=user, day__lte=today).order_by("-day")[:MOST_DAYS])[::-1]
    now = days[-1] if days and days[-1].day == today else TrainingDay(day=today)
    cards = TrainingCard.objects.filter(_ITS_GAME, user=user)
    counts = dict(cards.order_by().values_list("box").annotate(cards=Count("pk")))
    boxes = [
        Box(number, INTERVALS[number - 1] if number < LEARNED else None, counts.get(number, 0))
        for number in range(FIRST, LEARNED + 1)
    ]
    return Training(today, now.tried, now.right, slips_of(user, today, DAILY - now.tried), boxes, days)


def slips_of(user: User, today: date, most: int) -> list[Slip]:
    """Up to ``most`` slips: what is due, longest first; then new ones of the games that were uploaded last."""
    if most <= 0:
        return []
    cards = TrainingCard.objects.filter(_ITS_GAME, user=user, due_on__lte=today).order_by("due_on", "pk")
    guess = NeedlessGuess.objects.filter(replay=OuterRef("replay"), event=OuterRef("event"))
    cards = cards.select_related("replay").only("event", "box", *SHOWN)
    timed = cards.annotate(time_ms=Subquery(guess.values("time_ms")))
    due = [Slip(card.replay, card.event, card.time_ms, card.box) for card in timed[:most]]
    known = TrainingCard.objects.filter(user=user, replay=OuterRef("replay"), event=OuterRef("event"))
    news = NeedlessGuess.objects.alias(cells=_CELLS).filter(
        ~Exists(known), replay__player__user=user, replay__status=Replay.Status.DONE, replay__luck_version__isnull=False,
        cells__lte=MAX_CELLS,
    )  # fmt: skip
    found = (
        news.select_related("replay").only("event", "time_ms", *SHOWN).order_by("-replay", "event")[: most - len(due)]
    )
    return due + [Slip(one.replay, one.event, one.time_ms, FIRST) for one in found]
