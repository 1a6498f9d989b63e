"""Games to compare a game with, by a word: the record, the player's best, the best before, the rival above."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.leaderboards.boards import ON_LEVEL, ORDER
from players.models import ALL_STYLES, PersonalBest
from players.profile.page.selectors import RankedBest
from replays.models import Replay


def _record(replay: Replay) -> int | None:
    return _board(replay).order_by(*ORDER).values_list("replay_id", flat=True).first()


def _best(replay: Replay) -> int | None:
    if replay.player_id is None:
        return None
    return _board(replay).filter(player=replay.player_id).values_list("replay_id", flat=True).first()


def _before(replay: Replay) -> int | None:
    if replay.player_id is None or replay.achieved_at is None:
        return None
    theirs = Replay.objects.filter(player=replay.player_id, level=replay.level, ranked=True)
    earlier = Q(achieved_at__lt=replay.achieved_at) | Q(achieved_at=replay.achieved_at, pk__lt=replay.pk)
    return theirs.filter(earlier).order_by("time_ms", "pk").values_list("pk", flat=True).first()


def _above(replay: Replay) -> int | None:
    time = replay.statistic("time")
    if time is None:
        return None
    faster = _board(replay).filter(rank_key__lt=time)
    if replay.player_id is not None:
        faster = faster.exclude(player=replay.player_id)
    return faster.order_by(*(f"-{name}" for name in ORDER)).values_list("replay_id", flat=True).first()


#: Finders by word, in the order in which pages offer them.
PICKS: Final[dict[str, Callable[[Replay], int | None]]] = {
    "record": _record, "best": _best, "before": _before, "above": _above,
}  # fmt: skip
TITLES: Final[dict[str, str | Promise]] = {
    "record": _("site record"), "best": _("personal best"), "before": _("previous best"),
    "above": _("rival ranked just above"),
}  # fmt: skip


def _board(replay: Replay) -> QuerySet[PersonalBest]:
    return PersonalBest.objects.filter(statistic="time", level=replay.level, style=ALL_STYLES)


def picked(replay: Replay, word: str) -> int | None:
    """Return None if there is none but ``replay`` itself."""
    found = PICKS[word](replay) if replay.level in ON_LEVEL else None
    return None if found == replay.pk else found


def offered(replay: Replay, best_time: RankedBest | None) -> list[str]:
    """The words that may lead somewhere, as far as ``best_time``, the player's best on the level, tells without asking."""
    if replay.level not in ON_LEVEL:
        return []
    is_best = best_time is not None and best_time.replay_id == replay.pk
    leads = {
        "record": not (is_best and best_time is not None and best_time.rank == 1),
        "best": best_time is not None and not is_best,
        "before": replay.player_id is not None and replay.ranked,
        "above": bool(replay.win) and not (is_best and best_time is not None and best_time.rank == 1),
    }
    return [word for word, is_likely in leads.items() if is_likely]
