"""Sub-N: which N there are, and a player's ladder.  ``players.time_convention`` says what sub-N means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from analysis.limits import MAX_TIME_MS
from players.boards import UnknownBoard, checked_level, checked_style
from players.models import ALL_STYLES, Player, SecondCount
from players.questions import Later, Question
from players.time_convention import best_sub, second

MIN_SUB: Final = 2  # a sub-1 game would have ended before its first second
MAX_SUB: Final = best_sub(second(MAX_TIME_MS))
LADDER_STEPS: Final = 100


def checked_sub(n: int) -> int:
    """``n`` if a game can be sub-``n``; raises :class:`UnknownBoard`."""
    if not MIN_SUB <= n <= MAX_SUB:
        raise UnknownBoard(_("N must lie between %(least)d and %(most)d.") % {"least": MIN_SUB, "most": MAX_SUB})
    return n


# --- the ladder -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SubStep:
    """What a player has below ``n``: the number of games, and the first of them."""

    n: int
    first_at: datetime
    replay_id: int
    games: int
    games_in_second: int  # 0 where the player skipped a second


def sub_ladder(player: Player, level: str, style: str = ALL_STYLES, *, limit: int = LADDER_STEPS) -> list[SubStep]:
    """Every N from the player's lowest on, ``limit`` steps at most; raises ``UnknownBoard``."""
    counts = SecondCount.objects.filter(player=player, level=checked_level(level), style=checked_style(style))
    return _ladder(counts.order_by("second")[:limit], limit)


def sub_ladders(player: Player, style: str = ALL_STYLES, *, limit: int = LADDER_STEPS) -> dict[str, list[SubStep]]:
    """The ladders of every level on which the player has one, in one statement."""
    return ask_sub_ladders(player.pk, style, limit=limit)()


def ask_sub_ladders(
    player: int, style: str = ALL_STYLES, *, limit: int = LADDER_STEPS
) -> Later[dict[str, list[SubStep]]]:
    """:func:`sub_ladders` of the player with that id, later."""
    rows = _SECONDS.ask(player=player, style=checked_style(style))
    return lambda: {
        level: _ladder((_Second(*count) for _level, *count in counts), limit)
        for level, counts in groupby(rows(), itemgetter(0))
    }


class _Second(NamedTuple):
    """The columns of ``SecondCount`` that a ladder takes."""

    second: int
    games: int
    first_at: datetime
    first_replay_id: int


_SECONDS: Final = Question(
    lambda player, style: SecondCount.objects.filter(player=player, style=style).order_by("level", "second").values_list(
        "level", *_Second._fields
    )
)  # fmt: skip


def _ladder(counts: Iterable[Any], limit: int) -> list[SubStep]:
    steps: list[SubStep] = []
    for count in counts:
        games, first = count.games, (count.first_at, count.first_replay_id)
        if steps:
            last = steps[-1]
            missing = range(last.n + 1, best_sub(count.second))
            steps.extend(SubStep(n, last.first_at, last.replay_id, last.games, 0) for n in missing[:limit])
            games, first = last.games + games, min((last.first_at, last.replay_id), first)
        steps.append(SubStep(best_sub(count.second), *first, games, count.games))
        if len(steps) >= limit:
            break
    return steps[:limit]
