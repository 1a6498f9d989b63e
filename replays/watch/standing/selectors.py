from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from django.core.cache import caches
from django.db.models import Count, F, Q, QuerySet, Subquery
from numpy.typing import NDArray

from analysis.statistics import BY_NAME, LUCK_VERSION, Better, Statistic, StatKind
from analysis.time_convention import difference
from players.leaderboards.boards import ON_LEVEL
from players.models import ALL_STYLES
from players.profile.page.selectors import PlayerBests, RankedBest, player_bests
from replays.models import PlayTrace, Replay, StatisticQuantiles
from replays.models.reactions import with_reactions

#: How long a process keeps the tables of a level; they are made anew every hour.
_CACHE_SECONDS: Final = 600
#: Shares of fewer games, or of games of fewer players, say nothing.
FEWEST_GAMES: Final = 200
FEWEST_PLAYERS: Final = 20
#: Scores of the review that are compared though they have no board.
SCORES: Final = (BY_NAME["accuracy"], BY_NAME["needless_risk"], BY_NAME["pace"])
_SCORES_WITH_BOARDS: Final = ("corr", "gznt")  # economy and route
#: So many of the player's latest games are looked at: counting all of 15,000 takes 50 ms.
MOST_OWN_GAMES: Final = 2_000
#: Other games on the same board that are listed.
_SAME_BOARD: Final = 20


@dataclass(frozen=True, slots=True)
class Share:
    """``percent``: of ``games`` so many, rounded down, are worse."""

    percent: int
    games: int


@dataclass(frozen=True, slots=True)
class Place:
    """The standing of one value of a game.

    ``all_games``, ``own_games``: among the ranked games of the level, of everybody, and among the player's other ones
    (the latest ``MOST_OWN_GAMES``); None while there are too few.  ``best``: the player's best on the board of all
    styles, with its rank; ``is_best``: whether it is this game's.  ``difference``: this value less that of the best.
    """

    all_games: Share | None
    own_games: Share | None
    best: RankedBest | None
    is_best: bool
    difference: float | None


@dataclass(frozen=True, slots=True)
class Standing:
    """``places`` by the name of the statistic: of a ranked game those with a board and the scores of the review, else none.  ``held``: (statistic,
    style) of the player's bests that this game is, with their ranks, without a style if it is the best of all styles as
    well.  ``best_time``: the player's best time on the level, of any game.  ``previous``, ``following``: numbers of the
    player's replays around it, in the order of uploads.
    """

    places: dict[str, Place]
    held: dict[tuple[str, str], int]
    best_time: RankedBest | None
    previous: int | None
    following: int | None
    same_board: list[Replay]
    likes: int


def compared(level: str) -> tuple[Statistic, ...]:
    """Return the statistics of a level whose values have a place among those of other games."""
    return (*ON_LEVEL[level], *SCORES) if level in ON_LEVEL else ()


def is_older(row: Statistic, luck_version: int | None) -> bool:
    """Return whether a value of ``row`` is of a former definition of luck, not comparable with those of today."""
    return row.kind is StatKind.LUCK and luck_version is not None and luck_version < LUCK_VERSION


def standing_of(replay: Replay) -> Standing:
    bests: PlayerBests = {} if replay.player_id is None else player_bests(replay.player_id)
    ((previous, following, likes),) = _around(replay)
    own = _own_counts(replay) if replay.ranked and replay.player_id else {}
    on_level = bests.get(replay.level, {})
    of_all_styles = {name: styles.get(ALL_STYLES) for name, styles in on_level.items()}
    return Standing(
        _places(replay, of_all_styles, own) if replay.ranked else {},
        {
            (name, style): best.rank
            for name, styles in on_level.items()
            for style, best in styles.items()
            if best.replay_id == replay.pk and (style == ALL_STYLES or not _holds(styles, replay))
        },
        of_all_styles.get("time"),
        previous,
        following,
        same_board(replay),
        likes,
    )


def _holds(styles: dict[str, RankedBest], replay: Replay) -> bool:
    return ALL_STYLES in styles and styles[ALL_STYLES].replay_id == replay.pk


# --- shares -----------------------------------------------------------------------------------------------------------


def _places(replay: Replay, bests: dict[str, RankedBest | None], own: dict[str, int]) -> dict[str, Place]:
    tables = level_quantiles(replay.level)
    places = {}
    for row in compared(replay.level):
        value, best = replay.statistic(row.name), bests.get(row.name)
        if value is None or is_older(row, replay.luck_version):
            continue
        worse, others = own.get(f"worse_{row.name}", 0), own.get(f"all_{row.name}", 0)
        places[row.name] = Place(
            all_games=share_of(tables.get(row.name), row, value),
            own_games=Share(_percent(worse, others), others) if others > 0 else None,
            best=best,
            is_best=best is not None and best.replay_id == replay.pk,
            difference=None if best is None else difference(value, best.value),
        )
    return places


def score_shares(replay: Replay) -> dict[str, Share]:
    """Return how many ranked games of the level are worse by each score of the review; {} of a game that is not ranked."""
    if not replay.ranked:
        return {}
    tables = level_quantiles(replay.level)
    found = {}
    for row in (*SCORES, *(BY_NAME[name] for name in _SCORES_WITH_BOARDS)):
        value = None if is_older(row, replay.luck_version) else replay.statistic(row.name)
        if value is not None and (share := share_of(tables.get(row.name), row, value)) is not None:
            found[row.name] = share
    return found


def share_of(table: Quantiles | None, row: Statistic, value: float) -> Share | None:
    """Return None while there are too few games."""
    if table is None or table.games < FEWEST_GAMES or table.players < FEWEST_PLAYERS:
        return None
    low, high = (int(np.searchsorted(table.values, value, "left")), int(np.searchsorted(table.values, value, "right")))
    worse = low if row.better is Better.HIGH else len(table.values) - high
    return Share(_percent(worse, len(table.values)), table.games)


def _percent(part: int, whole: int) -> int:
    return math.floor(100 * part / whole)


@dataclass(frozen=True, slots=True)
class Quantiles:
    """``values``: sorted; every value of ``games`` games, or some at even distances."""

    games: int
    players: int
    values: NDArray[np.float64]


def level_quantiles(level: str) -> dict[str, Quantiles]:
    """The tables of a level by statistic, at most some minutes old."""
    found = caches["local"].get_or_set(f"quantiles:{level}", lambda: _read_quantiles(level), _CACHE_SECONDS)
    return found or {}


def _read_quantiles(level: str) -> dict[str, Quantiles]:
    rows = StatisticQuantiles.objects.filter(level=level).values_list("statistic", "games", "players", "values")
    return {
        name: Quantiles(games, players, np.frombuffer(bytes(values), "<f8")) for name, games, players, values in rows
    }


def _own_counts(replay: Replay) -> dict[str, int]:
    """Count, for each statistic with a board, the player's other games that are worse, and those that have it."""
    rows, counts = compared(replay.level), {}
    for row in rows:
        value = replay.statistic(row.name)
        worse = (
            Q(pk=None) if value is None else Q(**{f"{row.name}__{'lt' if row.better is Better.HIGH else 'gt'}": value})
        )
        current = ~Q(luck_version__lt=LUCK_VERSION) if row.kind is StatKind.LUCK else Q()
        counts[f"worse_{row.name}"] = Count("pk", filter=worse & current)
        counts[f"all_{row.name}"] = Count(row.name, filter=current)
    games = Replay.objects.filter(player=replay.player_id, level=replay.level, ranked=True).exclude(pk=replay.pk)
    latest = games.only("pk", "luck_version", *(row.name for row in rows)).order_by("-pk")[:MOST_OWN_GAMES]
    return latest.aggregate(**counts)


# --- games around it --------------------------------------------------------------------------------------------------


def _around(replay: Replay) -> QuerySet[Replay, tuple[int | None, int | None, int]]:
    """One row: the numbers of the player's replays before and after this one, and how many like it."""
    theirs = Replay.objects.filter(player=replay.player_id, status=Replay.Status.DONE).exclude(
        ownership__in=Replay.NOT_OWNED
    )
    before = theirs.filter(pk__lt=replay.pk).order_by("-pk").values("pk")[:1]
    after = theirs.filter(pk__gt=replay.pk).order_by("pk").values("pk")[:1]
    found = with_reactions(Replay.objects.filter(pk=replay.pk)).annotate(
        previous=Subquery(before), following=Subquery(after)
    )
    return found.values_list("previous", "following", "likes_count")


def same_board(replay: Replay) -> list[Replay]:
    """Other analysed games on the same board, the fastest wins first; the same game in another file is none.

    The key of a trace is the same for mirrored boards, so the mines are compared as well.
    """
    key = PlayTrace.objects.filter(replay=replay.pk).values("board")[:1]
    games = Replay.objects.filter(
        trace__board=Subquery(key),
        status=Replay.Status.DONE,
        board=replay.board,
        rows=replay.rows,
        columns=replay.columns,
    )
    listed = games.exclude(pk=replay.pk).select_related("player")
    fastest = listed.order_by(F("win").desc(nulls_last=True), "time_ms", "pk")
    return list(fastest.defer("findings", "reject_params", "board")[:_SAME_BOARD])
