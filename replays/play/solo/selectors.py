from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.db.models import Q, QuerySet

from analysis.recording import LEVEL_SHAPES, Level
from players.db.keyset import Page, page_of
from players.leaderboards.boards import BoardKey
from players.leaderboards.ranks.count import place_of_player
from players.models import ALL_STYLES, PersonalBest, Player, User
from replays.models import Replay
from replays.play.models import LiveGame
from replays.play.models.games import RUNNING
from replays.play.sockets.visitors import Visitor

PAGE_SIZE: Final = 50
_UNSETTLED: Final = Q(replay=None) | Q(replay__status__in=[Replay.Status.QUEUED, Replay.Status.RUNNING])
#: Games on the page of a level.
LAST_GAMES: Final = 6
#: What lists and pages show; never the secret, except of :func:`game_detail`.
_LINE: Final = (
    "id", "user_id", "guest", "level", "rows", "columns", "mines", "rules", "commit", "state", "result", "reason", "created_at",
    "started_at", "ended_at", "time_ms", "bv", "counts", "replay_id",
)  # fmt: skip


def _own(user_id: int | None, guest: str) -> Q:
    return Q(user=user_id) if user_id is not None else Q(user=None, guest=guest) & ~Q(guest="")


def own_games(user: User | None, guest: str) -> QuerySet[LiveGame]:
    """Return games newest first."""
    return (
        LiveGame.objects.filter(_own(None if user is None else user.pk, guest))
        .only(*_LINE)
        .order_by("-created_at", "-id")
    )


def own_games_page(user: User | None, guest: str, cursor: str | None, size: int = PAGE_SIZE) -> Page[LiveGame]:
    """Return games newest first.  Raises ``players.db.keyset.BadCursor``."""
    return page_of(own_games(user, guest), ("-created_at", "-id"), cursor, size)


def last_games(user: User | None, guest: str, level: str) -> list[LiveGame]:
    """Return decided games alone."""
    decided = own_games(user, guest).filter(level=level, state=LiveGame.State.OVER).exclude(result="")
    return list(decided[:LAST_GAMES])


def decided_games(guest: str, most: int) -> int:
    """Count a guest's won and lost games of all levels, up to ``most``."""
    return own_games(None, guest).filter(state=LiveGame.State.OVER).exclude(result="")[:most].count() if guest else 0


def game_detail(game_id: uuid.UUID, user: User | None, guest: str) -> LiveGame | None:
    """The game: for everybody when it has ended, before that for its player; None for all others."""
    game = LiveGame.objects.select_related("user").filter(pk=game_id).first()
    if game is None or game.has_ended:
        return game
    own = game.user_id == user.pk if user is not None else game.user_id is None and bool(guest) and game.guest == guest
    return game if own else None


def is_running(game_id: uuid.UUID, visitor: Visitor) -> bool:
    """Return whether a process of the site plays this game of ``visitor``."""
    return LiveGame.objects.filter(RUNNING, _own(visitor.user_id, visitor.guest), pk=game_id).exists()


def game_of_replay(replay: Replay) -> LiveGame | None:
    return LiveGame.objects.filter(replay=replay.pk).first() if replay.evidence == Replay.Evidence.HERE else None


def best_time_ms(user: User | None, level: str) -> int | None:
    """The best ranked time of the account's player on a level, of all styles, in ms."""
    if user is None or level not in LEVEL_SHAPES or level == Level.CUSTOM:
        return None
    best = PersonalBest.objects.filter(player__user=user, statistic="time", style=ALL_STYLES, level=level)
    value = best.values_list("value", flat=True).first()
    return None if value is None else round(value * 1000)


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """Outcome of a decided game: its replay (0: none yet), its rank on the board of times (0: none), whether it is the best."""

    replay_id: int = 0
    rank: int = 0
    best: bool = False


def settled_outcomes(game_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, GameOutcome]:
    """Return the outcomes of those of the games to which nothing more happens; also of ones that were deleted."""
    open_ids = set(LiveGame.objects.filter(_UNSETTLED, pk__in=game_ids).values_list("pk", flat=True))
    return {game_id: game_outcome(game_id) for game_id in game_ids if game_id not in open_ids}


def game_outcome(game_id: uuid.UUID) -> GameOutcome:
    replay_id = LiveGame.objects.filter(pk=game_id).values_list("replay", flat=True).first()
    if replay_id is None:
        return GameOutcome()
    best = PersonalBest.objects.filter(replay=replay_id, statistic="time", style=ALL_STYLES).first()
    place = None if best is None else place_of_player(BoardKey(best.level, "time", ALL_STYLES), best.player_id)
    return GameOutcome(replay_id, 0 if place is None else place.place.rank, best is not None)


def player_name(user: User) -> str:
    """The name that games of the account are played under: of its player, or the user name."""
    return Player.objects.filter(user=user).values_list("name", flat=True).first() or user.username
