"""Replays.  The columns of statistics are made from the registry: after a new row there, ``makemigrations --check`` fails until
its migration exists.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Final

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from analysis.limits import LEAST_COMPLETION_PERCENT
from analysis.names import shown_name
from analysis.recording import Board
from analysis.statistics import FROM_COMPLETION, LUCK_VERSION, OF_CORPSES, RANKED, SORTABLE, STORED, VERSION, Statistic
from players.choices import TextChoices
from players.models import MAX_NAME_CHARS, NOT_OWNED, OWN_GAMES, PROVISIONAL
from players.web.links import replay_address
from replays.models.stated_dates import as_stated

_QUEUED = Q(status="queued")
#: Rows in the judgement queue.
_JUDGED = Q(status="done") & ~Q(judgement="accepted")
#: Rows about which a member of staff decided.
_DECIDED = Q(judged_at__isnull=False)
_NOT_DONE = Q(status__in=["queued", "running", "rejected"])
#: Rows that tell a country of their player (``players.leaderboards.ranked_games``).
HAS_COUNTRY = Q(status="done", file_country__gt="")
#: Rows whose numbers are of an older version of the definitions, or that were marked to be analysed again (version 0).
OUTDATED = Q(status="done", statistics_version__lt=VERSION)
#: Rows whose luck is missing or of an older version.  Its partial index has the version, so a new one needs a migration.
LUCK_IS_WANTED = Q(status="done") & (Q(luck_version=None) | Q(luck_version__lt=LUCK_VERSION))
#: Rows whose file is deleted some days after they were rejected (``replays.upload.processing.rejected``).
REJECTED_FILES = Q(status="rejected", keep_file=False, file_deleted_at=None)


class Replay(models.Model):
    """One uploaded file and, once analysed, the game in it."""

    class Status(TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("being analysed")
        DONE = "done", _("done")
        REJECTED = "rejected", _("rejected")

    class Evidence(TextChoices):
        HERE = "here", _("played here")
        SEALED = "sealed", _("sealed file")
        OPEN = "open", _("open file")

    class Judgement(TextChoices):
        ACCEPTED = "accepted", _("accepted")
        PROVISIONAL = PROVISIONAL, _("provisional")  # ranked, but not in the record history until it is final
        UNVERIFIED = "unverified", _("unverified")
        SUSPICIOUS = "suspicious", _("suspicious")
        FROZEN = "frozen", _("frozen")
        #: Another file has the same play (``replays.trust.places``): somebody contests its place, or the other counts.
        DISPUTED = "disputed", _("in dispute")
        LINKED = "linked", _("linked")

    #: Judgements with which a game counts on boards.
    RANKED_JUDGEMENTS: ClassVar = (Judgement.ACCEPTED, Judgement.PROVISIONAL)
    #: Judgements for the sake of another file of the same play; they cast no doubt on anybody.
    FOR_OTHERS: ClassVar = (Judgement.DISPUTED, Judgement.LINKED)

    class Ownership(TextChoices):
        NOT_ASKED = "", _("not asked yet")
        WAITING = "waiting", _("waiting for the name's owner")
        CONFIRMED = "confirmed", _("confirmed by the name's owner")
        DISOWNED = "disowned", _("disowned by the name's owner")
        REPORTED = "reported", _("reported by the name's owner")
        VOUCHED = "vouched", _("vouched for by a moderator")

    #: Values of ``ownership`` of replays that are not counted as games of the owner of the name.
    NOT_OWNED: ClassVar = (Ownership.WAITING, Ownership.DISOWNED, Ownership.REPORTED)
    DECIDED: ClassVar = "staff"  # judgement_code of decisions by staff

    class Result(TextChoices):
        WON = "won", _("won")
        LOST = "lost", _("lost")
        UNFINISHED = "unfinished", _("unfinished")

    # --- the file ---
    sha256 = models.CharField(max_length=64)  # unique by a constraint: unique=True makes a second index, for prefixes
    size_bytes = models.PositiveIntegerField()
    original_name = models.CharField(max_length=MAX_NAME_CHARS, blank=True)
    # Both foreign keys to people are the first column of a composite index below.
    uploader = models.ForeignKey(
        "players.User", models.SET_NULL, null=True, blank=True, related_name="replays", db_index=False
    )
    uploaded_at = models.DateTimeField()
    #: When the game's public fields last changed; set by a trigger (``players.db.change_triggers``).
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    keep_file = models.BooleanField(default=False, db_default=False)  # although the replay is rejected
    file_deleted_at = models.DateTimeField(null=True)

    # --- processing ---
    status = models.CharField(max_length=8, choices=Status.options, default=Status.QUEUED)
    claimed_at = models.DateTimeField(null=True)  # when a worker last claimed it, or when it was last queued
    attempts = models.PositiveSmallIntegerField(default=0)
    turn = models.BigIntegerField(
        default=0, db_default=0
    )  # the smallest is analysed first (``replays.upload.processing.turns``)
    analysed_at = models.DateTimeField(null=True)
    reject_code = models.CharField(max_length=32, blank=True, default="")
    reject_params = models.JSONField(default=dict, blank=True)
    statistics_version = models.PositiveSmallIntegerField(null=True)  # 0: to be analysed again (``OUTDATED``)

    # --- luck, measured by a task of its own (``replays.upload.processing.luck``); defaults are in the database, since bulk
    # --- inserts leave these columns out
    luck_version = models.PositiveSmallIntegerField(null=True)
    luck_claimed_at = models.DateTimeField(null=True)  # when a worker last claimed it, or when it was last queued again
    luck_attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    luck_code = models.CharField(
        max_length=32, blank=True, default="", db_default=""
    )  # why some values are not defined

    # --- the game ---
    game_hash = models.CharField(max_length=64, null=True)  # noqa: DJ001 - NULL until DONE; equal games are linked
    format = models.CharField(max_length=8, blank=True, default="")
    format_variant = models.CharField(max_length=32, blank=True, default="")
    software = models.CharField(max_length=255, blank=True, default="")
    identifier = models.CharField(max_length=MAX_NAME_CHARS, blank=True, default="")  # the name inside the replay
    #: The encoding of that name if the file does not state it: a guess, or ``encoding_chosen`` by people.
    name_encoding = models.CharField(max_length=16, blank=True, default="", db_default="")
    encoding_chosen = models.BooleanField(default=False, db_default=False)
    #: The country that the file states, two letters; "" if it states none that is known.
    file_country = models.CharField(max_length=2, blank=True, default="", db_default="")
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
    result = models.CharField(max_length=10, choices=Result.options, blank=True, default="")
    win = models.BooleanField(null=True)
    time_precision_ms = models.PositiveSmallIntegerField(null=True)
    #: What the file says.  Without a zone it is the player's own clock, stored as if that were UTC (``stated_at``).
    played_at = models.DateTimeField(null=True)
    played_at_has_zone = models.BooleanField(default=True, db_default=True)
    # Set where somebody vouches for ``played_at``; see ``replays.trust.judging.dates``.
    date_trusted = models.BooleanField(default=False, db_default=False)
    achieved_at = models.DateTimeField(null=True)  # the date that counts (``replays.trust.judging.dates.counted_from``)
    #: What the file can prove: HERE is set when our own code hands in a game, the others by the analysis.
    evidence = models.CharField(max_length=6, choices=Evidence.options, blank=True, default="", db_default="")
    findings = models.JSONField(default=list, blank=True)

    #: What the owner of a claimed name says of a game that others uploaded (``replays.trust.ownership``).
    ownership = models.CharField(
        max_length=9, choices=Ownership.options, blank=True, default=Ownership.NOT_ASKED, db_default=Ownership.NOT_ASKED
    )

    #: Of a play that came in several files (``replays.trust.places``): its place, and the number of the first file of its game.
    place = models.ForeignKey(
        "replays.Place", models.SET_NULL, null=True, blank=True, related_name="files", db_index=False
    )
    game = models.BigIntegerField(null=True)

    # --- judgement ---
    judgement = models.CharField(max_length=12, choices=Judgement.options, default=Judgement.ACCEPTED)
    judgement_reason = models.CharField(max_length=255, blank=True, default="")  # what staff wrote
    #: The rule that applied (``replays.trust.judging.rules``), or DECIDED: staff judged, which no rule overrules.
    judgement_code = models.CharField(max_length=32, blank=True, default="")
    judgement_params = models.JSONField(default=dict, blank=True)
    # The member of staff and the date; NULL if a rule judged.  The index is partial, since nearly all rows are NULL.
    judged_by = models.ForeignKey(
        "players.User", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    judged_at = models.DateTimeField(null=True, blank=True)
    ranked = models.BooleanField(default=False)  # counts on boards; see replays.trust.judging.rules
    corpse = models.BooleanField(default=False, db_default=False)  # counts on boards of lost games, by the same rules
    #: When a provisional game becomes final by itself; NULL after a report, and for all other games.
    provisional_until = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["sha256"], name="one_replay_a_file")]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["status", "claimed_at"], name="replay_waiting", condition=Q(status__in=["queued", "running"])
            ),
            models.Index(fields=["turn", "id"], name="replay_next", condition=_QUEUED),
            models.Index(fields=["uploader", "turn"], name="replay_turns_of_uploader", condition=_QUEUED),
            models.Index(fields=["analysed_at"], name="replay_rejected_file", condition=REJECTED_FILES),
            models.Index(fields=["uploader", "-id"], name="replay_of_uploader"),
            # The names inside an account's uploads, which its start page asks about: one page of this index holds hundreds.
            models.Index(fields=["uploader", "identifier"], name="replay_names_of_uploader"),
            models.Index(fields=["player", "-id"], name="replay_of_player"),
            models.Index(
                fields=["player", "file_country"],
                include=["judgement", "evidence"],
                name="replay_countries",
                condition=HAS_COUNTRY,
            ),
            models.Index(fields=["game_hash"], name="replay_by_game_hash"),
            models.Index(fields=["place", "game"], name="replay_of_place", condition=Q(place__isnull=False)),
            models.Index(fields=["-id"], name="replay_newest", condition=Q(status="done")),
            models.Index(fields=["updated_at", "id"], name="replay_updated", condition=Q(status="done")),
            models.Index(fields=["level", "-id"], name="replay_newest_level", condition=Q(status="done")),
            models.Index(
                fields=["achieved_at", "id"],
                name="replay_by_date",
                condition=Q(status="done", achieved_at__isnull=False),
            ),
            models.Index(fields=["player", "level", "time_ms"], name="replay_ranked", condition=Q(ranked=True)),
            models.Index(fields=["level", "achieved_at"], name="replay_ranked_by_date", condition=Q(ranked=True)),
            # In the order of the window that finds everybody's five best times, so that PostgreSQL neither sorts nor
            # reads a row of this wide table for X.5.
            models.Index(
                fields=["level", "player", "time", "achieved_at", "id"],
                include=["style"],
                name="replay_best_times",
                condition=Q(ranked=True),
            ),
            models.Index(fields=["statistics_version", "id"], name="replay_by_version", condition=Q(status="done")),
            models.Index(fields=["id"], name="replay_luck_wanted", condition=LUCK_IS_WANTED),
            models.Index(fields=["-id"], name="replay_judged", condition=_JUDGED),
            models.Index(fields=["judgement", "-id"], name="replay_judged_state", condition=_JUDGED),
            models.Index(fields=["judgement_code", "-id"], name="replay_judged_code", condition=_JUDGED),
            models.Index(fields=["player", "ownership", "-id"], name="replay_not_owned", condition=NOT_OWNED),
            models.Index(fields=["-id"], name="replay_reported", condition=Q(ownership="reported")),
            models.Index(fields=["judged_by"], name="replay_judged_by", condition=Q(judged_by__isnull=False)),
            models.Index(
                fields=["provisional_until"], name="replay_provisional", condition=Q(provisional_until__isnull=False)
            ),
            models.Index(fields=["evidence", "-id"], name="replay_newest_evidence", condition=Q(status="done")),
            # Covers the charts of a player's days, so that PostgreSQL reads no row of this wide table for them.
            models.Index(
                fields=["player", "played_at", "uploaded_at"],
                include=["level", "win", "id", "played_at_has_zone"],
                name="replay_days_with_zone",
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
        """Hidden characters are made visible, as every page shows it."""
        return shown_name(self.identifier)

    @property
    def stated_at(self) -> datetime | None:
        """When it was played, as the file says: naive if the file names no zone."""
        return self.played_at and as_stated(self.played_at, self.played_at_has_zone)

    @property
    def counted_at(self) -> datetime | None:
        """The date that counts, as it is shown: naive if it is a stated one of no known zone."""
        return self.stated_at if self.achieved_at == self.played_at else self.achieved_at

    def board_object(self) -> Board:
        """Return the mines; only for analysed replays."""
        assert self.board is not None  # noqa: S101 - a programming error, not user input
        assert self.rows is not None  # noqa: S101
        assert self.columns is not None  # noqa: S101
        return Board.from_packed(bytes(self.board), self.rows, self.columns)

    def statistic(self, name: str) -> float | int | None:
        value: float | int | None = getattr(self, name)
        return value


def _column(row: Statistic) -> models.Field[float | None, float | None]:
    field = models.IntegerField if row.integer else models.FloatField
    return field(null=True)


for _row in STORED:
    Replay.add_to_class(_row.name, _column(_row))

#: Boards of lost games and a player's best ones: in the order of the window that finds everybody's best, so that neither
#: sorts nor reads a row of this wide table.
_CORPSES: Final = [
    models.Index(
        fields=["level", "player", value, "achieved_at", "id"],
        include=["style"],
        name=f"replay_corpses_by_{value.removeprefix('-')}",
        condition=Q(corpse=True),
    )
    for value in ("-stnb", "estime")
]

#: Lists of lost games sorted by what compares them.  The last field tells without reading a row which games are below the
#: minimum of the site; it is never below the constant.
_FAR_ENOUGH: Final = Q(status="done", completion__gte=LEAST_COMPLETION_PERCENT / 100)
_LOST_SORTS: Final = [
    models.Index(
        fields=list(dict.fromkeys(["level", row.name, "id", "completion"])),
        name=f"replay_lost_by_{row.name}",
        condition=_FAR_ENOUGH & Q(result="lost"),
    )
    for row in OF_CORPSES
]

# An index for each sortable statistic serves lists of a level sorted by it in both directions; NULLs are not in it, nor, of
# STNB, which a game of one click can have at any height, what is left out of its lists.  Those of ranked statistics have the
# games of each result apart: games that were lost by their first click would come first in most of them.
Replay._meta.indexes = [
    *Replay._meta.indexes,
    *_CORPSES,
    *_LOST_SORTS,
    *(
        models.Index(
            fields=["level", row.name, "id"],
            name=f"replay_by_{row.name}",
            condition=Q(status="done") & Q(**{f"{row.name}__isnull": False}),
        )
        for row in SORTABLE
        if row not in RANKED
    ),
    *(
        models.Index(
            fields=["level", "result", row.name, "id"],
            name=f"replay_result_by_{row.name}",
            condition=Q(status="done") & Q(**{f"{row.name}__isnull": False}),
        )
        for row in RANKED
        if row not in FROM_COMPLETION
    ),
    *(
        models.Index(
            fields=["level", row.name, "id", "completion"],
            name=f"replay_far_by_{row.name}",
            condition=_FAR_ENOUGH & Q(**{f"{row.name}__isnull": False}),
        )
        for row in FROM_COMPLETION
    ),
]
Replay._meta.original_attrs["indexes"] = Replay._meta.indexes
