"""The database of the referee: one transaction a second for all rooms, and loading a room.

The row of the shard guards each transaction: only the referee whose fence stands there may write, and how far the stream
is stored changes with what is stored.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
from django.db import connection, transaction
from django.db.models import F

from analysis.multiplayer.server_game import Answer, ServerGame, State
from players.db import bulk
from players.db.retry import retry_on_conflict
from players.models import User
from replays.play.models import RefereeShard, Room, RoomBoard, RoomLog, RoomPlayer, RoomSnapshot, RoomTotal
from replays.play.referee import frames
from replays.play.referee.log import moves_of, pack_log, unpack_log
from replays.play.referee.players import Player, Session
from replays.play.referee.state import MAX_HISTORY_BYTES, EndedBoard, Limits, RoomState
from replays.play.wire.rows import MoveKind

SNAPSHOT_MOVES: Final = 10_000
SNAPSHOT_MS: Final = 60_000
#: Moves of an open board that are read for its history; a longer one is sent as a picture.
_HISTORY_MOVES: Final = MAX_HISTORY_BYTES // 3
_PLAYER_COLUMNS: Final = (
    "user_id", "name", "number", "hue", "shade", "score", "blasts", "muted", "kicked", "session", "own", "full_at",
)  # fmt: skip
_WIRE_KINDS: Final = (int(MoveKind.OPEN), int(MoveKind.FLAG), int(MoveKind.CHORD))


class Deposed(Exception):
    """Another referee has taken over the shard: this one may not write any more."""


class BrokenRoom(Exception):
    """A contradiction in the stored data of a room."""


@dataclass(frozen=True, slots=True)
class RoomChange:
    """Plain values, which the room does not change any more."""

    room: int
    epoch: int
    closed: bool
    here: int
    used_ms: int
    board_epoch: int
    number: int
    begun: list[tuple[int, int, int]]
    ended: list[EndedBoard]
    moves: dict[int, tuple[int, list[tuple[int, int, int, int]]]]
    players: list[tuple[Any, ...]]
    snapshot: State | None


@dataclass(frozen=True, slots=True)
class Change:
    """``number`` rises by one with each transaction of a shard."""

    shard: int
    fence: int
    number: int
    last_entry: str
    stream: str
    rooms: list[RoomChange] = field(default_factory=list)


def take_over(shard: int) -> RefereeShard:
    """Raise the fence of a shard: no referee before this one can write from here on."""
    with transaction.atomic():
        RefereeShard.objects.get_or_create(shard=shard)
        RefereeShard.objects.filter(shard=shard).update(fence=F("fence") + 1)
        return RefereeShard.objects.get(shard=shard)


def change_of(state: RoomState, now_ms: int) -> RoomChange | None:
    """Take the changes since the last call out of ``state`` and return them; None if there is nothing to store."""
    changes = state.changes
    due = state.game.number - state.snapshot_number
    snapshot = due >= SNAPSHOT_MOVES or (due > 0 and now_ms - state.snapshot_ms >= SNAPSHOT_MS)
    if not changes and not snapshot:
        return None
    state.changes = type(changes)()
    if snapshot:
        state.snapshot_number, state.snapshot_ms = state.game.number, now_ms
    return RoomChange(
        state.id, state.epoch, state.closed, 0 if state.closed else state.here, state.used_ms,
        state.board_epoch, state.game.number, changes.begun, changes.ended, changes.moves,
        [_player_row(state, state.players[key], session) for key, session in changes.players.items()],
        state.game.state() if snapshot else None,
    )  # fmt: skip


def _player_row(state: RoomState, player: Player, session: str) -> tuple[Any, ...]:
    own = player.sessions[session].own if session in player.sessions else 0
    return (
        state.id, player.key, player.user_id, player.name[:150], player.number, player.hue, player.shade,
        state.score(player), state.blasts(player), player.muted, player.kicked, session, own, player.full_at,
    )  # fmt: skip


@retry_on_conflict
def store(change: Change) -> None:
    """Store all of ``change``, or nothing; raises :class:`Deposed` if another referee has taken over.

    What was stored already, by a transaction whose answer was lost, is not stored again.
    """
    with transaction.atomic():
        shard = RefereeShard.objects.select_for_update().filter(shard=change.shard, fence=change.fence).first()
        if shard is None:
            raise Deposed
        if shard.changes >= change.number:
            return
        RefereeShard.objects.filter(pk=shard.pk).update(
            changes=change.number, last_entry=change.last_entry, stream=change.stream
        )
        if change.rooms:
            _store_rooms(change.rooms)


def _store_rooms(rooms: Sequence[RoomChange]) -> None:
    bulk.update(
        Room, ("epoch", "state", "here", "used_at"),
        [
            (one.room, one.epoch, Room.State.CLOSED if one.closed else Room.State.OPEN, one.here, _moment(one.used_ms))
            for one in rooms
        ],
    )  # fmt: skip
    begun = [(one.room, *board) for one in rooms for board in one.begun]
    RoomBoard.objects.bulk_create(
        RoomBoard(room_id=room, epoch=epoch, start_number=start, started_at=_moment(at))
        for room, epoch, start, at in begun
    )
    ids = _board_ids(rooms)
    bulk.update(RoomBoard, ("number",), [(ids[one.room, one.board_epoch], one.number) for one in rooms])
    RoomLog.objects.bulk_create(
        RoomLog(board_id=ids[one.room, epoch], first=first, last=first + len(moves) - 1, moves=pack_log(moves))
        for one in rooms
        for epoch, (first, moves) in one.moves.items()
    )
    players = [row for one in rooms for row in one.players]
    gone = _deleted_accounts(user_id for _room, _key, user_id, *_ in players)
    rows = [(*row[:2], None, RoomPlayer.NOBODY, *row[4:]) if row[2] in gone else row for row in players]
    bulk.upsert(RoomPlayer, ("room_id", "key"), _PLAYER_COLUMNS, rows)
    _store_snapshots(rooms, ids)
    _store_ended(rooms, ids)


def _deleted_accounts(user_ids: Iterable[int | None]) -> set[int]:
    """Return the accounts that were deleted while their room was open, which has them in memory."""
    ids = {user_id for user_id in user_ids if user_id is not None}
    return ids.difference(User.objects.filter(pk__in=ids, deletion=None).values_list("pk", flat=True)) if ids else ids


def _board_ids(rooms: Sequence[RoomChange]) -> dict[tuple[int, int], int]:
    rows = RoomBoard.objects.filter(
        room__in=[one.room for one in rooms],
        epoch__gte=min(
            min([one.board_epoch, *one.moves, *(ended.board_epoch for ended in one.ended)]) for one in rooms
        ),
    )
    return {(room, epoch): pk for room, epoch, pk in rows.values_list("room_id", "epoch", "pk")}


def _store_snapshots(rooms: Sequence[RoomChange], ids: dict[tuple[int, int], int]) -> None:
    RoomSnapshot.objects.bulk_create(
        [
            RoomSnapshot(
                board_id=ids[one.room, one.board_epoch], number=one.snapshot.number, state=pack_state(one.snapshot)
            )
            for one in rooms
            if one.snapshot is not None
        ],
        update_conflicts=True,
        unique_fields=["board"],
        update_fields=["number", "state"],
    )


def _store_ended(rooms: Sequence[RoomChange], ids: dict[tuple[int, int], int]) -> None:
    ended = [(ids[one.room, board.board_epoch], board) for one in rooms for board in one.ended]
    if not ended:
        return
    gone = _deleted_accounts(row["user"] for _pk, board in ended for row in board.scores)
    for row in (row for _pk, board in ended for row in board.scores if row["user"] in gone):
        row.update(user=None, name=RoomPlayer.NOBODY)
    RoomBoard.objects.bulk_update(
        [
            RoomBoard(
                pk=pk, end=board.end, ended_at=_moment(board.ended_ms), elapsed_ms=board.elapsed_ms,
                number=board.number, scores=board.scores,
            )
            for pk, board in ended
        ],
        ["end", "ended_at", "elapsed_ms", "number", "scores"],
    )  # fmt: skip
    RoomSnapshot.objects.filter(board__in=[pk for pk, _board in ended]).delete()
    _add_totals([row for _pk, board in ended for row in board.scores if row["user"] is not None])


def _add_totals(rows: Sequence[dict[str, Any]]) -> None:
    """Add to the sums of accounts in one statement: what is added to is never read before."""
    sums: dict[int, list[int]] = {}
    for row in rows:
        total = sums.setdefault(row["user"], [0, 0, 0])
        total[0] += 1
        total[1] += row["score"]
        total[2] += row["blasts"]
    known = set(User.objects.filter(pk__in=sums, is_active=True).values_list("pk", flat=True))
    values = [(user, *total) for user, total in sorted(sums.items()) if user in known]
    if not values:
        return
    table = connection.ops.quote_name(RoomTotal._meta.db_table)
    places = ", ".join(["(%s, %s, %s, %s)"] * len(values))
    sets = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in ("boards", "score", "blasts"))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} (user_id, boards, score, blasts) VALUES {places} "  # noqa: S608 - our own names
            f"ON CONFLICT (user_id) DO UPDATE SET {sets}",
            [value for row in values for value in row],
        )


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


# --- loading ----------------------------------------------------------------------------------------------------------


def load_room(pk: int, limits: Limits, now_ms: int) -> RoomState | None:
    """Return None if there is no such room.  A room that has no board yet begins its first at ``now_ms``."""
    room = Room.objects.filter(pk=pk).first()
    if room is None:
        return None
    board = RoomBoard.objects.filter(room=room).order_by("-epoch").first()
    if board is None:
        state = RoomState(room, limits, room.epoch, room.epoch, now_ms)
        state.changes.begun.append((state.epoch, state.laying.start_number, now_ms))
        return state
    state = RoomState(room, limits, room.epoch, board.epoch, round(board.started_at.timestamp() * 1000))
    _load_game(state, board)
    state.finished_ms = board.elapsed_ms if board.ended_at is not None else None
    state.restore_players([_player(row) for row in RoomPlayer.objects.filter(room=room).order_by("number")])
    state.used_ms = round(room.used_at.timestamp() * 1000)
    state.first = state.game.number + 1
    return state


def _load_game(state: RoomState, board: RoomBoard) -> None:
    snapshot = RoomSnapshot.objects.filter(board=board).first()
    after = snapshot.number if snapshot is not None else 0
    if snapshot is not None:
        stored = unpack_state(bytes(snapshot.state), snapshot.number, state.laying.rows, state.laying.columns)
        state.game = ServerGame.restore(state.board_mines, stored, state.rules)
    with_history = not state.room.sealed and board.number <= _HISTORY_MOVES
    logs = RoomLog.objects.filter(board=board, last__gt=0 if with_history else after).order_by("first")
    number = 0 if with_history else after
    for row in logs:
        logged = unpack_log(bytes(row.moves))
        if not row.first <= number + 1 <= row.last + 1:
            raise BrokenRoom(f"The log of board {board} has a gap before {row.first}.")
        number = row.last
        if with_history:
            _add_history(state.history, logged)
        new = logged[max(0, after + 1 - row.first) :]
        if new.size and int(state.game.replay(moves_of(new)).max()) > Answer.FLAG_TAKEN:
            raise BrokenRoom(f"The log of board {board} has a move that is refused.")
    if state.game.number != board.number:
        raise BrokenRoom(f"The log of board {board} ends at {state.game.number}, not at {board.number}.")
    if not with_history and not state.room.sealed:
        state.history = bytearray(MAX_HISTORY_BYTES + 1)  # too long to be sent; its bytes are never read
    state.snapshot_number = after


def _add_history(history: bytearray, logged: np.ndarray[Any, Any]) -> None:
    for cell, player, kind in zip(*(logged[name].tolist() for name in ("cell", "player", "kind")), strict=True):
        history += frames.move_bytes(player, _WIRE_KINDS[kind], cell)


def _player(row: RoomPlayer) -> Player:
    player = Player(
        row.key, row.name, row.number, row.hue, row.shade, row.muted, row.kicked, row.full_at,
    )  # fmt: skip
    if row.session:
        player.sessions[row.session] = Session(row.own)
    return player


def pack_state(state: State) -> bytes:
    parts = (state.owner.astype("<u2"), state.stamp.astype("<u4"), state.flags.astype("<u2"))
    return zlib.compress(b"".join(part.tobytes() for part in parts), 1)


def unpack_state(packed: bytes, number: int, rows: int, columns: int) -> State:
    data, cells, at = zlib.decompress(packed), rows * columns, 0
    arrays = []
    for kind in ("<u2", "<u4", "<u2"):
        part = np.frombuffer(data, kind, cells, at)
        arrays.append(part.reshape(rows, columns))
        at += part.nbytes
    return State(number, *arrays)
