from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from django.core.cache import cache, caches
from django.db.models import Sum
from django.http import Http404
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from analysis import warmup
from analysis.board import board_facts
from analysis.film.moments import FLAGGED, faces_after
from analysis.recording import Level
from players.leaderboards.boards import BoardKey
from players.leaderboards.pages.board_texts import level_text
from players.leaderboards.ranks.rows import BoardRow
from players.leaderboards.ranks.stored import Top, first_final_rows
from players.models import ALL_STYLES, Player, SecondCount
from replays.browse.home.drawings import finished_board, first_opening, started_board
from replays.models import Replay
from replays.models.file_store import StoreUnreachableError
from replays.play.models import Room
from replays.watch.film.selectors import film_of_replay, film_version

T = TypeVar("T")
#: Beat refreshes the counts every minute; without beat a visitor waits for them when they have expired.
_CACHE_SECONDS = 900
_CACHE_KEY = "site:counts"
_DRAWING_SECONDS = 24 * 60 * 60
#: The levels whose fastest games are shown.
_LEVELS = (Level.EXPERT.value, Level.INTERMEDIATE.value, Level.BEGINNER.value)


@dataclass(frozen=True, slots=True)
class SiteCounts:
    replays: int
    ranked: int
    players: int


def site_counts() -> SiteCounts:
    """Return counts that are at most some minutes old."""
    counts: Sequence[int] = cache.get_or_set(_CACHE_KEY, _read_counts, _CACHE_SECONDS) or ()
    return SiteCounts(*counts)


def fastest_games(count: int) -> list[Top]:
    """The first ``count`` rows of the three levels that are final, the hardest first: a bot's are shown nowhere here."""
    keys = [BoardKey(level, "time", ALL_STYLES) for level in _LEVELS]
    return [Top(key, first_final_rows(key, count)) for key in keys]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The finished board of a game, and where its film is; ``hash8`` is that of the film.

    ``mines_left``: on the display at the end, without those that the player flagged.
    """

    picture: SafeString
    film: str
    hash8: str
    mines_left: int


@dataclass(frozen=True, slots=True)
class Trial:
    """The board of a game to be played by anyone, from its first click on.

    ``packed``: its mines, a bit for each cell row by row, in hexadecimal.  ``first``: the cell of the first click, None
    where no click opens anything without winning.
    """

    picture: SafeString
    packed: str
    mines: int
    rows: int
    columns: int
    first: int | None


def fastest(tops: Sequence[Top], level: str | None = None) -> tuple[str, BoardRow] | None:
    """The first row of ``level``, or of the hardest level that has one."""
    for top in tops:
        if top.rows and level in (None, top.key.level) and top.rows[0].replay_id is not None:
            return top.key.level, top.rows[0]
    return None


def drawn(replay_id: int) -> Drawn | None:
    """Return the cached drawing; None if the replay was just deleted, its file is lost, or the kernels are not ready."""
    return _kept("drawn", replay_id, _draw) if warmup.is_ready("film") else None


def trial(replay_id: int) -> Trial | None:
    """Return the cached board to play on; None as for :func:`drawn`."""
    return _kept("trial", replay_id, _make_trial)


def _kept(kind: str, replay_id: int, make: Callable[[Replay], T | None]) -> T | None:
    if not warmup.is_ready("analysis"):
        return None
    key = f"home:{kind}:{replay_id}:{get_language()}"  # the board of a replay never changes
    found: T | None = caches["local"].get(key)
    if found is None:
        columns = ("level", "board", "rows", "columns", "game_hash", "sha256")
        replay = Replay.objects.only(*columns).filter(pk=replay_id, board__isnull=False).first()
        if replay is not None:
            found = make(replay)
        if found is not None:
            caches["local"].set(key, found, _DRAWING_SECONDS)
    return found


def _draw(replay: Replay) -> Drawn | None:
    try:
        end = film_of_replay(replay)
    except (Http404, StoreUnreachableError):  # its file is lost or away, and with it the film
        return None
    board = replay.board_object()
    flags = faces_after(end, len(end.events)) == FLAGGED
    title = _("Finished board: %(level)s") % {"level": level_text(replay.level)}
    film = f"{reverse('replay-film', args=[replay.pk])}?v={film_version(replay)}"
    picture = finished_board(board_facts(board), flags, title)
    return Drawn(picture, film, (replay.game_hash or "")[:8], board.mine_count - int(flags.sum()))


def _make_trial(replay: Replay) -> Trial:
    board = replay.board_object()
    facts = board_facts(board)
    first, opened = first_opening(facts) or (None, np.zeros(board.mines.shape, np.bool_))
    title = _("%(level)s board, %(columns)s × %(rows)s, %(mines)s mines") % {
        "level": level_text(replay.level), "columns": board.columns, "rows": board.rows, "mines": board.mine_count,
    }  # fmt: skip
    picture = started_board(facts, opened, title)
    return Trial(picture, board.packed().hex(), board.mine_count, board.rows, board.columns, first)


def rooms_with_players() -> int:
    """The listed rooms in which somebody is now."""
    return Room.objects.filter(state=Room.State.OPEN, listed=True, here__gt=0).count()


def refresh_site_counts() -> None:
    """Count now, so that no visitor has to wait: with ten million replays it takes a second."""
    cache.set(_CACHE_KEY, _read_counts(), _CACHE_SECONDS)


def _read_counts() -> list[int]:
    # Ranked replays are summed from the second counts, a table twenty times smaller than that of replays.
    ranked = SecondCount.objects.filter(style=ALL_STYLES).aggregate(games=Sum("games"))["games"]
    return [
        Replay.objects.filter(status=Replay.Status.DONE).count(),
        ranked or 0,
        Player.objects.filter(merged_into=None).count(),
    ]
