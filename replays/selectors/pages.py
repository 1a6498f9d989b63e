"""What only pages of the site read: how much there is, and what a replay is best at."""

from __future__ import annotations

from dataclasses import dataclass

from players.models import PersonalBest, Player
from replays.models import Replay


@dataclass(frozen=True, slots=True)
class Tally:
    """How much the site holds."""

    replays: int
    won: int
    players: int


def tally() -> Tally:
    """Counts of the whole site; three full counts, so callers keep the answer for a while."""
    done = Replay.objects.filter(status=Replay.Status.DONE)
    return Tally(done.count(), done.filter(win=True).count(), Player.objects.count())


def held_bests(replay: Replay) -> list[PersonalBest]:
    """The personal bests that ``replay`` holds now."""
    return list(replay.personal_bests.all()) if replay.ranked else []


def replays_of_player(player: Player, limit: int) -> list[Replay]:
    """The player's replays that were uploaded last, of those that are done."""
    rows = Replay.objects.filter(player=player, status=Replay.Status.DONE).defer("board", "findings", "reject_params")
    return list(rows.order_by("-id")[:limit])


def boards_of(ids: list[int]) -> dict[int, Replay]:
    """Replays with their boards, by id, for drawing."""
    return Replay.objects.only("board", "rows", "columns", "mines", "level", "bv", "op", "isl").in_bulk(ids)
