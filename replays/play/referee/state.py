"""A room in the memory of the referee: it decides moves, and collects what is to be sent and what is to be stored.

Every decision follows from the stored state and from the entries of the stream since then: a referee that starts again
decides the same.  So nothing here asks for the time or draws a random number; the time of a move is that of its entry.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from analysis.multiplayer.colours import Colour, Dealer
from analysis.multiplayer.laying import Laying, lay
from analysis.multiplayer.server_game import Answer, Rules, ServerGame
from analysis.multiplayer.server_game import MoveKind as DecidedKind
from replays.play import wire
from replays.play.models import Room, RoomBoard
from replays.play.referee import frames
from replays.play.referee.boards import board_of, draws_of
from replays.play.referee.bus import Visitor
from replays.play.referee.players import Player
from replays.play.wire.codecs import UINT_MOST
from replays.play.wire.rows import AnswerResult, MoveKind, PlayerRow, VisitorRow

#: What the kernel decides, on the wire.
_RESULTS: Final = {
    Answer.OPENED: AnswerResult.OPENED,
    Answer.BLAST: AnswerResult.BLAST,
    Answer.FLAG_SET: AnswerResult.OPENED,
    Answer.FLAG_TAKEN: AnswerResult.OPENED,
    Answer.ALREADY_OPEN: AnswerResult.ALREADY_OPEN,
    Answer.OUTSIDE: AnswerResult.OUTSIDE,
    Answer.FLAGGED: AnswerResult.FLAGGED,
    Answer.NO_CHORD: AnswerResult.NOT_ALLOWED,
    Answer.NOT_ALLOWED: AnswerResult.NOT_ALLOWED,
    Answer.OVER: AnswerResult.ROOM_OVER,
}
_DECIDED_KINDS: Final = {
    int(MoveKind.OPEN): int(DecidedKind.OPEN),
    int(MoveKind.FLAG): int(DecidedKind.FLAG),
    int(MoveKind.CHORD): int(DecidedKind.CHORD),
}
#: Bytes of arrays for a cell: number, owner, stamp, flag, and the lists of the kernel.
_BYTES_A_CELL: Final = 20
_BYTES_OF_ROOM: Final = 200_000
#: Visitors without a cell whose names are sent.
_VISITORS_NAMED: Final = 24
#: The history of an open board is sent up to this size; a longer one as a picture.
MAX_HISTORY_BYTES: Final = 150_000


@dataclass(slots=True)
class Limits:
    players: int
    sockets: int
    moves_a_second: int


@dataclass(slots=True)
class EndedBoard:
    board_epoch: int
    end: str
    ended_ms: int
    elapsed_ms: int
    number: int
    scores: list[dict[str, Any]]


@dataclass(slots=True)
class Changes:
    """Changes of a room still to be stored; ``moves``: by board epoch, first stamp and [(cell, player, kind, ms)]."""

    moves: dict[int, tuple[int, list[tuple[int, int, int, int]]]] = field(default_factory=dict)
    players: dict[str, str] = field(default_factory=dict)  # key: the session in which it played last
    ended: list[EndedBoard] = field(default_factory=list)
    begun: list[tuple[int, int, int]] = field(default_factory=list)  # epoch, start number, when
    epoch: bool = False
    closed: bool = False
    here: bool = False

    def __bool__(self) -> bool:
        return bool(self.moves or self.players or self.ended or self.begun or self.epoch or self.closed or self.here)


class RoomState:
    """``board_epoch``: with which the running board began; ``epoch``: the current one.
    ``visitors``: by web process and connection; ``web_seen``: when a web process was heard of last.
    """

    def __init__(self, room: Room, limits: Limits, epoch: int, board_epoch: int, started_ms: int) -> None:
        self.room, self.limits = room, limits
        self.id: int = room.pk
        self.rules = Rules(flags=room.flags, chords=room.chords)
        self.closed = room.state == Room.State.CLOSED
        self.epoch, self.board_epoch, self.started_ms = epoch, board_epoch, started_ms
        self.players: dict[str, Player] = {}
        self.by_number: dict[int, Player] = {}
        self.visitors: dict[tuple[str, int], Visitor] = {}
        self.changes = Changes()
        self.used_ms = started_ms
        self.sequence = 0
        self.snapshot_number, self.snapshot_ms = 0, started_ms
        self._here_shown: int | None = None
        self._draws = random.Random(0)
        self._lay(board_of(room, board_epoch))
        self._new_batch()

    # --- the board ---

    def _lay(self, laying: Laying) -> None:
        self.laying = laying
        mines = lay(laying)
        self.mines = int(np.count_nonzero(mines))
        self.board_mines = mines
        self.game = ServerGame(mines, self.rules)
        self._numbers = self.game.numbers.ravel()  # by cell
        self.dealer = Dealer(self._draw)
        self.history = bytearray()
        #: How long the board took, while it stays and its owner has not begun the next.
        self.finished_ms: int | None = None

    def restore_players(self, players: list[Player]) -> None:
        """Take over the players of the database; colours that were dealt stay."""
        for player in players:
            self.players[player.key] = self.by_number[player.number] = player
        dealt = {
            player.number: Colour(player.hue, player.shade)
            for player in players
            if player.hue is not None and player.shade is not None
        }
        self.dealer = Dealer(self._draw, dealt)

    def _draw(self, count: int) -> int:
        """Draw by the paper's rule; in a sealed room take the hues in their order, of which neighbours are far apart."""
        return 0 if self.room.sealed else self._draws.randrange(count)

    @property
    def memory(self) -> int:
        return _BYTES_OF_ROOM + _BYTES_A_CELL * self.laying.cells + len(self.history) + 500 * len(self.players)

    # --- visitors ---

    def join(self, web: str, connection: int, visitor: Visitor) -> str:
        """A connection enters; returns the code of the error if it may not."""
        player = self.players.get(visitor.key)
        if self.closed:
            return "room_closed"
        if player is not None and player.kicked:
            return "kicked"
        if (web, connection) not in self.visitors and len(self.visitors) >= self.limits.sockets:
            return "room_full"
        self.leave(web, connection)
        self.visitors[web, connection] = visitor
        if player is not None:
            player.here += 1
            self._show(player)
        self.changes.here, self._here_shown = True, None
        return ""

    def leave(self, web: str, connection: int) -> None:
        visitor = self.visitors.pop((web, connection), None)
        if visitor is None:
            return
        self.changes.here, self._here_shown = True, None
        player = self.players.get(visitor.key)
        if player is not None and player.here:
            player.here -= 1
            self._show(player)

    @property
    def here(self) -> int:
        return len({visitor.key for visitor in self.visitors.values()})

    # --- moves ---

    def decide_all(self, web: str, visitors: list[list[Any]], moves: list[list[int]], at_ms: int) -> int:
        """Decide the moves of an entry, each [connection, place of its visitor, own, epoch, kind, cell], in their order.

        Ends early when a new board begins, so that the batch of the old one can be sent; returns how many are done.
        """
        known = list(map(Visitor._make, visitors))
        for done, (connection, place, own, epoch, kind, cell) in enumerate(moves, 1):
            result, stamp = self.move(known[place], own, epoch, kind, cell, at_ms)
            self.answer(web, connection, epoch, own, result, stamp)
            if self.new_board:
                return done
        return len(moves)

    def move(
        self, visitor: Visitor, own: int, epoch: int, kind: int, cell: int, at_ms: int
    ) -> tuple[AnswerResult, int]:
        """Decide a move; returns the answer and its stamp.  A move that was decided before is only answered again."""
        player = self.players.get(visitor.key)
        session = None if player is None else player.session(visitor.session)
        if session is not None and (known := session.known(own)) is not None:
            return known
        answer = self._decide(player, visitor, epoch, kind, cell, at_ms)
        if session is None and (player := self.players.get(visitor.key)) is not None:
            session = player.session(visitor.session)
        if session is not None:
            session.remember(own, answer)
            self.changes.players[visitor.key] = visitor.session
        return answer

    def _decide(
        self, player: Player | None, visitor: Visitor, epoch: int, kind: int, cell: int, at_ms: int
    ) -> tuple[AnswerResult, int]:
        if not visitor.may_play or self.closed or (player is not None and (player.muted or player.kicked)):
            return AnswerResult.NOT_ALLOWED, 0
        if epoch != self.epoch:
            return AnswerResult.ROOM_OVER, 0
        if player is not None and not player.takes(at_ms, self.limits.moves_a_second):
            return AnswerResult.TOO_FAST, 0
        number = player.number if player is not None else len(self.players) + 1
        if number > self.limits.players and player is None:
            return AnswerResult.NOT_ALLOWED, 0
        decided_kind = _DECIDED_KINDS.get(kind)
        if decided_kind is None:
            return AnswerResult.NOT_ALLOWED, 0
        decided = self.game.move(cell, number, decided_kind)
        result = _RESULTS[decided.result]
        if decided.stamp == 0:
            return result, 0
        self._accept(player or self._enter(visitor, number), decided, kind, cell, at_ms)
        return result, decided.stamp

    def _enter(self, visitor: Visitor, number: int) -> Player:
        """A visitor becomes a player by its first accepted move."""
        player = Player(visitor.key, visitor.name, number)
        player.here = sum(one.key == visitor.key for one in self.visitors.values())
        self.players[player.key] = self.by_number[number] = player
        return player

    def _accept(self, player: Player, decided: Any, kind: int, cell: int, at_ms: int) -> None:
        if player.hue is None:
            self._draws = draws_of(self.room, self.board_epoch, player.number)
            player.hue, player.shade = self.dealer.colour_of(player.number)
            self._here_shown = None  # no longer one of those without a cell
        self._show(player)
        is_taken = decided.result is Answer.FLAG_TAKEN
        head = frames.move_bytes(player.number, MoveKind.UNFLAG if is_taken else kind, cell)
        if self.room.sealed:
            self._moves.append(head + self._changed(decided, cell))
        else:
            self._moves.append(head + frames.NO_CELLS)
            self.history += head
        self._log(decided.stamp, (cell, player.number, _DECIDED_KINDS[kind], at_ms - self.started_ms))
        self.used_ms = at_ms
        if self.game.over:
            self._finish(at_ms)

    def _changed(self, decided: Any, cell: int) -> bytes:
        """The cells that a move of a sealed room changed, with their faces."""
        cells = decided.cells
        if cells.size == 1 and not decided.unflagged.size and cells.item() == cell:  # most clicks open one cell
            return frames.itself(self._numbers.item(cell))
        faces = self._numbers[cells]
        closed = decided.unflagged[~np.isin(decided.unflagged, cells)] if decided.unflagged.size else decided.unflagged
        flagged = decided.flagged
        if closed.size or flagged.size:
            cells = np.concatenate([cells, closed, flagged]).astype(np.int32)
            faces = np.concatenate(
                [
                    faces,
                    np.full(closed.size, wire.FACE_CLOSED, np.uint8),
                    np.full(flagged.size, wire.FACE_FLAG, np.uint8),
                ]
            )
        return frames.near_bytes(cell, cells, faces)

    def _log(self, stamp: int, move: tuple[int, int, int, int]) -> None:
        waiting = self.changes.moves.get(self.board_epoch)
        if waiting is None:
            self.changes.moves[self.board_epoch] = stamp, [move]
        else:
            waiting[1].append(move)

    # --- boards ---

    def _finish(self, at_ms: int) -> None:
        self._flush_moves()
        elapsed = max(0, at_ms - self.started_ms)
        at_once = self.room.next_board == Room.Next.AT_ONCE
        self.frames.append(self.finished_frame(elapsed, next_in_ms=1 if at_once else 0))
        self._end(RoomBoard.End.FINISHED, at_ms)
        if at_once:
            self._begin(at_ms)
        else:
            self.finished_ms = elapsed

    def restart(self, at_ms: int) -> None:
        self._flush_moves()
        if self.finished_ms is None:
            self._end(RoomBoard.End.LEFT, at_ms)
        self._begin(at_ms)

    def _end(self, end: str, at_ms: int) -> None:
        elapsed = max(0, at_ms - self.started_ms)
        self.changes.ended.append(
            EndedBoard(self.board_epoch, str(end), at_ms, elapsed, self.game.number, self._scores())
        )

    def _begin(self, at_ms: int) -> None:
        """The next board: a new epoch, colours dealt anew.  Everybody gets a fresh picture."""
        self.epoch += 1
        self.board_epoch, self.started_ms = self.epoch, at_ms
        self._lay(board_of(self.room, self.epoch))
        for player in self.players.values():
            player.hue = player.shade = player.shown = None
        self._changed_players.clear()
        self.changes.players = {**dict.fromkeys(self.players, ""), **self.changes.players}
        self.changes.begun.append((self.epoch, self.laying.start_number, at_ms))
        self.snapshot_number, self.snapshot_ms = 0, at_ms
        self.new_board = True

    def raise_epoch(self) -> None:
        """Moves were lost: what anybody still has of them is dropped."""
        self._flush_moves()
        self.epoch += 1
        self.changes.epoch = True
        self.new_board = True

    def close(self, at_ms: int) -> None:
        self._flush_moves()
        if self.finished_ms is None and self.game.number:
            self._end(RoomBoard.End.LEFT, at_ms)
        self.closed = self.changes.closed = True

    def _scores(self) -> list[dict[str, Any]]:
        rows = [
            {
                "player": player.number,
                "name": player.name,
                "user": player.user_id,
                "hue": player.hue,
                "shade": player.shade,
                "score": self.score(player),
                "blasts": self.blasts(player),
            }
            for player in self.players.values()
            if player.hue is not None
        ]
        return sorted(rows, key=lambda row: (-row["score"], row["blasts"], row["player"]))

    def score(self, player: Player) -> int:
        return int(self.game.score[player.number]) if player.number < self.game.score.size else 0

    def blasts(self, player: Player) -> int:
        return int(self.game.blasts[player.number]) if player.number < self.game.blasts.size else 0

    # --- what is sent ---

    def _new_batch(self) -> None:
        self.frames: list[bytes] = []
        self.answers: dict[str, list[Any]] = {}
        self._moves: list[bytes] = []
        self._changed_players: dict[str, Player] = {}
        self.new_board = False
        self.first = self.game.number + 1

    def answer(self, web: str, connection: int, epoch: int, own: int, result: AnswerResult, stamp: int) -> None:
        frame = b"".join((_ANSWER, frames.uint(epoch), frames.uint(own), frames.uint(result), frames.uint(stamp)))
        waiting = self.answers.get(web)
        if waiting is None:
            self.answers[web] = [connection, frame]
        else:
            waiting += (connection, frame)

    def _show(self, player: Player) -> None:
        self._changed_players[player.key] = player

    @property
    def has_news(self) -> bool:
        """Whether there is something to send that should not wait."""
        return bool(self._moves or self.answers or self.frames or self.new_board)

    @property
    def has_changed_players(self) -> bool:
        return bool(self._changed_players) or self._here_shown is None

    def _flush_moves(self) -> None:
        """Turn the moves so far into frames; players whom nobody knows yet come before their moves."""
        new = [player for player in self._changed_players.values() if player.shown is None and player.hue is not None]
        if new:
            self.frames.append(self.players_frame(new))
        if self._moves:
            self.frames.append(frames.moves_frame(self.epoch, self.game.number - len(self._moves) + 1, self._moves))
            self._moves = []

    def take_batch(self, *, players: int) -> tuple[int, list[bytes], dict[str, list[Any]], bool]:
        """The first number, frames and answers since the last time, and whether everybody needs a fresh picture.

        ``players``: up to so many rows of known players whose scores or presence have changed go with it.
        """
        self._flush_moves()
        first, out, answers, fresh = self.first, self.frames, self.answers, self.new_board
        later = self._changed_players
        self._new_batch()
        if fresh:
            first = self.game.number + 1
        elif players:
            rows = [later.pop(key) for key in list(later)[:players]]
            changed = [row for row in rows if row.hue is not None and row.shown != self.row(row)]
            if changed:
                out.append(self.players_frame(changed))
            if self._here_shown is None:
                out += self.here_frames()
        if not fresh:
            self._changed_players = later
        self.sequence += 1
        return first, out, answers, fresh

    def row(self, player: Player) -> PlayerRow:
        return PlayerRow(
            player.number, player.name, player.hue or 0, player.shade or 0,
            self.score(player), self.blasts(player), player.here > 0,
        )  # fmt: skip

    def here_frames(self) -> list[bytes]:
        """HERE and VISITORS, and they count as shown."""
        self._here_shown = self.here
        return [wire.Here(self._here_shown).encode(), self.visitors_frame()]

    def visitors_frame(self) -> bytes:
        """VISITORS: the first of those who are here and have no colour on this board."""
        rows: dict[str, VisitorRow] = {}
        for visitor in self.visitors.values():
            player = self.players.get(visitor.key)
            if player is None or player.hue is None:
                rows[visitor.key] = VisitorRow(visitor.name, visitor.may_play)
                if len(rows) == _VISITORS_NAMED:
                    break
        return wire.Visitors(tuple(rows.values())).encode()

    def finished_frame(self, elapsed_ms: int, *, next_in_ms: int = 0) -> bytes:
        return wire.Finished(self.epoch, min(elapsed_ms, UINT_MOST), next_in_ms).encode()

    def players_frame(self, players: list[Player]) -> bytes:
        """PLAYERS, and they count as shown."""
        rows = []
        for player in players:
            player.shown = self.row(player)
            rows.append(player.shown)
        return wire.Players(self.epoch, tuple(rows)).encode()


_ANSWER: Final = bytes((wire.Answer.type_byte,))
