"""Classic rooms: one board, many players.

While a room is played, the referee is the only one that writes these tables, at most once a second and all rooms in one
transaction; ``RefereeShard`` is the guard of that transaction.
"""

from __future__ import annotations

import secrets
import string
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from analysis.names import shown_name
from players.choices import TextChoices

if TYPE_CHECKING:
    from analysis.multiplayer.laying import Laying

MAX_ROOM_CELLS: Final = 250_000
MAX_ROOM_NAME: Final = 40
_SLUG_CHARS: Final = string.ascii_lowercase + string.digits
_SLUG_LENGTH: Final = 10
_SECRET_BYTES: Final = 32


def new_slug() -> str:
    """The address of a room, which nobody guesses: 36^10 of them."""
    return "".join(secrets.choice(_SLUG_CHARS) for _place in range(_SLUG_LENGTH))


def new_secret() -> bytes:
    """From which the start numbers of the room's boards follow (``replays.play.referee.boards``)."""
    return secrets.token_bytes(_SECRET_BYTES)


class Room(models.Model):
    class State(TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    class Next(TextChoices):
        AT_ONCE = "at-once", _("at once")
        BY_OWNER = "by-owner", _("when the owner starts it")

    slug = models.CharField(max_length=16, unique=True, default=new_slug)
    name = models.CharField(max_length=MAX_ROOM_NAME)
    # A guest is the random name in a signed cookie.
    owner = models.ForeignKey("players.User", models.SET_NULL, null=True, blank=True, related_name="rooms")
    owner_guest = models.CharField(max_length=64, blank=True, default="", db_index=True)
    state = models.CharField(max_length=8, choices=State.options, default=State.OPEN)
    listed = models.BooleanField(default=True)

    rows = models.PositiveIntegerField(default=75)
    columns = models.PositiveIntegerField(default=75)
    area = models.PositiveIntegerField(default=16)
    area_mines = models.PositiveIntegerField(default=48)
    modulus = models.PositiveBigIntegerField(default=33_554_393)
    #: Of the first board; without one, and for all later boards, it follows from the secret.
    start_number = models.PositiveBigIntegerField(null=True, blank=True)
    secret = models.BinaryField(max_length=_SECRET_BYTES, default=new_secret, editable=False)

    #: Without it every browser lays the board by itself, as in the paper, and so knows its mines.
    sealed = models.BooleanField(default=True)
    flags = models.BooleanField(default=True)
    chords = models.BooleanField(default=True)
    coop = models.BooleanField(default=False)
    guests = models.BooleanField(default=True)
    next_board = models.CharField(max_length=8, choices=Next.options, default=Next.AT_ONCE)

    #: Rises with each board, and when moves were lost; moves and messages of an older epoch are dropped.
    epoch = models.PositiveIntegerField(default=1)
    #: Players with an open socket, as of the last time the referee stored the room.
    here = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes: ClassVar = [
            # The lobby: rooms with players first, then the ones that were used last.
            models.Index(
                fields=["-here", "-used_at", "-id"], condition=Q(state="open", listed=True), name="room_lobby"
            ),
            models.Index(fields=["used_at"], condition=Q(state="open"), name="room_open_by_use"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("play-room", args=[self.slug])

    @property
    def safe_cells(self) -> int:
        from analysis.multiplayer.laying import mine_count

        laying = self.laying(1)
        return laying.cells - mine_count(laying)

    def laying(self, start_number: int) -> Laying:
        from analysis.multiplayer.laying import Laying  # it imports numba, and so do its kernels

        return Laying(self.rows, self.columns, self.area, self.area_mines, self.modulus, start_number)


class RoomBoard(models.Model):
    """One board of a room; its address is the epoch with which it began."""

    class End(TextChoices):
        RUNNING = "", _("being played")
        FINISHED = "finished", _("finished")
        LEFT = "left", _("given up")

    room = models.ForeignKey(Room, models.CASCADE, related_name="boards", db_index=False)
    epoch = models.PositiveIntegerField()
    start_number = models.PositiveBigIntegerField()
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    end = models.CharField(max_length=8, choices=End.options, default=End.RUNNING, blank=True)
    elapsed_ms = models.PositiveBigIntegerField(default=0)
    #: Of the last stored move.
    number = models.PositiveIntegerField(default=0)
    #: Of a board that has ended: a list of {player, name, user, hue, shade, score, blasts}, best first.
    scores = models.JSONField(default=list, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["room", "epoch"], name="room_board_epoch")]
        indexes: ClassVar = [
            models.Index(fields=["-ended_at", "-id"], condition=Q(end="finished"), name="room_board_finished")
        ]

    def __str__(self) -> str:
        return f"{self.room_id}/{self.epoch}"

    @property
    def winner(self) -> dict[str, Any] | None:
        """The best row of ``scores``; None where all have one score together."""
        if self.room.coop or not self.scores:
            return None
        best: dict[str, Any] = self.scores[0]
        return {**best, "name": shown_name(best["name"])}

    @property
    def elapsed_text(self) -> str:
        minutes, seconds = divmod(self.elapsed_ms // 1000, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class RoomLog(models.Model):
    """The moves ``first`` to ``last`` of a board, packed by ``replays.play.referee.log``."""

    board = models.ForeignKey(RoomBoard, models.CASCADE, related_name="logs", db_index=False)
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    moves = models.BinaryField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "first"], name="room_log_first")]

    def __str__(self) -> str:
        return f"{self.board_id}: {self.first}-{self.last}"


class RoomSnapshot(models.Model):
    """The newest stored picture of a running board, so that not all its moves need be played again at a start."""

    board = models.OneToOneField(RoomBoard, models.CASCADE, primary_key=True, related_name="snapshot")
    number = models.PositiveIntegerField()
    state = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.board_id} after {self.number}"


class RoomPlayer(models.Model):
    """A visitor that played in a room.  The number stays; colour, score and blasts are those of the running board."""

    room = models.ForeignKey(Room, models.CASCADE, related_name="players", db_index=False)
    #: The name of an account that was deleted.
    NOBODY = "deleted account"

    #: ``u`` and the account, or ``g`` and the guest.
    key = models.CharField(max_length=72)
    user = models.ForeignKey("players.User", models.SET_NULL, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=150)
    number = models.PositiveIntegerField()
    hue = models.PositiveSmallIntegerField(null=True, blank=True)
    shade = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.PositiveIntegerField(default=0)
    blasts = models.PositiveIntegerField(default=0)
    muted = models.BooleanField(default=False)
    kicked = models.BooleanField(default=False)
    # What the decision on the player's next move depends on: the page it plays in, its last own number there, and when
    # the bucket of moves is full again (ms of the stream's clock).
    session = models.CharField(max_length=32, blank=True, default="")
    own = models.PositiveBigIntegerField(default=0)
    full_at = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["room", "key"], name="room_player_key"),
            models.UniqueConstraint(fields=["room", "number"], name="room_player_number"),
        ]

    def __str__(self) -> str:
        return f"{self.room_id}: {self.name}"


class RoomTotal(models.Model):
    """Sums of an account over all boards that it played in rooms."""

    user = models.OneToOneField("players.User", models.CASCADE, primary_key=True, related_name="room_total")
    boards = models.PositiveBigIntegerField(default=0)
    score = models.PositiveBigIntegerField(default=0)
    blasts = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.score}"


class RefereeShard(models.Model):
    """A shard: the referee that may write its rooms, and how far the shard's stream is stored."""

    shard = models.PositiveSmallIntegerField(primary_key=True)
    #: Rises with each referee; only the one with this number may write.
    fence = models.PositiveBigIntegerField(default=0)
    #: Transactions of referees so far, by which one whose answer was lost is known again.
    changes = models.PositiveBigIntegerField(default=0)
    #: The last entry of the stream whose moves are stored.
    last_entry = models.CharField(max_length=48, default="0-0")
    #: The random name of the stream, which is gone when the server of the stream has lost its data.
    stream = models.CharField(max_length=32, blank=True, default="")

    def __str__(self) -> str:
        return f"shard {self.shard}, fence {self.fence}"
