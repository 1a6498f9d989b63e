"""A made-up site into PostgreSQL: one transaction, the tables filled bare, indexes and constraints at the end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone
from numpy.typing import NDArray

from analysis.recording import LEVEL_SHAPES, Level
from analysis.statistics import ANALYSED, LUCK, LUCK_VERSION, VERSION
from players.leaderboards.boards import LOGGED_STATISTICS
from players.leaderboards.ranks.checkpoints import count_boards
from players.models import CombinedBest, Identity, NamePart, PersonalBest, Player, RecordEvent, SecondCount
from replays.models import Replay
from tests.bench.load.copying import HEADER, TRAILER, Columns, TableCopy, as_text
from tests.bench.load.population import (
    LEVELS,
    STYLES,
    BoardPool,
    Games,
    Players,
    board_pools,
    country_of,
    draw_games,
    draw_players,
)
from tests.bench.load.results import Bests, Ranking, Records, Seconds, Sums, seconds_of, sums_of
from tests.bench.load.sum_records import SumHistory

_TABLES: Final[tuple[type[Model], ...]] = (
    Player,
    Identity,
    NamePart,
    Replay,
    PersonalBest,
    CombinedBest,
    SecondCount,
    RecordEvent,
)
_FIRST_DAY: Final = datetime(2005, 1, 1, tzinfo=UTC)
#: Sorting for indexes in memory instead of on disk; only this transaction has it.
_MEMORY: Final = "1GB"
#: What ``players.people.services`` writes for names of one word and a number.
_NAME_PARTS: Final = """
    INSERT INTO players_namepart (player_id, text, place)
    SELECT id, lower(substr(name, start)), CASE WHEN start = 1 THEN 0 WHEN substr(name, start - 1, 1) = ' ' THEN 1 ELSE 2 END
    FROM players_player, generate_series(1, length(name)) AS start
    WHERE substr(name, start, 1) <> ' '
"""

Progress = Callable[[str, int], None]


class NotEmpty(Exception):
    """The database has players or replays already; made-up ones would mix with them."""


@dataclass(frozen=True, slots=True)
class Load:
    """Amounts to make."""

    players: int
    replays: int
    seed: int = 1


def load(plan: Load, progress: Progress) -> dict[str, int]:
    """Fill the database; returns the number of rows by table.

    ``progress(what, how many)`` is called with the replays that were sent, and for each index.  Raises :class:`NotEmpty`.
    Nothing remains if it is stopped: all of it is one transaction, which also keeps everybody else out.
    """
    with transaction.atomic():
        if Player.objects.exists() or Replay.objects.exists():
            raise NotEmpty
        with _bare_tables(progress), connection.cursor() as cursor:
            writer = _Writer(plan, cursor.connection)
            writer.write(progress)
            cursor.execute(_NAME_PARTS)
            _set_sequences(cursor)
    with connection.cursor() as cursor:  # the planner knows nothing of rows that came by COPY
        for model in _TABLES:
            cursor.execute(f"VACUUM (ANALYZE) {connection.ops.quote_name(model._meta.db_table)}")
    count_boards()
    return writer.rows


# --- tables without indexes -------------------------------------------------------------------------------------------


@contextmanager
def _bare_tables(progress: Progress) -> Iterator[None]:
    """Take indexes, unique and foreign keys off the tables, and put them back as they were."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL maintenance_work_mem = '{_MEMORY}'")
        dropped = _drop_constraints(cursor)
        indexes = _drop_indexes(cursor)
    yield
    with connection.cursor() as cursor:
        for statement in (*indexes, *dropped):
            cursor.execute(statement)
            progress("index", 1)


def _names() -> list[str]:
    return [model._meta.db_table for model in _TABLES]


def _drop_constraints(cursor: Any) -> list[str]:
    """Foreign and unique keys away; returns what makes them again, foreign keys last."""
    cursor.execute(
        "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = ANY(%s::text[]::regclass[]) AND contype IN ('f', 'u') ORDER BY contype DESC, conname",
        [_names()],
    )
    rows = cursor.fetchall()
    for table, name, _definition in reversed(rows):
        cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    return [f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}" for table, name, definition in rows]


def _drop_indexes(cursor: Any) -> list[str]:
    cursor.execute(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index"
        " WHERE indrelid = ANY(%s::text[]::regclass[]) AND NOT indisprimary",
        [_names()],
    )
    rows = cursor.fetchall()
    for name, _definition in rows:
        cursor.execute(f"DROP INDEX {name}")
    return [definition for _name, definition in rows]


def _set_sequences(cursor: Any) -> None:
    for model in _TABLES:
        table = model._meta.db_table
        quoted = connection.ops.quote_name(table)
        cursor.execute(
            f"SELECT setval(pg_get_serial_sequence(%s, 'id'), greatest((SELECT max(id) FROM {quoted}), 1))",  # noqa: S608 - our table
            [table],
        )


# --- rows -------------------------------------------------------------------------------------------------------------


class _Writer:
    """Sends everything that one load consists of, and counts it."""

    def __init__(self, plan: Load, server: Any) -> None:
        self.plan = plan
        self.rows: dict[str, int] = {}
        self._server = server
        self._copies = {model: TableCopy(model) for model in _TABLES}
        self._rng = np.random.default_rng(plan.seed)
        self._last_day = timezone.now()
        self._next = dict.fromkeys(_TABLES, 1)
        self._ranking = Ranking()
        self._sum_history = SumHistory()

    def write(self, progress: Progress) -> None:
        """All rows, a block of players at a time."""
        players = draw_players(self._rng, self.plan.players, self.plan.replays, _FIRST_DAY, self._last_day)
        self._players(players)
        pools = board_pools(self._rng)
        for _block, games in draw_games(self._rng, players, pools, self._last_day):
            ids = self._ids(Replay, len(games))
            ranked = _ranked(games)
            self._replays(games, ids, ranked, pools)
            self._results(games, ids, ranked)
            progress("replays", len(games))

    def _send(self, model: type[Model], columns: Columns, count: int) -> None:
        copy = self._copies[model]
        with self._server.cursor() as cursor, cursor.copy(copy.statement) as stream:
            stream.write(HEADER)
            for block in copy.blocks(columns, count):
                stream.write(block)
            stream.write(TRAILER)
        self.rows[copy.table] = self.rows.get(copy.table, 0) + count

    def _ids(self, model: type[Model], count: int) -> NDArray[np.int64]:
        first = self._next[model]
        self._next[model] = first + count
        return np.arange(first, first + count)

    def _players(self, players: Players) -> None:
        count = len(players.games)
        ids = self._ids(Player, count)
        names = as_text([f"Player {number:07d}" for number in ids.tolist()])
        for country in np.unique(players.country):
            here = np.flatnonzero(players.country == country)
            columns: Columns = {
                "id": ids[here], "name": names[here], "user_id": None, "country": country_of(int(country)),
                "country_from_files": False,
                "is_bot": False, "on_boards": True, "merged_into_id": None, "created_at": players.joined[here],
            }  # fmt: skip
            self._send(Player, columns, len(here))
        identities: Columns = {
            "id": ids, "name": names, "player_id": ids, "state": Identity.State.UNCLAIMED.value, "claimant_id": None,
            "proof": "", "first_player_id": ids,
            "claimed_at": None, "skeleton": "",
        }  # fmt: skip
        self._send(Identity, identities, count)

    def _replays(
        self, games: Games, ids: NDArray[np.int64], ranked: NDArray[np.bool_], pools: dict[Level, BoardPool]
    ) -> None:
        hashes, corpses = _hashes(self.plan.seed, ids), _corpses(games)
        for level_index, level in enumerate(LEVELS):
            for style_index, style in enumerate(STYLES):
                for win in (True, False):
                    here = np.flatnonzero(
                        (games.level == level_index) & (games.style == style_index) & (games.win == win)
                    )
                    if len(here):
                        columns = _replay_columns(games, here, level, style, win=win, pool=pools[level])
                        columns |= {"id": ids[here], "ranked": ranked[here].astype(np.uint8)}
                        columns |= {"corpse": corpses[here].astype(np.uint8)}
                        columns |= {"sha256": hashes[here], "game_hash": hashes[here]}
                        self._send(Replay, columns, len(here))

    def _results(self, games: Games, ids: NDArray[np.int64], ranked: NDArray[np.bool_]) -> None:
        bests, personal = [], []
        for best, records in self._ranking.rank(games, ranked):
            bests.append(best)
            self._bests(best, games, ids)
            personal += records[:1]
            for record in records:
                self._records(record, games, ids)
        for record in self._sum_history.records(personal):
            self._records(record, games, ids)
        for sums in sums_of(bests, games.achieved_at):
            self._sums(sums)
        for seconds in seconds_of(games, ranked):
            self._seconds(seconds, games, ids)

    def _bests(self, best: Bests, games: Games, ids: NDArray[np.int64]) -> None:
        columns: Columns = {
            "id": best.ids, "player_id": best.player + 1, "statistic": best.row.name, "level": best.level,
            "style": best.style, "value": best.value, "rank_key": best.rank_key, "replay_id": ids[best.game],
            "achieved_at": games.achieved_at[best.game],
        }  # fmt: skip
        self._send(PersonalBest, columns, len(best.ids))

    def _records(self, records: Records, games: Games, ids: NDArray[np.int64]) -> None:
        if records.kind == RecordEvent.Kind.PERSONAL and records.row.name not in LOGGED_STATISTICS:
            return
        count = len(records.game)
        second, third = (ids[games] for games in records.others) if records.others else (None, None)
        columns: Columns = {
            "id": self._ids(RecordEvent, count), "kind": records.kind, "player_id": records.player + 1,
            "statistic": records.row.name, "level": records.level, "style": records.style, "old_value": records.old,
            "new_value": records.new, "rank_before": records.rank_before, "rank_after": records.rank_after,
            "replay_id": ids[records.game], "second_replay_id": second, "third_replay_id": third,
            "happened_at": games.achieved_at[records.game],
        }  # fmt: skip
        self._send(RecordEvent, columns, count)

    def _sums(self, sums: Sums) -> None:
        rank_key, _beginner_key, intermediate_key, expert_key = sums.keys
        beginner, intermediate, expert = sums.parts
        columns: Columns = {
            "id": self._ids(CombinedBest, len(sums.player)), "player_id": sums.player + 1,
            "statistic": sums.row.name, "style": sums.style, "value": sums.value, "rank_key": rank_key,
            "expert_key": expert_key, "intermediate_key": intermediate_key, "achieved_at": sums.achieved_at,
            "beginner_id": beginner, "intermediate_id": intermediate, "expert_id": expert,
        }  # fmt: skip
        self._send(CombinedBest, columns, len(sums.player))

    def _seconds(self, seconds: Seconds, games: Games, ids: NDArray[np.int64]) -> None:
        count = len(seconds.player)
        columns: Columns = {
            "id": self._ids(SecondCount, count), "player_id": seconds.player + 1, "level": seconds.level,
            "style": seconds.style, "second": seconds.second, "games": seconds.games,
            "first_at": games.achieved_at[seconds.first], "first_replay_id": ids[seconds.first],
        }  # fmt: skip
        self._send(SecondCount, columns, count)


def _ranked(games: Games) -> NDArray[np.bool_]:
    """Return which games count: the rule of ``replays.trust.judging.rules`` for games that are otherwise in order."""
    return np.asarray(games.win & _has_3bv(games))


def _corpses(games: Games) -> NDArray[np.bool_]:
    """:func:`_ranked` for boards of lost games."""
    far = games.values["completion"] * 100 >= settings.MINIMUM_COMPLETION
    return np.asarray(~games.win & far & _has_3bv(games))


def _has_3bv(games: Games) -> NDArray[np.bool_]:
    least = np.array([settings.MINIMUM_3BV.get(level.value, 0) for level in LEVELS])[games.level]
    return np.asarray(games.values["bv"] >= least)


def _replay_columns(
    games: Games, here: NDArray[np.intp], level: Level, style: str, *, win: bool, pool: BoardPool
) -> dict[str, Any]:
    rows, columns, mines = LEVEL_SHAPES[level]
    achieved_at = games.achieved_at[here]
    return {
        "size_bytes": 40_000, "original_name": "", "uploader_id": None, "uploaded_at": achieved_at,
        "status": Replay.Status.DONE.value, "claimed_at": achieved_at, "attempts": 0, "analysed_at": achieved_at,
        "turn": 0, "reject_code": "", "reject_params": "{}", "statistics_version": VERSION,
        # There are no files to make luck from.
        "luck_version": LUCK_VERSION, "luck_claimed_at": None, "luck_attempts": 0, "luck_code": "no_file",
        "format": "avf", "format_variant": "0.52.3", "software": "Load generator", "identifier": "",
        "name_encoding": "", "encoding_chosen": False, "file_country": "", "played_at_has_zone": True,
        "player_id": games.player[here] + 1, "level": level.value, "rows": rows, "columns": columns, "mines": mines,
        "board": pool.packed[games.board[here]], "mode": "standard", "style": style,
        "result": (Replay.Result.WON if win else Replay.Result.LOST).value, "win": win,
        "time_precision_ms": np.where(games.coarse[here], 10, 1), "played_at": achieved_at,
        "achieved_at": achieved_at, "date_trusted": True, "evidence": Replay.Evidence.SEALED.value, "ownership": "",
        "keep_file": False, "file_deleted_at": None, "provisional_until": None, "findings": "[]", "judgement": Replay.Judgement.ACCEPTED.value,
        "judgement_reason": "", "judgement_code": "", "judgement_params": "{}", "judged_by_id": None, "judged_at": None,
        "place_id": None, "game": None,
    } | {row.name: games.values[row.name][here] for row in ANALYSED} | dict.fromkeys(row.name for row in LUCK)  # fmt: skip


_HEX: Final = np.frombuffer(b"".join(b"%02x" % byte for byte in range(256)), dtype="V2")


def _hashes(seed: int, ids: NDArray[np.int64]) -> NDArray[Any]:
    """64 hexadecimal digits for each id, never twice."""
    digests = b"".join(hashlib.sha256(b"load %d %d" % (seed, number)).digest() for number in ids.tolist())
    return _HEX[np.frombuffer(digests, dtype=np.uint8)].view("V64")
