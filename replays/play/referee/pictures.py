"""The picture of a room for who enters it, or has missed something."""

from __future__ import annotations

from replays.play import wire
from replays.play.referee import frames
from replays.play.referee.bus import Visitor
from replays.play.referee.state import MAX_HISTORY_BYTES, RoomState


def room_frame(state: RoomState, visitor: Visitor, now_ms: int) -> bytes:
    """ROOM for one visitor; ``server_ms`` is how long the board has been played."""
    room, laying = state.room, state.laying
    player = state.players.get(visitor.key)
    return wire.Room(
        epoch=state.epoch,
        number=state.game.number,
        you=player.number if player is not None else 0,
        sealed=room.sealed,
        flags=room.flags,
        chords=room.chords,
        coop=room.coop,
        rows=laying.rows,
        columns=laying.columns,
        area=laying.area,
        area_mines=laying.area_mines,
        modulus=laying.modulus,
        start=0 if room.sealed else laying.start_number,
        mines=state.mines,
        server_ms=max(0, now_ms - state.started_ms),
        name=room.name,
    ).encode()


def picture_frames(state: RoomState) -> list[bytes]:
    """Return what follows ROOM, the same for everybody: the board, all players, who else is here, and the end.  Nothing may wait to be sent."""
    players = [player for player in state.players.values() if player.hue is not None]
    frames_of_all = [
        _board_frame(state), state.players_frame(players), wire.Here(state.here).encode(), state.visitors_frame(),
    ]  # fmt: skip
    if state.finished_ms is not None:
        frames_of_all.append(state.finished_frame(state.finished_ms))
    return frames_of_all


def _board_frame(state: RoomState) -> bytes:
    game = state.game
    if not state.room.sealed and len(state.history) <= MAX_HISTORY_BYTES:
        return frames.history_frame(state.epoch, game.number, state.history)
    shown = frames.shown_faces(game.numbers, game.stamp, game.flags)
    owner = game.owner.astype("<u2")
    return wire.Snapshot(state.epoch, game.number, wire.pack(shown.tobytes()), wire.pack(owner.tobytes())).encode()
