"""The implementation of ``players.leaderboards.ranked_games.RankedGames`` by the table of replays.

The methods are documented there.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import reduce
from typing import Final

from django.db.models import Aggregate, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, RowRange, Subquery, Window
from django.db.models.expressions import OrderBy
from django.db.models.functions import RowNumber

from analysis.statistics import BY_NAME, RANKED, Better, Statistic
from analysis.time_convention import sub_limit_ms
from players.db.chunks import chunked
from players.db.select import Row
from players.leaderboards.boards import CORPSES_ON, HARDEST_FIRST, LISTED_BY, BoardKey, Game
from players.leaderboards.filters import BoardFilter
from players.leaderboards.ranked_games import (
    BvBest,
    Corpse,
    FirstGame,
    GameLine,
    GameMarks,
    GameValue,
    Players,
    ProgressRow,
    SubCount,
)
from players.leaderboards.stated_dates import date_has_zone, stated_from
from players.models import ALL_STYLES, Identity, Player
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef, with_player_ref
from replays.models import Replay
from replays.models.reactions import with_reactions
from replays.models.replay import HAS_COUNTRY

#: The columns of a row that :func:`game_of_row` takes.
GAME_COLUMNS: Final = (
    "id", "player_id", "level", "style", "time_ms", "achieved_at", "judgement", *(row.name for row in RANKED),
)  # fmt: skip
_GAME_WITHOUT_VALUES: Final = GAME_COLUMNS[: -len(RANKED)]
#: The columns of a ``Corpse``, with the judgement in the place of ``is_provisional``.
_CORPSE: Final = (
    "id", "level", "achieved_at", "time", "time_precision_ms", "completion", "estime", "stnb", "date_has_zone",
    "judgement",
)  # fmt: skip
#: Judgements and classes of games that tell something of their player.
_UNDOUBTED: Final = (*Replay.RANKED_JUDGEMENTS, Replay.Judgement.UNVERIFIED)
_PROVING: Final = (Replay.Evidence.SEALED, Replay.Evidence.HERE)
#: Rows that are fetched from the database at once.
_CHUNK: Final = 2_000
#: (player, level, second) of one statement, for which the planner weighs each of them.
_SECONDS_A_STATEMENT: Final = 100


def game_of_row(row: Row) -> Game:
    replay_id, player_id, level, style, time_ms, achieved_at, judgement, *values = row
    provisional = judgement == Replay.Judgement.PROVISIONAL
    return Game(replay_id, player_id, level, style, time_ms, achieved_at, provisional, tuple(values))


def game_of(replay: Replay) -> Game:
    """``replay`` has a player."""
    return game_of_row(tuple(getattr(replay, column) for column in GAME_COLUMNS))


class ReplayGames:
    def of_players(self, player_ids: Collection[int], levels: Collection[str] | None = None) -> Iterator[Game]:
        rows = Replay.objects.filter(ranked=True, player_id__in=player_ids)
        if levels is not None:
            rows = rows.filter(level__in=levels)
        return map(game_of_row, rows.values_list(*GAME_COLUMNS).iterator(chunk_size=_CHUNK))

    def holding_bests(
        self, player_id: int, level: str, boards: Iterable[tuple[str, str]], excluded_ids: Collection[int]
    ) -> Iterator[Game]:
        """One statement finds the best values, a second one reads the replays that have them.

        So only these few replays are fetched, however many games the player has.
        """
        games = Replay.objects.filter(ranked=True, player_id=player_id, level=level).exclude(id__in=excluded_ids)
        numbered = dict(enumerate(boards))
        values = games.aggregate(**{f"best_{number}": _best_value(*board) for number, board in numbered.items()})
        holders = [
            Q(**{statistic: value}) & _of_style(style)
            for number, (statistic, style) in numbered.items()
            if (value := values[f"best_{number}"]) is not None
        ]
        if not holders:
            return iter(())
        rows = games.filter(reduce(operator.or_, holders)).values_list(*GAME_COLUMNS)
        return map(game_of_row, rows.iterator(chunk_size=_CHUNK))

    def in_seconds(self, seconds: Sequence[tuple[int, str, int]], excluded_ids: Collection[int]) -> Iterator[Game]:
        games = Replay.objects.filter(ranked=True).exclude(id__in=excluded_ids)
        for chunk in chunked(seconds, _SECONDS_A_STATEMENT):
            conditions = [
                Q(
                    player_id=player_id,
                    level=level,
                    time_ms__gte=sub_limit_ms(second),
                    time_ms__lt=sub_limit_ms(second + 1),
                )
                for player_id, level, second in chunk
            ]
            rows = games.filter(reduce(operator.or_, conditions))
            yield from map(game_of_row, rows.values_list(*_GAME_WITHOUT_VALUES))

    def best_by_3bv(self, player_id: int, key: BoardKey) -> list[BvBest]:
        """One statement, which reads the player's ranked games of the level by the index ``replay_ranked``."""
        games = _of_board(key).filter(player=player_id, bv__isnull=False)
        numbered = games.annotate(
            row_number=Window(RowNumber(), partition_by="bv", order_by=_best_first(key.row)),
            games=Window(Count("id"), partition_by="bv"),
        )
        rows = numbered.filter(row_number=1).order_by("bv")
        columns = ("bv", key.statistic, "id", "achieved_at", "time_precision_ms", "games")
        return [BvBest(*row) for row in rows.values_list(*columns)]

    def newest(self, limit: int, player_id: int | None = None, before: int | None = None) -> list[GameLine]:
        done = Replay.objects.filter(status=Replay.Status.DONE).exclude(ownership__in=Replay.NOT_OWNED).order_by("-id")
        if player_id is not None:
            done = done.filter(player=player_id)
        if before is not None:
            done = done.filter(pk__lt=before)
        rows = with_reactions(done).values_list(*GameLine._fields[:-1], *PLAYER_COLUMNS)[:limit]
        return [GameLine._make(with_player_ref(row)) for row in rows]

    def best_corpses(self, player_id: int, style: str) -> dict[tuple[str, str], Corpse]:
        """One statement: a subquery for each board, which reads the first entry of one of the indexes ``replay_corpses``."""
        games = Replay.objects.filter(_of_style(style), corpse=True, player=player_id)
        boards = [(level, row) for level in HARDEST_FIRST for row in CORPSES_ON[level]]
        firsts = [
            games.filter(level=level, **{f"{row.name}__isnull": False}).order_by(*_best_first(row)).values("pk")[:1]
            for level, row in boards
        ]
        best = Replay.objects.filter(reduce(operator.or_, (Q(pk=Subquery(first)) for first in firsts)))
        best = best.annotate(date_has_zone=date_has_zone())
        rows = best.order_by("achieved_at", "id").values_list(*_CORPSE)
        corpses = [Corpse._make((*row[:-1], row[-1] == Replay.Judgement.PROVISIONAL)) for row in rows]
        found = {}
        for level, row in boards:
            ones = [one for one in corpses if one.level == level and getattr(one, row.name) is not None]
            if ones:
                found[level, row.name] = min(ones, key=lambda one: row.rank_key(getattr(one, row.name)))
        return found

    def marks_of(self, replay_ids: Collection[int]) -> dict[int, GameMarks]:
        columns = ("pk", "time_precision_ms", "judgement", "bv", "bvs", "style", "completion", date_has_zone())
        rows = Replay.objects.filter(pk__in=replay_ids).values_list(*columns)
        return {
            pk: GameMarks(precision_ms, judgement == Replay.Judgement.PROVISIONAL, *others)
            for pk, precision_ms, judgement, *others in rows
        }

    def best_times_before(
        self, player_ids: Collection[int], level: str, style: str, before: datetime
    ) -> dict[int, float]:
        """The index ``replay_ranked`` has the times of each player in order, so few rows are read of each."""
        games = _without_provisional(_of_level(level, style)).filter(player=OuterRef("pk"))
        arrived, played_since = Q(achieved_at__lt=before), stated_from(before)
        best = Subquery(games.filter(arrived | ~played_since).order_by("time_ms").values("time")[:1])
        known = Player.objects.filter(Exists(games.filter(arrived)), pk__in=player_ids)
        return {pk: time for pk, time in known.annotate(best=best).values_list("pk", "best") if time is not None}

    # --- filtered boards ---

    def best_values(self, key: BoardKey, board_filter: BoardFilter, players: Players) -> Iterator[GameValue]:
        row_number = Window(RowNumber(), partition_by="player_id", order_by=_best_first(key.row))
        games = _of(players, _within(board_filter, _of_board(key, lost=board_filter.lost)))
        games = games.annotate(row_number=row_number)
        return _game_values(key, games.filter(row_number__lte=board_filter.best_of))

    def sub_counts(
        self, level: str, n: int, style: str, board_filter: BoardFilter, players: Players
    ) -> Iterator[SubCount]:
        games = _of(players, _within(board_filter, _below(level, n, style)))
        counts = games.order_by().values("player_id").annotate(games=Count("id"), first=Min("achieved_at"))
        rows = counts.values_list("player_id", "games", "first")
        return map(SubCount._make, rows.iterator(chunk_size=_CHUNK))

    def first_sub_games(
        self, level: str, n: int, style: str, board_filter: BoardFilter, player_ids: Collection[int]
    ) -> dict[int, FirstGame]:
        games = _of(player_ids, _within(board_filter, _below(level, n, style)))
        row_number = Window(RowNumber(), partition_by="player_id", order_by=("achieved_at", "id"))
        firsts = games.annotate(row_number=row_number).filter(row_number=1)
        return {pk: FirstGame(*first) for pk, *first in firsts.values_list("player_id", "id", date_has_zone())}

    def personal_steps(self, key: BoardKey, board_filter: BoardFilter, players: Players) -> Iterator[GameValue]:
        games = _of(players, _within(board_filter, _of_board(key)))
        return _game_values(key, _steps(games, key.row, partition_by="player_id"))

    def record_steps(self, key: BoardKey, players: Players) -> Iterator[GameValue]:
        return _game_values(key, _steps(_of(players, _without_provisional(_of_board(key))), key.row))

    # --- histories ---

    def progress_of_player(self, player_id: int, key: BoardKey) -> list[ProgressRow]:
        return _progress(key, _steps(_of_board(key).filter(player=player_id), key.row))

    def by_ids(self, key: BoardKey, replay_ids: Collection[int]) -> list[ProgressRow]:
        return _progress(key, _without_provisional(_of_board(key)).filter(pk__in=replay_ids))

    def players_of(self, replay_ids: Collection[int]) -> dict[int, PlayerRef]:
        rows = Replay.objects.filter(pk__in=replay_ids, player__isnull=False).values_list("pk", *PLAYER_COLUMNS)
        return {pk: PlayerRef(*player) for pk, *player in rows}

    # --- what files state ---

    def file_countries(self, player_ids: Collection[int]) -> dict[int, str]:
        """One statement, which reads the index ``replay_countries``."""
        games = Replay.objects.filter(
            HAS_COUNTRY, player_id__in=player_ids, judgement__in=_UNDOUBTED, evidence__in=_PROVING
        )
        counts = games.order_by().values_list("player_id", "file_country").annotate(files=Count("id"))
        most: dict[int, tuple[int, str]] = {}
        for player_id, country, files in counts:
            before, _country = most.get(player_id, (0, ""))
            if files >= before:
                most[player_id] = files, country if files > before else ""
        return {player_id: most.get(player_id, (0, ""))[1] for player_id in player_ids}

    # --- names inside replays ---

    def names_uploaded_by(self, user_id: int) -> QuerySet[Replay, object]:
        return Replay.objects.filter(uploader=user_id).values("identifier").distinct()

    def uploads_under(self, names: Collection[str]) -> dict[str, dict[int | None, int]]:
        # By the player of each name, since the names inside replays have no index.
        players = Identity.objects.filter(name__in=names).values("player")
        games = Replay.objects.filter(player__in=players, identifier__in=names)
        found: dict[str, dict[int | None, int]] = {}
        for name, uploader_id, count in games.order_by().values_list("identifier", "uploader").annotate(Count("id")):
            found.setdefault(name, {})[uploader_id] = count
        return found

    def others_uploaded(self, user_id: int, name: str, player_id: int) -> bool:
        return Replay.objects.filter(player=player_id, identifier=name).exclude(uploader=user_id).exists()

    def has_games_under(self, player_id: int, name: str) -> bool:
        return Replay.objects.filter(player=player_id, identifier=name).exists()

    def lock(self, player_id: int, names: Collection[str]) -> None:
        games = Replay.objects.select_for_update(no_key=True).filter(player=player_id, identifier__in=names)
        for _pk in games.order_by("pk").values_list("pk").iterator(chunk_size=_CHUNK):
            pass  # a lock needs the row to be read

    def move(self, name: str, source_id: int, target_id: int) -> None:
        Replay.objects.filter(player=source_id, identifier=name).update(player=target_id)


# --- querysets --------------------------------------------------------------------------------------------------------


def _of_level(level: str, style: str, *, lost: bool = False) -> QuerySet[Replay]:
    counts = Q(corpse=True) if lost else Q(ranked=True)
    return Replay.objects.filter(_of_style(style), counts, level=level)


def _of_board(key: BoardKey, *, lost: bool = False) -> QuerySet[Replay]:
    return _of_level(key.level, key.style, lost=lost).filter(**{f"{key.statistic}__isnull": False})


def _without_provisional(games: QuerySet[Replay]) -> QuerySet[Replay]:
    return games.exclude(judgement=Replay.Judgement.PROVISIONAL)


def _below(level: str, n: int, style: str) -> QuerySet[Replay]:
    return _of_level(level, style).filter(time_ms__lt=sub_limit_ms(n))


def _within(board_filter: BoardFilter, games: QuerySet[Replay]) -> QuerySet[Replay]:
    if board_filter.since is not None:
        games = games.filter(stated_from(board_filter.since))
    conditions: dict[str, object] = {
        "achieved_at__gte": board_filter.since,
        "achieved_at__lt": board_filter.until,
        "bv__gte": board_filter.min_bv,
        "player__country": board_filter.country,
    }
    return games.filter(**{name: value for name, value in conditions.items() if value})


def _of(players: Players, games: QuerySet[Replay]) -> QuerySet[Replay]:
    return games if players is None else games.filter(player_id__in=players)


def _of_style(style: str) -> Q:
    return Q() if style == ALL_STYLES else Q(style=style)


# --- order and steps --------------------------------------------------------------------------------------------------


def _best_value(statistic: str, style: str) -> Aggregate:
    function = Max if BY_NAME[statistic].better is Better.HIGH else Min
    return function(statistic, filter=_of_style(style))


def _best_first(row: Statistic) -> tuple[OrderBy | str, ...]:
    """``order_by`` arguments: games by their value of ``row``, best first, then by date, then by id."""
    value = F(row.name).desc() if row.better is Better.HIGH else F(row.name).asc()
    return value, "achieved_at", "id"


def _better_than(row: Statistic, value: F) -> Q:
    return Q(**{f"{row.name}__{'gt' if row.better is Better.HIGH else 'lt'}": value})


def _steps(games: QuerySet[Replay], row: Statistic, partition_by: str | None = None) -> QuerySet[Replay]:
    """Those of ``games`` that are better than all earlier ones, in no order.

    ``partition_by``: a column; a game is compared only with those that have the same value there.  Of games with the same
    date that of the lower player is the earlier, as on boards, then the lower id.  The database sorts, and only the steps
    are fetched.
    """
    best = Max if row.better is Better.HIGH else Min
    before = Window(
        best(row.name), partition_by=partition_by, order_by=(*LISTED_BY, "id"), frame=RowRange(start=None, end=-1)
    )
    steps = games.annotate(best_before=before)
    return steps.filter(Q(best_before__isnull=True) | _better_than(row, F("best_before")))


def _game_values(key: BoardKey, games: QuerySet[Replay]) -> Iterator[GameValue]:
    rows = games.values_list("player_id", key.statistic, "achieved_at", "id")
    return map(GameValue._make, rows.iterator(chunk_size=_CHUNK))


def _progress(key: BoardKey, games: QuerySet[Replay]) -> list[ProgressRow]:
    columns = ("achieved_at", "id", key.statistic, "time_precision_ms", date_has_zone())
    rows = games.order_by(*LISTED_BY, "id").values_list(*columns)
    return [ProgressRow(*row) for row in rows]
