"""One game while it is played.  Nothing here waits for the database."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import uuid
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol

from django.conf import settings as site
from django.utils import timezone

from analysis import fair
from analysis.click_machine import Result
from analysis.fair import Rules
from analysis.limits import MAX_CELL_PX
from analysis.live import Advance, ClockWatch, LiveError, LiveGame, RankedTime, jitter_of, ranked_time
from analysis.live.ranked_time import AHEAD_MS
from analysis.recording import Board, Finding, Kind, Mode, Recording
from replays.play import wire
from replays.play.models import LiveGame as Row
from replays.play.sockets.visitors import Visitor
from replays.play.solo.shapes import GameShape
from replays.trust.judging.findings import finding_row

State = Row.State
_MS_NS: Final = 1_000_000
#: By this share a client's clock may run faster before its events come from the future; computers' keep well within it.
FUTURE_RATE: Final = 0.0005
_FEWEST_PINGS: Final = 5
_DEVICE_CHARS: Final = 500
#: Copies are remembered of so many messages ahead, with so many events each; seconds of a connection that is held up.
MOST_COPIES: Final = 200
MOST_COPIED_EVENTS: Final = 500
_BUTTONS: Final = frozenset(kind for kind in Kind if kind is not Kind.MOVE)


class GameRefused(Exception):
    """Refusal of a message, which ends the game; ``code`` of ``reasons``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class PlayerSocket(Protocol):
    """Methods that a game and its end need of the socket on which it is played (``solo_consumer``)."""

    @property
    def differences(self) -> Collection[tuple[int, int, int]]: ...

    def send_now(self, message: wire.Message | bytes) -> bool: ...

    def answer(self, game: PlayedGame, step: Advance, *, always: bool) -> None: ...

    def end_refused(self, game: PlayedGame, reason: str) -> None: ...

    def show_end(self, game: PlayedGame) -> None: ...

    def taken_over(self) -> None: ...


class PlayedGame:
    """A game of one visitor: the click machine, the clocks, and what becomes a row.

    ``connection``: the socket on which it is played, None while that is away.  ``reason``: why it cannot rank.  The
    secret is in no text that this class makes of itself.
    """

    def __init__(self, visitor: Visitor, shape: GameShape, cell_px: int, bits: int, device: str) -> None:
        self.id = uuid.uuid4()
        self.visitor, self.shape = visitor, shape
        self.settings = wire.Settings(bits)
        self.device = _short_json(device)
        self.secret = secrets.token_bytes(fair.SECRET_BYTES)
        self.commit = fair.commitment(str(self.id), self.secret)
        self.machine = LiveGame(
            shape.rows, shape.columns, min(max(cell_px, 1), MAX_CELL_PX),
            question_marks=wire.Settings.QUESTION_MARKS in self.settings,
        )  # fmt: skip
        self.reason = self._reason_from_the_start()
        self.state: str = State.WAITING
        self.nonce: bytes | None = None
        self.first_cell: int | None = None
        self.attempt = 0
        self.seq = 0
        #: Messages that came over the second socket first, when, and by how much earlier that may have been.
        self._copies: dict[int, tuple[tuple[wire.Event, ...], int, int]] = {}
        self._clock_ms = self._x = self._y = 0  # of the last event, as the client counts
        self._last_ms = 0  # of the last event, as it is played
        self.created_at = timezone.now()
        self.started_at: datetime | None = None
        self.ended_at: datetime | None = None
        self.zero_ns = time.monotonic_ns()  # when GAME was sent
        self.opened_ns: int | None = None
        self.decided_ns: int | None = None
        self._waited_ns = 0  # for a board that needs no guess
        self.ranked: RankedTime | None = None
        self.jitter_at_end_ms = 0.0
        #: Of the socket: when each ping was sent, the client's clock, and when it was answered.
        self.pings: Collection[tuple[int, int, int]] = ()
        self._watch = ClockWatch()
        self.connection: PlayerSocket | None = None
        self.away_since: float | None = None
        self.search: asyncio.Task[None] | None = None  # for a board that needs no guess
        self.is_stored = False  # its row

    def __repr__(self) -> str:
        return f"<game {self.id} {self.state}>"

    @property
    def mode(self) -> Mode:
        """Mode of its recording: other ways of input are other rules, unless the site ranks them."""
        own_input = self._reason_of_input() != ""
        return Mode.OTHER if own_input and self.shape.mode is Mode.STANDARD else self.shape.mode

    def _reason_from_the_start(self) -> str:
        return self.shape.unranked or ("guest" if self.visitor.user_id is None else "") or self._reason_of_input()

    def _reason_of_input(self) -> str:
        if wire.Settings.LEFT_ALONE_CHORDS in self.settings and not site.RANK_LEFT_CHORDS:
            return "left_chords"
        return "touch" if wire.Settings.TOUCH in self.settings and not site.RANK_TOUCH else ""

    # --- playing ------------------------------------------------------------------------------------------------------

    def start(self, nonce: bytes) -> None:
        """The client's share in the board; once, and before any event.  After a lost connection the same comes again."""
        if nonce == self.nonce:
            return
        if self.nonce is not None or self.state != State.WAITING:
            raise GameRefused("sequence")
        self.nonce = nonce

    def play(self, message: wire.Input, received_ns: int, lag_ns: int = 0) -> Advance:
        """Play the events of the next message, which came at ``received_ns``, or up to ``lag_ns`` earlier while nobody looked.

        In doubt it came late if it opens the game, and early if it decides it.
        Raises :class:`GameRefused`.  ``Advance.needs_board``: :meth:`lay` must follow.
        """
        if self.nonce is None:
            raise GameRefused("sequence")
        if message.seq != self.seq + 1:
            raise GameRefused("sequence")
        received_ns, lag_ns = self._earliest(message, received_ns, lag_ns)
        rows = self._rows(message.events)
        # A client's clock began when GAME arrived, later than ours: an honest event is never ahead of our clock.
        elapsed_ms = (received_ns - self.zero_ns) / _MS_NS
        ahead_ms = self._clock_ms - elapsed_ms * (1 + FUTURE_RATE) - AHEAD_MS
        if rows and ahead_ms > 0 and ahead_ms > self.jitter_ms:
            raise GameRefused("future")
        if rows:
            self._watch.note(self._clock_ms, elapsed_ms)
        self.seq = message.seq
        waiting = self.machine.needs_board is not None
        try:
            step = self.machine.feed(rows)
        except LiveError as error:
            raise GameRefused(error.code) from error
        if step.needs_board is not None and not waiting:
            self.first_cell, self.opened_ns = step.needs_board, received_ns
            self.started_at, self.state = timezone.now(), State.PLAYING
        self._note_end(step, received_ns - lag_ns)
        return step

    def note_copy(self, copy: wire.Copy, received_ns: int, lag_ns: int = 0) -> None:
        """An INPUT that arrived at ``received_ns`` over the second socket; of use if it is here before its original."""
        if self.seq < copy.seq <= self.seq + MOST_COPIES and len(copy.events) <= MOST_COPIED_EVENTS:
            self._copies.setdefault(copy.seq, (copy.events, received_ns, lag_ns))

    def _earliest(self, message: wire.Input, received_ns: int, lag_ns: int) -> tuple[int, int]:
        """Return when ``message`` arrived first, and by how much earlier that may have been.

        A copy that differs has been taken back: the player decided early and thought better of it, which would be a
        free try.  So the game does not rank.
        """
        copied = self._copies.pop(message.seq, None)
        if copied is None:
            return received_ns, lag_ns
        events, copied_ns, copied_lag_ns = copied
        if events != message.events:
            self.reason = self.reason or "copy_differs"
            return received_ns, lag_ns
        first_ns = min(copied_ns, received_ns)
        return first_ns, first_ns - min(copied_ns - copied_lag_ns, received_ns - lag_ns)

    def _rows(self, events: Sequence[wire.Event]) -> list[tuple[int, int, int, int]]:
        """The events of a message with absolute times and points."""
        rows = []
        waited_ms = self._waited_ns // _MS_NS
        for dt_ms, kind, dx, dy in events:
            self._clock_ms += dt_ms
            self._x += dx
            self._y += dy
            self._last_ms = max(self._clock_ms - waited_ms, self._last_ms) if waited_ms else self._clock_ms
            rows.append((self._last_ms, self._x, self._y, kind))
        return rows

    def board(self, attempt: int = 0) -> Board:
        """The board that secret, nonce and first cell give; without guesses that of ``attempt``."""
        shape = self.shape
        if self.nonce is None or self.first_cell is None:
            raise ValueError("the board is not known before the first click")
        return fair.board(
            self.secret, self.nonce, shape.rows, shape.columns, shape.mines, shape.rules, self.first_cell, attempt
        )

    def lay(self, received_ns: int, attempt: int = 0) -> Advance:
        """Lay the board and play on; ``received_ns``: the clock now, or when the opening event arrived."""
        self.attempt = attempt
        if self.shape.rules is Rules.NO_GUESS and self.opened_ns is not None:
            self._waited_ns = max(received_ns - self.opened_ns, 0)  # nobody plays while a board is looked for
        step = self.machine.lay(self.board(attempt))
        self._note_end(step, received_ns)
        return step

    def _note_end(self, step: Advance, received_ns: int) -> None:
        if step.result is not None and self.decided_ns is None:
            self.decided_ns = received_ns

    # --- the clocks ---------------------------------------------------------------------------------------------------

    @property
    def jitter_ms(self) -> float:
        """Spread of the connection's delays, by the pings in this game, or the last few if it has too few."""
        own = [one for one in self.pings if one[0] >= self.zero_ns]
        used = own if len(own) >= _FEWEST_PINGS else list(self.pings)[-_FEWEST_PINGS:]
        return jitter_of([(answered - sent) / _MS_NS for sent, _client, answered in used])

    def server_span_ns(self, now_ns: int) -> int:
        """From the opening event to now, or to the deciding one; 0 before."""
        if self.opened_ns is None:
            return 0
        return max((self.decided_ns or now_ns) - self.opened_ns - self._waited_ns, 0)

    def elapsed_ms(self, now_ns: int) -> int:
        return self.server_span_ns(now_ns) // _MS_NS

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self, now_ns: int) -> None:
        """The game was decided: settle the time that counts, and whether it may rank."""
        self.state, self.ended_at = State.OVER, timezone.now()
        self.jitter_at_end_ms = self.jitter_ms
        self.ranked = ranked_time(self.machine.span_ms, self.server_span_ns(now_ns) / _MS_NS, self.jitter_at_end_ms)
        if self.ranked.suspicious or self._watch.suspicious:
            self.reason = self.reason or "clock"

    def abandon(self, reason: str) -> None:
        self.state, self.ended_at = State.ABANDONED, timezone.now()
        self.reason = reason
        if self.search is not None:
            self.search.cancel()

    @property
    def is_running(self) -> bool:
        return self.state in (State.WAITING, State.PLAYING)

    @property
    def time_ms(self) -> int:
        """The time that counts, or what passed before the game was given up."""
        return self.ranked.time_ms if self.ranked is not None else self.elapsed_ms(time.monotonic_ns())

    def findings(self) -> list[Finding]:
        return self.machine.findings()

    def recording(self, player: str) -> Recording:
        if self.ranked is None or self.started_at is None:
            raise ValueError("only a decided game becomes a recording")
        opening = self.machine.events()["time_ms"][self.machine.opening_event or 0]
        return self.machine.recording(
            player=player,
            played_at=self.started_at - timedelta(milliseconds=int(opening - self.machine.events()["time_ms"][0])),
            mode=self.mode,
            extra=self._extra(),
            shift_ms=self.ranked.shift_ms,
        )

    def _extra(self) -> dict[str, str]:
        """Header fields of the file, besides those of every recording."""
        return {
            "Game": str(self.id),
            "Rules": self.shape.rules.value,
            "Client_ms": str(self.machine.span_ms),
            "Server_ms": f"{self.server_span_ns(0) / _MS_NS:.3f}",
            "Jitter_ms": f"{self.jitter_at_end_ms:.1f}",
            "Settings": ", ".join(self.setting_words()) or "none",
            "Device": self.device,
        }

    def setting_words(self) -> list[str]:
        return [str(flag.name).lower() for flag in wire.Settings if flag in self.settings]

    # --- the row ------------------------------------------------------------------------------------------------------

    def row(self, holder: str) -> Row:
        ended, counts = not self.is_running, self.machine.counts._asdict()
        return Row(
            id=self.id, user_id=self.visitor.user_id, guest="" if self.visitor.user_id is not None else self.visitor.guest,
            level=self.shape.level.value, rows=self.shape.rows, columns=self.shape.columns, mines=self.shape.mines,
            rules=self.shape.rules.value, commit=self.commit, secret=self.secret, nonce=self.nonce or b"",
            first_cell=self.first_cell, attempt=self.attempt, state=self.state, result=self._result(), reason=self.reason,
            created_at=self.created_at, started_at=self.started_at, ended_at=self.ended_at, cell_px=self.machine.cell_px,
            settings={"bits": int(self.settings), "words": self.setting_words(), "device": self.device},
            server_span_us=self.server_span_ns(time.monotonic_ns()) // 1_000 if ended else None,
            client_span_ms=self.machine.span_ms if ended else None,
            jitter_ms=None if self.ranked is None else round(self.jitter_at_end_ms),
            time_ms=self.time_ms if ended else None, bv=self.machine.bv if ended else None,
            counts=counts if ended else {}, findings=[finding_row(finding) for finding in self.findings()] if ended else [],
            holder="" if ended else holder,
        )  # fmt: skip

    def _result(self) -> str:
        if self.machine.result is None:
            return ""
        return str(Row.Result.WON if self.machine.result is Result.WON else Row.Result.LOST)


def buttons_in(events: Sequence[wire.Event]) -> int:
    return sum(event.kind in _BUTTONS for event in events)


def _short_json(text: str) -> str:
    """Return a page's facts about its device as one line of JSON; "" if they are no JSON object, empty or too long."""
    try:
        value = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict) or not value:
        return ""
    line = json.dumps(value)
    return line if len(line) <= _DEVICE_CHARS else ""
