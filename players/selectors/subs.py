"""Sub-N: boards of counts, and a player's ladder.  ``players.time_convention`` says what sub-N means."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import IntegerField, Min, QuerySet, Sum
from django.utils.translation import gettext as _

from analysis.limits import MAX_TIME_MS
from players.boards import BoardKey, UnknownBoard, checked_level, checked_style
from players.keyset import page_of
from players.models import ALL_STYLES, Player, SecondCount
from players.selectors.leaderboards import BoardPage, BoardRow, board_page
from players.selectors.ranks import DEFAULT_SIZE, page_size, rank_of, ranks_of
from players.time_convention import best_sub, last_second_of_sub, second

MIN_SUB: Final = 2  # a sub-1 game would have ended before its first second
MAX_SUB: Final = best_sub(second(MAX_TIME_MS))
LADDER_STEPS: Final = 100
_ORDER: Final = ("fewer", "since", "player_id")
_BETTER: Final = ("fewer",)

Place = tuple[int, dict[str, Any]]  # a rank, and the counted row of a player


def checked_sub(n: int) -> int:
    """``n`` if a game can be sub-``n``; raises :class:`UnknownBoard`."""
    if not MIN_SUB <= n <= MAX_SUB:
        raise UnknownBoard(_("N must lie between %(least)d and %(most)d.") % {"least": MIN_SUB, "most": MAX_SUB})
    return n


def sub_page(
    level: str,
    n: int,
    style: str = ALL_STYLES,
    *,
    cursor: str | None = None,
    size: int = DEFAULT_SIZE,
    viewer: Player | None = None,
) -> BoardPage:
    """Who has most sub-``n`` games; equal counts share a rank, the earlier first sub-``n`` is listed first.

    Every count of the level below N is added up on each call.  Raises ``UnknownBoard`` or ``BadCursor``.
    """
    key = BoardKey(checked_level(level), f"sub{checked_sub(n)}", checked_style(style))
    below = SecondCount.objects.filter(level=key.level, style=key.style, second__lte=last_second_of_sub(n))
    board = _counted(below)
    page = page_of(board, _ORDER, cursor, page_size(size))
    ranks = ranks_of(board, page.rows, _ORDER, _BETTER, from_start=not cursor)
    places = list(zip(ranks, page.rows, strict=True))
    shown = {row["player_id"] for row in page.rows}
    rows = _rows(below, places + ([] if viewer is None or viewer.pk in shown else _own_place(below, board, viewer)))
    own = None if viewer is None else next((row for row in rows if row.player.pk == viewer.pk), None)
    return board_page(key, page, rows[: len(places)], own)


def _counted(below: QuerySet[SecondCount]) -> Any:
    """One row a player; the count is negated so that all columns of the order ascend."""
    games = Sum("games", output_field=IntegerField())
    return below.order_by().values("player_id").annotate(fewer=games * -1, since=Min("first_at"))


def _own_place(below: QuerySet[SecondCount], board: QuerySet[Any, Any], viewer: Player) -> list[Place]:
    """The viewer's place; a list of one, or of none if they have no such game."""
    row = _counted(below.filter(player=viewer)).order_by(*_ORDER).first()
    return [] if row is None else [(rank_of(board, row, _BETTER), row)]


def _rows(below: QuerySet[SecondCount], places: list[Place]) -> list[BoardRow]:
    player_ids = [row["player_id"] for _rank, row in places]
    players = Player.objects.in_bulk(player_ids)
    firsts = _first_replays(below, player_ids)
    return [
        BoardRow(rank, players[row["player_id"]], float(-row["fewer"]), firsts[row["player_id"]], row["since"])
        for rank, row in places
    ]


def _first_replays(below: QuerySet[SecondCount], player_ids: Collection[int]) -> dict[int, int]:
    """The replay with which each player first went below N."""
    if not player_ids:
        return {}
    rows = below.filter(player_id__in=player_ids).order_by("-first_at", "-first_replay_id")
    return dict(rows.values_list("player_id", "first_replay_id"))  # the earliest comes last and stays


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
    counts = SecondCount.objects.filter(player=player, style=checked_style(style)).order_by("level", "second")
    by_level: dict[str, list[SecondCount]] = {}
    for count in counts:
        by_level.setdefault(count.level, []).append(count)
    return {level: _ladder(rows, limit) for level, rows in by_level.items()}


def _ladder(counts: Iterable[SecondCount], limit: int) -> list[SubStep]:
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
