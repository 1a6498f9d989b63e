from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from django.db.models import Count, QuerySet

from players.db.keyset import Page, page_of
from players.models import Player, User
from replays.models import Replay

PAGE_SIZE: Final = 50
#: The count in the navigation ends here; beyond, it says "or more".
MOST_COUNTED: Final = 99
_CACHE_SECONDS: Final = 300
_LINE: Final = (
    "level", "style", "status", "result", "original_name", "uploaded_at", "time", "time_precision_ms", "bv", "bvs",
    "identifier", "ownership", "uploader__username", "player__name", "player__is_bot",
)  # fmt: skip


def games_of_owner(owner: User) -> QuerySet[Replay]:
    """The analysed replays under the names of ``owner``."""
    players = Player.objects.filter(user=owner).values("pk")
    return Replay.objects.filter(player__in=players, status=Replay.Status.DONE)


def asked_page(
    owner: User, ownership: str = Replay.Ownership.WAITING, cursor: str | None = None, size: int = PAGE_SIZE
) -> Page[Replay]:
    """Replays under the names of ``owner`` with this answer, newest first.  Raises ``players.db.keyset.BadCursor``."""
    rows = games_of_owner(owner).filter(ownership=ownership).select_related("player", "uploader").only(*_LINE)
    return page_of(rows, ("-id",), cursor, size)


@dataclass(frozen=True, slots=True)
class Uploader:
    """Uploader of games that wait, with their number; ``id`` is None if the account does not exist any more."""

    id: int | None
    name: str
    games: int


def uploaders_waiting(owner: User) -> list[Uploader]:
    """Count the replays that wait for ``owner`` by uploader, most replays first."""
    waiting = games_of_owner(owner).filter(ownership=Replay.Ownership.WAITING).order_by()
    counts = waiting.values_list("uploader", "uploader__username").annotate(games=Count("id")).order_by("-games")
    return [Uploader(pk, name or "", games) for pk, name, games in counts[:PAGE_SIZE]]


# --- the count in the navigation --------------------------------------------------------------------------------------


def waiting_count(user: User) -> int:
    """Count the replays that wait for ``user``, at most :data:`MOST_COUNTED` + 1; the count may be some minutes old."""
    found: int | None = cache.get(_cache_key(user.pk))
    if found is None:
        waiting = games_of_owner(user).filter(ownership=Replay.Ownership.WAITING)
        found = len(waiting.order_by().values_list("pk")[: MOST_COUNTED + 1])
        cache.set(_cache_key(user.pk), found, _CACHE_SECONDS)
    return found


def clear_waiting_count(user_id: int) -> None:
    cache.delete(_cache_key(user_id))


def _cache_key(user_id: int) -> str:
    return f"ownership:waiting:{user_id}"
