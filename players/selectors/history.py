"""How the record of a board, or the best of one player on a board, became what it is.

A *step* is a result better than every result achieved before it; of results of the same instant the one with the older
replay counts as the first.  Steps are found among the replays that are ranked now, by the day on which they were
achieved.  The log ``RecordEvent`` cannot tell them: it holds what was news when it arrived, so old games that come in
after newer ones are missing there although they led in their day, and so is what moves up when a replay goes.

Nor is every replay read.  ``SecondCount`` knows when each player began on a level, ``PersonalBest`` how good they ever
got.  In the order in which players began, those whose best never beats what stood when they began are passed over.
As soon as only a few have ever beaten what stands, these few are read, and nobody else can matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.db.models import F, Max, Min, Q, QuerySet, RowRange, Window

from analysis.statistics import Better
from players.boards import BoardKey, board_key, checked_level
from players.keyset import Page, page_of
from players.models import ALL_STYLES, PersonalBest, Player, SecondCount
from players.selectors.ranks import DEFAULT_SIZE, page_size

#: Players whose games are read at once, whenever they began.
RIVALS: Final = 300
#: How many times as many places of a board are looked at to see who of them is left.
LOOKED_AT: Final = 3
#: Rows of ``SecondCount`` that the walk starts with; each further portion is twice as large.
FIRST_PORTION: Final = 100
_ORDER: Final = ("-achieved_at", "-id")


@dataclass(frozen=True, slots=True)
class Step:
    """A result that beat all before it; ``old_value`` is None for the first.  ``precision_ms``: of its clock."""

    replay_id: int
    achieved_at: datetime
    value: float
    old_value: float | None
    precision_ms: int | None

    @property
    def gain(self) -> float | None:
        """By how much it was better, without the dust of binary subtraction; None for the first."""
        return None if self.old_value is None else round(abs(self.value - self.old_value), 9)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A step and whose it was."""

    step: Step
    player: Player


class _Found(NamedTuple):
    """A result; the tuples of a board sort by when they were achieved."""

    achieved_at: datetime
    replay_id: int
    value: float
    precision_ms: int | None


def history_key(level: str, statistic: str, style: str) -> BoardKey:
    """The board of these names if it has a history; raises ``UnknownBoard``, as for sums, which no replay achieves."""
    return board_key(checked_level(level), statistic, style)


def board_progression(key: BoardKey) -> list[Step]:
    """Every record of the board ``key`` (of one level) that its ranked replays show, oldest first."""
    found: set[_Found] = set()
    seen: set[int] = set()
    standing: float | None = None
    position: tuple[datetime, int] | None = None
    portion = FIRST_PORTION
    while (rivals := _rivals(key, standing, seen)) is None:
        begun = _begun_after(key.level, position, portion)
        # Everyone new in this portion began when ``standing`` stood already: all of their steps beat it.
        players = {player_id for _moment, _id, player_id in begun} - seen
        seen |= players
        able = _beaters(key, standing).filter(player_id__in=players).values("player_id")
        found.update(_staircase(key, _games(key, standing).filter(player_id__in=able)))
        if len(begun) < portion:
            break
        moment, last_id, _player = begun[-1]
        position = (moment, last_id)
        standing = _standing_before(key, found, moment)
        portion *= 2
    else:
        found.update(_staircase(key, _games(key, standing).filter(player_id__in=rivals)))
    return _steps(key, found)


def player_progression(player: Player, key: BoardKey) -> list[Step]:
    """Every personal best of ``player`` on the board ``key`` (of one level), oldest first, in one statement."""
    return _steps(key, _staircase(key, _games(key, None).filter(player=player)))


def history_page(steps: Sequence[Step], *, cursor: str | None = None, size: int = DEFAULT_SIZE) -> Page[HistoryRow]:
    """``steps`` with their players, newest first; raises ``BadCursor``.

    A replay that has gone since the steps were found is left out.
    """
    by_id = {step.replay_id: step for step in steps}
    rows = _replays().filter(pk__in=by_id).select_related("player").only("achieved_at", "player")
    page = page_of(rows, _ORDER, cursor, page_size(size))
    shown = [HistoryRow(by_id[row.pk], row.player) for row in page.rows if row.player is not None]
    return Page(shown, page.next_cursor, page.previous_cursor)


# --- who can matter ---------------------------------------------------------------------------------------------------


def _rivals(key: BoardKey, standing: float | None, seen: Collection[int]) -> list[int] | None:
    """Players who have ever beaten ``standing`` and were not ``seen``; None if they are too many to be read at once."""
    limit = LOOKED_AT * RIVALS
    best_first = _beaters(key, standing).order_by("rank_key", "achieved_at", "id")
    beaters = list(best_first.values_list("player_id", flat=True)[: limit + 1])
    rivals = [player_id for player_id in beaters if player_id not in seen]
    return None if len(beaters) > limit or len(rivals) > RIVALS else rivals


def _beaters(key: BoardKey, standing: float | None) -> QuerySet[PersonalBest]:
    bests = PersonalBest.objects.filter(statistic=key.statistic, level=key.level, style=key.style)
    return bests if standing is None else bests.filter(rank_key__lt=key.row.rank_key(standing))


def _begun_after(level: str, position: tuple[datetime, int] | None, portion: int) -> list[tuple[datetime, int, int]]:
    """The next rows in the order of dates: each player is there at the latest with the first game of theirs."""
    # In every style: who began in one had begun in all by then.
    rows = SecondCount.objects.filter(level=level, style=ALL_STYLES)
    if position is not None:
        moment, last_id = position
        rows = rows.filter(Q(first_at__gt=moment) | Q(first_at=moment, id__gt=last_id), first_at__gte=moment)
    return list(rows.order_by("first_at", "id").values_list("first_at", "id", "player_id")[:portion])


def _standing_before(key: BoardKey, found: Iterable[_Found], moment: datetime) -> float | None:
    """The best of what was achieved before ``moment``: exact, since everyone who had begun by then was looked at."""
    values = [one.value for one in found if one.achieved_at < moment]
    return min(values, key=key.row.rank_key) if values else None


# --- their games ------------------------------------------------------------------------------------------------------


def _replays() -> Any:
    # Reached by name: players must not import replays.
    return apps.get_model("replays", "Replay")._default_manager


def _games(key: BoardKey, standing: float | None) -> Any:
    """The ranked games of the board that are better than ``standing``."""
    games = _replays().filter(ranked=True, level=key.level, **{f"{key.statistic}__isnull": False})
    if key.style != ALL_STYLES:
        games = games.filter(style=key.style)
    return games if standing is None else games.filter(**{_better(key): standing})


def _staircase(key: BoardKey, games: Any) -> list[_Found]:
    """Those of ``games`` that beat all of ``games`` before them; the database sorts, only these few leave it."""
    best = Max if key.row.better is Better.HIGH else Min
    before = Window(
        best(key.statistic), order_by=[F("achieved_at").asc(), F("id").asc()], frame=RowRange(start=None, end=-1)
    )
    beats = Q(best_before__isnull=True) | Q(**{_better(key): F("best_before")})
    rows = games.annotate(best_before=before).filter(beats)
    return [_Found(*row) for row in rows.values_list("achieved_at", "id", key.statistic, "time_precision_ms")]


def _better(key: BoardKey) -> str:
    return f"{key.statistic}__{'gt' if key.row.better is Better.HIGH else 'lt'}"


def _steps(key: BoardKey, found: Iterable[_Found]) -> list[Step]:
    steps: list[Step] = []
    for one in sorted(found, key=lambda one: (one.achieved_at, one.replay_id)):
        old = steps[-1].value if steps else None
        if old is None or key.row.rank_key(one.value) < key.row.rank_key(old):
            steps.append(Step(one.replay_id, one.achieved_at, float(one.value), old, one.precision_ms))
    return steps
