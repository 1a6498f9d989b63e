from __future__ import annotations

from functools import partial
from typing import Final

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from analysis.answers import review_of_file
from analysis.deduction import Rule
from analysis.review import Kind, Review
from players.db.keyset import Page, page_of
from players.models import Player
from replays.models import NeedlessGuess, Replay
from replays.odds.luck.selectors import file_of, kept_answer
from replays.odds.positions.budget import calculate_for

PAGE_SIZE: Final = 30
#: Rules by which a safe cell can be seen; "" of a stored guess: none was found within the limits.
RULES: Final = tuple(rule.value for rule in Rule if rule is not Rule.GUESS)
#: Slips of judgement: what was right can be told from the position before them (``replays.watch.training``).
PUZZLE_KINDS: Final = (Kind.CERTAIN_MINE, Kind.NEEDLESS_GUESS, Kind.WORSE_GUESS)
#: Time for the guesses of one game, by the clock; beyond it the review has no remarks on them.
_MAX_SECONDS: Final = 0.7


def replay_review(replay: Replay, visitor: str = "") -> Review:
    """The review of an analysed replay, at the cost of ``visitor``.

    Raises ``Http404`` if the file is lost, or the refusals of ``replays.odds.positions.budget``.
    """
    review = partial(review_of_file, max_seconds=_MAX_SECONDS)
    kernels = ("analysis", "film", "luck")
    found: Review = kept_answer(
        replay,
        "review",
        lambda: calculate_for(visitor, review, file_of(replay), kernels=kernels),
        is_final=lambda found: found.is_complete,
    )
    return found


def needless_page(player: Player, rule: str | None, cursor: str | None, size: int = PAGE_SIZE) -> Page[Replay]:
    """Games of ``player`` with needless guesses, the last uploaded first, each with its guesses in ``shown_needless``.

    ``rule``: only guesses beside which this rule shows a safe cell.  Two statements.
    """
    guesses: QuerySet[NeedlessGuess] = NeedlessGuess.objects.filter(is_needless=True).order_by("event")
    if rule:
        guesses = guesses.filter(rule=rule)
    rows = Replay.objects.filter(
        Exists(guesses.filter(replay=OuterRef("pk")).order_by()),
        player=player,
        status=Replay.Status.DONE,
        luck_version__isnull=False,
    )
    shown = Prefetch("needless", guesses, to_attr="shown_needless")
    return page_of(rows.prefetch_related(shown), ["-id"], cursor, size)
