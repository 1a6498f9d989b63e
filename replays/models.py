"""Replays, appeals, and the progress of recomputes.  All writes go through services.

The columns of statistics are made from the registry: after a new row there, ``makemigrations --check`` fails until its
migration exists.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from analysis.names import shown_name
from analysis.recording import Board
from analysis.statistics import LUCK_VERSION, RANKED, STORED, Statistic
from players.models import MAX_NAME_CHARS, PROVISIONAL
from players.web.links import replay_address

#: Rows in the judgement queue.
_JUDGED = Q(status="done") & ~Q(judgement="accepted")
#: Rows about which a member of staff decided.
_DECIDED = Q(judged_at__isnull=False)
_NOT_DONE = Q(status__in=["queued", "running", "rejected"])
#: Rows under a claimed name that are not counted as games of its owner.
_NOT_OWNED = Q(ownership__in=["waiting", "disowned", "reported"])
#: Analysed rows that count as games of their player; the condition of the index ``replay_days``.
OWN_GAMES = Q(status="done") & ~Q(ownership__in=["waiting", "disowned", "reported"])
#: Rows whose luck is missing or of an older version.  Its partial index has the version, so a new one needs a migration.
LUCK_IS_WANTED = Q(status="done") & (Q(luck_version=None) | Q(luck_version__lt=LUCK_VERSION))
#: Rows whose file is deleted some days after they were rejected (``replays.processing.rejected``).
REJECTED_FILES = Q(status="rejected", keep_file=False, file_deleted_at=None, duplicate_of=None)


class Replay(models.Model):
    """One uploaded file and, once analysed, the game in it."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("being analysed")
        DONE = "done", _("done")
        REJECTED = "rejected", _("rejected")

    class Evidence(models.TextChoices):
        HERE = "here", _("played here")
        SEALED = "sealed", _("sealed file")
        OPEN = "open", _("open file")

    class Judgement(models.TextChoices):
        ACCEPTED = "accepted", _("accepted")
        PROVISIONAL = PROVISIONAL, _("provisional")  # ranked, but not in the record history until it is final
        UNVERIFIED = "unverified", _("unverified")
        SUSPICIOUS = "suspicious", _("suspicious")
        FROZEN = "frozen", _("frozen")

    #: Judgements with which a game counts on boards.
    RANKED_JUDGEMENTS: ClassVar = (Judgement.ACCEPTED, Judgement.PROVISIONAL)

    class Ownership(models.TextChoices):
        NOT_ASKED = "", _("not asked")
        WAITING = "waiting", _("waits for the owner of the name")
        CONFIRMED = "confirmed", _("confirmed by the owner of the name")
        DISOWNED = "disowned", _("disowned by the owner of the name")
        REPORTED = "reported", _("reported by the owner of the name")
        VOUCHED = "vouched", _("vouched for by staff")

    #: Values of ``ownership`` of replays that are not counted as games of the owner of the name.
    NOT_OWNED: ClassVar = (Ownership.WAITING, Ownership.DISOWNED, Ownership.REPORTED)
    DECIDED: ClassVar = "staff"  # judgement_code of decisions by staff

    class Result(models.TextChoices):
        WON = "won", _("won")
        LOST = "lost", _("lost")
        UNFINISHED = "unfinished", _("unfinished")

    # --- the file ---
    sha256 = models.CharField(max_length=64, unique=True)
    size_bytes = models.PositiveIntegerField()
    original_name = models.CharField(max_length=MAX_NAME_CHARS, blank=True)
    # Both foreign keys to people are the first column of a composite index below.
    uploader = models.ForeignKey(
        "players.User", models.SET_NULL, null=True, blank=True, related_name="replays", db_index=False
    )
    uploaded_at = models.DateTimeField()

    keep_file = models.BooleanField(default=False, db_default=False)  # although the replay is rejected
    file_deleted_at = models.DateTimeField(null=True)

    # --- processing ---
    status = models.CharField(max_length=8, choices=Status, default=Status.QUEUED)
    claimed_at = models.DateTimeField(null=True)  # when a worker last claimed it, or when it was last queued
    attempts = models.PositiveSmallIntegerField(default=0)
    analysed_at = models.DateTimeField(null=True)
    reject_code = models.CharField(max_length=32, blank=True, default="")
    reject_params = models.JSONField(default=dict, blank=True)
    duplicate_of = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="duplicates")
    statistics_version = models.PositiveSmallIntegerField(null=True)

    # --- luck, measured by a task of its own (``replays.processing.luck``); defaults are in the database, since bulk
    # --- inserts leave these columns out
    luck_version = models.PositiveSmallIntegerField(null=True)
    luck_claimed_at = models.DateTimeField(null=True)  # when a worker last claimed it, or when it was last queued again
    luck_attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    luck_code = models.CharField(
        max_length=32, blank=True, default="", db_default=""
    )  # why some values are not defined

    # --- the game ---
    game_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - NULL until DONE, unique then
    format = models.CharField(max_length=8, blank=True, default="")
    format_variant = models.CharField(max_length=32, blank=True, default="")
    software = models.CharField(max_length=255, blank=True, default="")
    identifier = models.CharField(max_length=MAX_NAME_CHARS, blank=True, default="")  # the name inside the replay
    player = models.ForeignKey(
        "players.Player", models.SET_NULL, null=True, blank=True, related_name="replays", db_index=False
    )
    level = models.CharField(max_length=16, blank=True, default="")
    rows = models.PositiveSmallIntegerField(null=True)
    columns = models.PositiveSmallIntegerField(null=True)
    mines = models.PositiveIntegerField(null=True)
    board = models.BinaryField(null=True)  # Board.packed()
    mode = models.CharField(max_length=16, blank=True, default="")
    style = models.CharField(max_length=3, blank=True, default="")
    result = models.CharField(max_length=10, choices=Result, blank=True, default="")
    win = models.BooleanField(null=True)
    time_precision_ms = models.PositiveSmallIntegerField(null=True)
    played_at = models.DateTimeField(null=True)  # what the file says
    # Set where somebody vouches for ``played_at``; see ``replays.judging.dates``.
    date_trusted = models.BooleanField(default=False, db_default=False)
    achieved_at = models.DateTimeField(null=True)  # the date that counts (``replays.judging.dates.counted_from``)
    #: What the file can prove: HERE is set when our own code hands in a game, the others by the analysis.
    evidence = models.CharField(max_length=6, choices=Evidence, blank=True, default="", db_default="")
    findings = models.JSONField(default=list, blank=True)

    #: What the owner of a claimed name says of a game that others uploaded (``replays.ownership``).
    ownership = models.CharField(
        max_length=9, choices=Ownership, blank=True, default=Ownership.NOT_ASKED, db_default=Ownership.NOT_ASKED
    )

    # --- judgement ---
    judgement = models.CharField(max_length=12, choices=Judgement, default=Judgement.ACCEPTED)
    judgement_reason = models.CharField(max_length=255, blank=True, default="")  # what staff wrote
    #: The rule that applied (``replays.judging.rules``), or DECIDED: staff judged, which no rule overrules.
    judgement_code = models.CharField(max_length=32, blank=True, default="")
    judgement_params = models.JSONField(default=dict, blank=True)
    # The member of staff and the date; NULL if a rule judged.  The index is partial, since nearly all rows are NULL.
    judged_by = models.ForeignKey(
        "players.User", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    judged_at = models.DateTimeField(null=True, blank=True)
    ranked = models.BooleanField(default=False)  # counts on boards; see replays.judging.rules
    #: When a provisional game becomes final by itself; NULL after an objection, and for all other games.
    provisional_until = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["status", "claimed_at"], name="replay_waiting", condition=Q(status__in=["queued", "running"])
            ),
            models.Index(fields=["analysed_at"], name="replay_rejected_file", condition=REJECTED_FILES),
            models.Index(fields=["uploader", "-id"], name="replay_of_uploader"),
            models.Index(fields=["player", "-id"], name="replay_of_player"),
            models.Index(fields=["-id"], name="replay_newest", condition=Q(status="done")),
            models.Index(fields=["level", "-id"], name="replay_newest_level", condition=Q(status="done")),
            models.Index(fields=["player", "level", "time_ms"], name="replay_ranked", condition=Q(ranked=True)),
            models.Index(fields=["level", "achieved_at"], name="replay_ranked_by_date", condition=Q(ranked=True)),
            models.Index(fields=["id"], name="replay_luck_wanted", condition=LUCK_IS_WANTED),
            models.Index(fields=["-id"], name="replay_judged", condition=_JUDGED),
            models.Index(fields=["judgement", "-id"], name="replay_judged_state", condition=_JUDGED),
            models.Index(fields=["judgement_code", "-id"], name="replay_judged_code", condition=_JUDGED),
            models.Index(fields=["player", "ownership", "-id"], name="replay_not_owned", condition=_NOT_OWNED),
            models.Index(fields=["-id"], name="replay_reported", condition=Q(ownership="reported")),
            models.Index(fields=["judged_by"], name="replay_judged_by", condition=Q(judged_by__isnull=False)),
            models.Index(
                fields=["provisional_until"], name="replay_provisional", condition=Q(provisional_until__isnull=False)
            ),
            models.Index(fields=["evidence", "-id"], name="replay_newest_evidence", condition=Q(status="done")),
            # Covers the charts of a player's days, so that PostgreSQL reads no row of this wide table for them.
            models.Index(
                fields=["player", "played_at", "uploaded_at"],
                include=["level", "win", "id"],
                name="replay_days",
                condition=OWN_GAMES,
            ),
            # What an account sees of its own uploads; partial, since nearly all rows are done and accepted.
            models.Index(fields=["uploader", "status", "-id"], name="replay_own_not_done", condition=_NOT_DONE),
            models.Index(fields=["uploader", "-id"], name="replay_own_judged", condition=_JUDGED),
            models.Index(fields=["uploader", "-judged_at"], name="replay_own_decided", condition=_DECIDED),
            models.Index(fields=["player", "-judged_at"], name="replay_player_decided", condition=_DECIDED),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.level} {self.status}"

    def get_absolute_url(self) -> str:
        return replay_address(self.pk)

    @property
    def shown_identifier(self) -> str:
        """The name inside the replay with hidden characters made visible, as every page shows it."""
        return shown_name(self.identifier)

    def board_object(self) -> Board:
        """The mines; only for analysed replays."""
        assert self.board is not None  # noqa: S101 - a programming error, not user input
        assert self.rows is not None  # noqa: S101
        assert self.columns is not None  # noqa: S101
        return Board.from_packed(bytes(self.board), self.rows, self.columns)

    def statistic(self, name: str) -> float | int | None:
        """The stored value of the registry row ``name``."""
        value: float | int | None = getattr(self, name)
        return value


def _column(row: Statistic) -> models.Field[float | None, float | None]:
    field = models.IntegerField if row.integer else models.FloatField
    return field(null=True, help_text=row.doc)


for _row in STORED:
    Replay.add_to_class(_row.name, _column(_row))

# An index for each ranked statistic serves lists of a level sorted by it in both directions; NULLs are not in it.
Replay._meta.indexes = [
    *Replay._meta.indexes,
    *(
        models.Index(
            fields=["level", row.name, "id"],
            name=f"replay_by_{row.name}",
            condition=Q(status="done") & Q(**{f"{row.name}__isnull": False}),
        )
        for row in RANKED
    ),
]
Replay._meta.original_attrs["indexes"] = Replay._meta.indexes


class PlayTrace(models.Model):
    """What is compared between games: the order of clicks, the board, the seal, and habits of the hand and its mouse.

    See ``analysis.evidence``.  None of the keys is unique: equal ones are a finding, not an error.
    """

    replay = models.OneToOneField(Replay, models.CASCADE, primary_key=True, related_name="trace")
    clicks = models.BinaryField(max_length=16, null=True)
    clicks_start = models.BinaryField(max_length=16, null=True)
    board = models.BinaryField(max_length=16, null=True)
    clicks_on_board = models.BinaryField(max_length=16, null=True)
    offsets = models.BinaryField(max_length=8, null=True)
    rhythm = models.BinaryField(max_length=8, null=True)
    opening_clicks = models.PositiveIntegerField(null=True)
    seal_hash = models.BinaryField(max_length=16, null=True)
    line_hz = models.FloatField(null=True)
    line_strength = models.FloatField(null=True)
    equal_steps = models.FloatField(null=True)
    hold_ms = models.FloatField(null=True)
    speed_95_px_per_ms = models.FloatField(null=True)
    button_place = models.FloatField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=[name], name=f"trace_by_{name}", condition=Q(**{f"{name}__isnull": False}))
            for name in ("clicks", "clicks_start", "board", "clicks_on_board", "seal_hash")
        ]

    def __str__(self) -> str:
        return f"{self.replay_id}: {self.opening_clicks} opening clicks"


class StatisticQuantiles(models.Model):
    """How one statistic is spread over the ranked games of a level: its sorted values, or 1,001 of them at even distances.

    ``games``: of how many games; ``values``: float64, little endian.  Made anew every hour (``replays.standing``).
    """

    level = models.CharField(max_length=16)
    statistic = models.CharField(max_length=16)
    games = models.PositiveIntegerField()
    values = models.BinaryField()
    made_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "statistic quantiles"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["level", "statistic"], name="one_table_of_quantiles"),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.statistic}: {self.games} games"


class NeedlessGuess(models.Model):
    """A guess although some cell was certainly safe, so that a player can look at all of them (``replays.review``)."""

    replay = models.ForeignKey(Replay, models.CASCADE, related_name="needless", db_index=False)
    event = models.PositiveIntegerField()  # its place among the events of the file
    time_ms = models.IntegerField()  # since the opening
    risk = models.FloatField()
    rule = models.CharField(max_length=16, blank=True)  # the easiest rule that shows a safe cell; "" if none was found

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["replay", "event"], name="needless_guess_once")]

    def __str__(self) -> str:
        return f"{self.replay_id}: {self.time_ms} ms"


class Objection(models.Model):
    """Somebody's reason why a ranked game should not count; staff decide.  A provisional one stays so until then."""

    MAX_CHARS: ClassVar = 1_000

    replay = models.ForeignKey(Replay, models.CASCADE, related_name="objections", db_index=False)
    user = models.ForeignKey("players.User", models.SET_NULL, null=True, blank=True, related_name="objections")
    text = models.TextField(max_length=MAX_CHARS)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)  # when staff judged the game

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["replay", "user"], name="one_objection_each"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["-replay"], name="objections_open", condition=Q(closed_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.replay_id}: {self.text[:40]}"


class Appeal(models.Model):
    """An appeal of a replay's owner against its judgement, and the answer of staff."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        GRANTED = "granted", _("granted")
        DENIED = "denied", _("denied")

    MAX_CHARS: ClassVar = 1_000

    replay = models.ForeignKey(Replay, models.CASCADE, related_name="appeals")
    user = models.ForeignKey("players.User", models.SET_NULL, null=True, blank=True, related_name="appeals")
    text = models.TextField(max_length=MAX_CHARS)
    created_at = models.DateTimeField()
    state = models.CharField(max_length=7, choices=State, default=State.OPEN)
    answer = models.CharField(max_length=255, blank=True, default="")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["replay"], condition=Q(state="open"), name="one_open_appeal"),
        ]

    def __str__(self) -> str:
        return f"{self.replay_id} {self.state}"


class Comment(models.Model):
    """What somebody wrote about a game: plain text, deleted with the game and with the account of its author.

    ``hidden_at``: when staff hid it from everybody but its author, with the reason.
    """

    MAX_CHARS: ClassVar = 2_000

    replay = models.ForeignKey(Replay, models.CASCADE, related_name="comments", db_index=False)
    user = models.ForeignKey("players.User", models.CASCADE, related_name="comments", db_index=False)
    text = models.TextField(max_length=MAX_CHARS)
    created_at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(
        "players.User", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    hidden_reason = models.CharField(max_length=255, blank=True, default="")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["replay", "id"], name="comment_of_replay"),
            models.Index(fields=["user", "-id"], name="comment_of_user"),
            models.Index(fields=["hidden_by"], name="comment_hidden_by", condition=Q(hidden_by__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.replay_id}: {self.text[:40]}"

    @property
    def shown_text(self) -> str:
        """The text with hidden characters made visible, line by line."""
        return "\n".join(map(shown_name, self.text.split("\n")))


class CommentReport(models.Model):
    """Somebody's reason why staff should hide a comment."""

    comment = models.ForeignKey(Comment, models.CASCADE, related_name="reports", db_index=False)
    user = models.ForeignKey("players.User", models.CASCADE, related_name="comment_reports")
    reason = models.CharField(max_length=255)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)  # when staff decided

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["comment", "user"], name="one_report_each")]
        indexes: ClassVar = [
            models.Index(fields=["-comment"], name="comment_reports_open", condition=Q(closed_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.comment_id}: {self.reason[:40]}"


class Like(models.Model):
    """Somebody likes a game."""

    replay = models.ForeignKey(Replay, models.CASCADE, related_name="likes", db_index=False)
    user = models.ForeignKey("players.User", models.CASCADE, related_name="likes")
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["replay", "user"], name="one_like_each")]

    def __str__(self) -> str:
        return f"{self.replay_id} {self.user_id}"


class RecomputeProgress(models.Model):
    """The last row that an unfinished pass of ``manage.py recompute`` has visited; updated in the transaction of each chunk.

    Rows are visited by player, then newest first; replays without a player come last.
    """

    key = models.CharField(max_length=1000, unique=True)  # Pass.key of replays.processing.recompute
    player_number = models.BigIntegerField(null=True)  # no foreign key, since the player may be deleted
    replay_number = models.BigIntegerField()
    started_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.key} {self.player_number} {self.replay_number}"


class DeletedGame(models.Model):
    """A replay that somebody else than its uploader deleted, so that the uploader can be told (``replays.me``)."""

    user = models.ForeignKey("players.User", models.CASCADE, related_name="deleted_games", db_index=False)
    replay_number = models.BigIntegerField()  # no foreign key: it does not exist any more
    original_name = models.CharField(max_length=MAX_NAME_CHARS, blank=True)
    deleted_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-deleted_at"], name="deleted_games_of_user")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.replay_number}"


class HomeVisit(models.Model):
    """When an account last looked at its start page, and before that visit: what has moved since is told.

    ``*_event``: the newest row of ``RecordEvent`` at that time; no foreign keys, since events are deleted with games.
    ``since_*`` are NULL during the first visit.
    """

    user = models.OneToOneField("players.User", models.CASCADE, primary_key=True, related_name="home_visit")
    seen_at = models.DateTimeField()
    seen_event = models.BigIntegerField()
    since_at = models.DateTimeField(null=True)
    since_event = models.BigIntegerField(null=True)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.seen_at}"


class UploadBatch(models.Model):
    """What an account sent from one upload page, so that its progress and outcome have an address.

    ``files``: how many rows of ``BatchFile`` were made; ``known``: files that were not sent, since they are here already.
    """

    user = models.ForeignKey("players.User", models.CASCADE, related_name="upload_batches", db_index=False)
    made_at = models.DateTimeField()
    files = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "upload batches"
        indexes: ClassVar = [
            models.Index(fields=["user", "-id"], name="upload_batches_of_user"),
            models.Index(fields=["made_at"], name="upload_batches_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.files} files"

    def get_absolute_url(self) -> str:
        return reverse("upload-batch", args=[self.pk])


class BatchFile(models.Model):
    """A file of a batch and what became of it when it was received; ``message``: why it was not stored."""

    class Outcome(models.TextChoices):
        STORED = "stored", _("stored")
        DUPLICATE = "duplicate", _("duplicate")
        REFUSED = "refused", _("refused")

    batch = models.ForeignKey(UploadBatch, models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=MAX_NAME_CHARS, blank=True)
    outcome = models.CharField(max_length=9, choices=Outcome)
    message = models.TextField(blank=True)
    replay = models.ForeignKey(Replay, models.SET_NULL, null=True, related_name="+")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["batch", "id"], name="files_of_batch")]

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.name} {self.outcome}"
