from __future__ import annotations

import uuid
from typing import ClassVar, Final

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.choices import TextChoices

#: Games that some process plays, or played when it died.
RUNNING: Final = Q(state__in=["waiting", "playing"])
#: Decided games of accounts that have not become replays yet.
WANTS_REPLAY: Final = Q(state="over", replay__isnull=True, user__isnull=False, recording__isnull=False)


class LiveGame(models.Model):
    """One game from its commitment on; it is stored from the first opened cell on.

    While it is played, only its ``holder`` writes it; when that dies, the game is interrupted.
    """

    class Rules(TextChoices):
        XP = "xp", _("first click is never a mine")
        WIN7 = "win7", _("first click opens an area")
        NO_GUESS = "no-guess", _("no guessing")

    class State(TextChoices):
        WAITING = "waiting", _("waiting for the first click")
        PLAYING = "playing", _("being played")
        OVER = "over", _("over")
        ABANDONED = "abandoned", _("given up")

    class Result(TextChoices):
        NONE = "", _("not decided")
        WON = "won", _("won")
        LOST = "lost", _("lost")

    #: In both the secret of the board is public.
    ENDED: ClassVar = (State.OVER, State.ABANDONED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Both are the first column of a partial index below.  A guest is the random name in a signed cookie.
    user = models.ForeignKey("players.User", models.SET_NULL, null=True, related_name="live_games", db_index=False)
    guest = models.CharField(max_length=64, blank=True, default="")

    level = models.CharField(max_length=16)
    rows = models.PositiveSmallIntegerField()
    columns = models.PositiveSmallIntegerField()
    mines = models.PositiveIntegerField()
    rules = models.CharField(max_length=8, choices=Rules.options)

    # --- the board (``analysis.fair``) ---
    commit = models.CharField(max_length=64)  # hexadecimal
    secret = models.BinaryField(max_length=32)  # shown to nobody before the game is over
    nonce = models.BinaryField(max_length=16)
    first_cell = models.PositiveIntegerField(null=True)
    attempt = models.PositiveIntegerField(default=0)

    # --- the game ---
    state = models.CharField(max_length=9, choices=State.options, default=State.WAITING)
    result = models.CharField(max_length=4, choices=Result.options, blank=True, default=Result.NONE)
    #: Why it cannot rank (``replays.play.solo.unranked_reasons``); "" for a game that can.
    reason = models.CharField(max_length=32, blank=True, default="")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)  # the opening click
    ended_at = models.DateTimeField(null=True)
    cell_px = models.PositiveSmallIntegerField()
    settings = models.JSONField(default=dict, blank=True)
    #: By the clocks of the server and of the browser, from the opening to the deciding event.
    server_span_us = models.BigIntegerField(null=True)
    client_span_ms = models.BigIntegerField(null=True)
    jitter_ms = models.PositiveIntegerField(null=True)
    time_ms = models.PositiveIntegerField(null=True)  # the time that counts
    bv = models.PositiveIntegerField(null=True)
    #: The counts that the player saw last (``analysis.live.Counts``), by name.
    counts = models.JSONField(default=dict, blank=True)
    findings = models.JSONField(default=list, blank=True)  # code and params of each

    # --- what becomes of it ---
    #: The game as RawVF, compressed with zlib; NULL once the replay is stored.
    recording = models.BinaryField(null=True)
    file_sha256 = models.CharField(max_length=64, blank=True, default="")  # of that RawVF file
    game_hash = models.CharField(max_length=64, blank=True, default="")  # ``analysis.analyse.game_hash``
    replay = models.OneToOneField("replays.Replay", models.SET_NULL, null=True, blank=True, related_name="live_game")

    #: The process that plays it (``unsaved.HOLDER``); "" when it has ended.
    holder = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["user", "-created_at", "-id"], name="live_of_user", condition=Q(user__isnull=False)),
            models.Index(fields=["guest", "-created_at", "-id"], name="live_of_guest", condition=~Q(guest="")),
            models.Index(fields=["holder"], name="live_running", condition=RUNNING),
            models.Index(fields=["ended_at"], name="live_wants_replay", condition=WANTS_REPLAY),
            models.Index(fields=["created_at"], name="live_without_replay", condition=Q(replay__isnull=True)),
            models.Index(fields=["file_sha256"], name="live_by_file", condition=~Q(file_sha256="")),
            models.Index(fields=["game_hash"], name="live_by_hash", condition=~Q(game_hash="")),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.level} {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("play-game", args=[self.pk])

    @property
    def has_ended(self) -> bool:
        """Whether nothing more is played, so that the secret of the board may be shown."""
        return self.state in self.ENDED

    @property
    def secret_hex(self) -> str:
        """The secret as pages and API show it: "" until the game has ended."""
        return bytes(self.secret).hex() if self.has_ended else ""

    @property
    def nonce_hex(self) -> str:
        return bytes(self.nonce).hex()
