"""What only pages of the site read: how much there is, and what a replay is best at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import Sum

from players.cached import cached, keep
from players.models import ALL_STYLES, PersonalBest, Player, SecondCount
from players.questions import Question
from replays.models import Replay

#: Made anew by the clock every minute; without a clock a visitor waits for it this often.
_TALLY_KEPT_SECONDS = 900
_TALLY_KEY = "site:tally"


@dataclass(frozen=True, slots=True)
class Tally:
    """How much the site holds: analysed replays, those of them that rank, players."""

    replays: int
    ranked: int
    players: int


def tally() -> Tally:
    """The counts of a moment ago."""
    return cached(_TALLY_KEY, _TALLY_KEPT_SECONDS, _counted)


def tally_renew() -> None:
    """Count now, so that no visitor has to wait for it: with ten million replays that takes a second."""
    keep(_TALLY_KEY, _TALLY_KEPT_SECONDS, _counted())


def _counted() -> Tally:
    # Ranked games are added up from the counts of seconds, a table twenty times smaller.
    ranked = SecondCount.objects.filter(style=ALL_STYLES).aggregate(games=Sum("games"))["games"]
    return Tally(Replay.objects.filter(status=Replay.Status.DONE).count(), ranked or 0, Player.objects.count())


def held_bests(replay: Replay) -> list[PersonalBest]:
    """The personal bests that ``replay`` holds now."""
    return list(replay.personal_bests.all()) if replay.ranked else []


class Drawn(NamedTuple):
    """The board of a replay; see ``Replay``."""

    level: str
    bv: int
    packed: bytes
    rows: int
    columns: int


def board_drawn(replay_id: int) -> Drawn | None:
    """The board of the replay ``replay_id``, if it is there and analysed."""
    rows = _BOARD.ask(replay_id=replay_id)()
    if not rows:
        return None
    level, bv, packed, height, width = rows[0]
    return Drawn(level, bv, bytes(packed), height, width)


_BOARD: Final = Question(
    lambda replay_id: Replay.objects.filter(pk=replay_id, board__isnull=False).values_list(
        "level", "bv", "board", "rows", "columns"
    )
)
