"""How much the site holds, and what a replay is best at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Sum

from players.models import ALL_STYLES, PersonalBest, Player, SecondCount
from replays.models import Replay

#: Renewed every minute by beat; without beat a visitor waits for the count this often.
_TALLY_SECONDS = 900
_TALLY_KEY = "site:tally"


@dataclass(frozen=True, slots=True)
class Tally:
    """How much the site holds: analysed replays, those of them that rank, players."""

    replays: int
    ranked: int
    players: int


def tally() -> Tally:
    """The counts, some minutes old at most."""
    counts: Sequence[int] = cache.get_or_set(_TALLY_KEY, _counts, _TALLY_SECONDS) or ()
    return Tally(*counts)


def renew_tally() -> None:
    """Count now, so that no visitor has to wait for it: with ten million replays that takes a second."""
    cache.set(_TALLY_KEY, _counts(), _TALLY_SECONDS)


def _counts() -> list[int]:
    # Ranked games are added up from the counts of seconds, a table twenty times smaller.
    ranked = SecondCount.objects.filter(style=ALL_STYLES).aggregate(games=Sum("games"))["games"]
    return [Replay.objects.filter(status=Replay.Status.DONE).count(), ranked or 0, Player.objects.count()]


def held_bests(replay: Replay) -> list[PersonalBest]:
    """The personal bests that ``replay`` holds now."""
    return list(replay.personal_bests.all()) if replay.ranked else []
