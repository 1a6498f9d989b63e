"""Accounts, players, the names inside replays, and what players have achieved.

These tables, not any cache, are the source of every board.  All writes go through the ``services`` of the features.  A
foreign key with ``db_index=False`` is the first column of a composite index, which serves it as well.
"""

from __future__ import annotations

import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from analysis.names import shown_name
from players.choices import TextChoices
from players.decision_log import Decision as Decision  # a table of this app
from players.usernames import looks

#: Value of the columns ``style`` for boards of games of every style.
ALL_STYLES = "all"
#: Value of ``level`` for sums over Beginner 8x8, Intermediate and Expert.
COMBINED = "combined"
#: The judgement of games that have their place on boards but are not in the record history yet.
PROVISIONAL = "provisional"
#: Games under a claimed name that are not counted as games of its owner.
NOT_OWNED = models.Q(ownership__in=["waiting", "disowned", "reported"])
#: Analysed games that count as games of their player; the condition of the index ``replay_days_with_zone``.
OWN_GAMES = models.Q(status="done") & ~NOT_OWNED
MAX_NAME_CHARS = 255
#: The end of a ban that has none.
FOREVER = datetime.datetime(9999, 1, 1, tzinfo=datetime.UTC)
#: A search compares so many characters at most.
MAX_PART_CHARS = 64
#: The highest id: a larger number makes PostgreSQL ignore the index.
MAX_ID = 2**63 - 1


class LogPosition(models.Func):
    """The log position of the current transaction (``players.db.log_position``), as the default of a column."""

    template = "(pg_current_xact_id()::text::bigint)"
    arity = 0
    output_field = models.BigIntegerField()


class User(AbstractUser):
    """An account: someone who signs in.  A player is who played; an account may own one player.

    ``looks_written`` and ``looks_folded`` are what its name looks like (``players.usernames``); they follow the name.
    """

    class Clock(TextChoices):
        ZERO = "zero", _("from 0 (as recorded)")
        ONE = "one", _("from 1 (as some sites show)")

    language = models.CharField(max_length=16, blank=True, default="")
    time_zone = models.CharField(max_length=64, default="UTC")
    clock = models.CharField(max_length=4, choices=Clock.options, default=Clock.ZERO)
    #: Two letters or ""; given to the player of the account when it gets one, whose country counts from then on.
    country = models.CharField(max_length=2, blank=True, default="", db_default="")
    viewer_settings = models.JSONField(editable=False, default=dict, blank=True)  # validated by replays.watch.film
    #: The columns of boards that the account remembers (``leaderboards.pages.columns``); "": those that everybody gets.
    board_columns = models.CharField(max_length=100, blank=True, default="", db_default="")
    looks_written = models.TextField(editable=False, default="")
    looks_folded = models.TextField(editable=False, default="")
    #: A role of its own: it decides what staff with all permissions decide, and has no part in the admin.
    is_moderator = models.BooleanField(default=False, db_default=False)
    #: ``FOREVER`` for a ban without an end.  A copy for quick checks; the bans themselves say why.
    banned_until = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta(AbstractUser.Meta):
        indexes: ClassVar = [
            models.Index(fields=["looks_written"], name="user_by_looks_written"),
            models.Index(fields=["looks_folded"], name="user_by_looks_folded"),
        ]

    #: Set by a request with a token: no token has the power of staff.
    is_without_staff_power = False

    def save(self, *args: Any, **kwargs: Any) -> None:
        found = looks(self.username)
        self.looks_written, self.looks_folded = found.written, found.folded
        if kwargs.get("update_fields") and "username" in kwargs["update_fields"]:
            kwargs["update_fields"] = {*kwargs["update_fields"], "looks_written", "looks_folded"}
        super().save(*args, **kwargs)

    @property
    def acts_as_staff(self) -> bool:
        """Whether the account is staff, in a request that may use the power of staff."""
        return self.is_staff and not self.is_without_staff_power and not self.lacks_second_factor

    @property
    def has_role(self) -> bool:
        """Whether the account is staff or a moderator; what it may do in a request is asked elsewhere."""
        return self.is_staff or self.is_moderator

    @property
    def acts_as_moderator(self) -> bool:
        """Whether the account is staff or a moderator, in a request that may use the power of either."""
        return self.has_role and not self.is_without_staff_power and not self.is_banned and not self.lacks_second_factor

    def may_moderate(self, permission: str) -> bool:
        """Return whether it may decide as a moderator, or as staff with ``permission``."""
        return self.acts_as_moderator and (self.is_moderator or self.has_perm(permission))

    @property
    def is_banned(self) -> bool:
        return self.banned_until is not None and self.banned_until > timezone.now()

    @cached_property
    def lacks_second_factor(self) -> bool:
        """Return whether it may use no power before it has a second factor; a statement for staff and moderators alone."""
        from allauth.mfa.models import Authenticator  # its table refers to this one

        if not (settings.STAFF_SECOND_FACTOR and self.has_role):
            return False
        return not Authenticator.objects.filter(user=self, type=Authenticator.Type.TOTP).exists()


class ApiToken(models.Model):
    """A key with which a program acts for an account.  The key itself is not stored, only its digest.

    ``scopes``: names of ``players.tokens.scopes`` with spaces between.  ``last_used_at`` is exact to an hour.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=64)
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.prefix} {self.name}"


class Player(models.Model):
    """Someone who appears in replays, with or without an account."""

    name = models.CharField(max_length=MAX_NAME_CHARS)
    user = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="player")
    country = models.CharField(max_length=2, blank=True, default="")
    #: Nobody chose the country: it is that of most of the player's files (``leaderboards.file_countries``).
    country_from_files = models.BooleanField(default=False, db_default=False, editable=False)
    is_bot = models.BooleanField(default=False)
    on_boards = models.BooleanField(default=True)  # changed by a service: the games must follow
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)  # by a trigger (``players.db.change_triggers``)
    #: The player who has the names and replays of this one now; its addresses redirect there.  Never a merged one.
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="merged_players", db_index=False
    )

    class Meta:
        ordering: ClassVar = ["name", "id"]
        indexes: ClassVar = [
            models.Index(fields=["name", "id"], name="player_by_name"),
            models.Index(fields=["merged_into"], name="merged_players", condition=models.Q(merged_into__isnull=False)),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(merged_into=None) | models.Q(user=None), name="merged_player_without_account"
            ),
        ]

    def __str__(self) -> str:
        return self.shown_name

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.pk])

    @property
    def shown_name(self) -> str:
        """The name with hidden characters made visible, as every page shows it."""
        return shown_name(self.name)


class BoardCount(models.Model):
    """Ends of the single games that an account has begun on this site.

    A board is begun with its first opened cell, and counted when the game ends, in the same transaction; the counts stay
    when the rows of the games are deleted.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="board_counts", db_index=False)
    level = models.CharField(max_length=16)
    rules = models.CharField(max_length=8)
    left = models.PositiveIntegerField(default=0)  # given up, or ended without a decision for any other reason
    lost = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "level", "rules"], name="one_board_count"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.level} {self.rules}: {self.begun}"

    @property
    def begun(self) -> int:
        return self.left + self.lost + self.won


class Identity(models.Model):
    """A name in replay files, in one spelling (``players.db.text``).  It has one player, and one account may claim it."""

    class State(TextChoices):
        UNCLAIMED = "unclaimed", _("unclaimed")
        CLAIMED = "claimed", _("claimed")

    class Proof(TextChoices):
        NONE = "", _("none")
        CODE = "code", _("a verification game")
        STAFF = "staff", _("a moderator")

    name = models.CharField(max_length=MAX_NAME_CHARS, unique=True)
    player = models.ForeignKey(Player, models.PROTECT, related_name="identities")
    state = models.CharField(max_length=9, choices=State.options, default=State.UNCLAIMED)
    claimant = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="claims")
    claimed_at = models.DateTimeField(null=True, blank=True)
    #: What the name looks like (``analysis.names.skeleton``), cut to the length of the column.
    skeleton = models.CharField(max_length=MAX_NAME_CHARS, default="", editable=False)
    proof = models.CharField(max_length=5, choices=Proof.options, blank=True, default=Proof.NONE)
    #: The number that the name had first, and gets back when it is released.
    first_player = models.OneToOneField(Player, models.PROTECT, related_name="first_name")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["state", "id"], name="identity_by_state"),
            models.Index(fields=["skeleton"], name="identity_by_skeleton"),
        ]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        return shown_name(self.name)


class NamePart(models.Model):
    """The end of a player's name from some character on, so that any part of a name is the beginning of a row.

    ``text``: folded (``analysis.names.folded``), and once more without accents where that differs, cut to
    ``MAX_PART_CHARS``.  Each text stands once for a player, with the best place of it in any of the player's names.
    Written by ``people.services`` alone.
    """

    class Place(models.IntegerChoices):
        """Place in the name where the text begins; results are listed in this order."""

        NAME = 0, "beginning of the name"
        WORD = 1, "beginning of a word"
        INSIDE = 2, "inside a word"
        PLAIN_NAME = 3, "beginning of the name without accents"
        PLAIN_WORD = 4, "beginning of a word without accents"
        PLAIN_INSIDE = 5, "inside a word without accents"

    player = models.ForeignKey(Player, models.CASCADE, related_name="name_parts", db_index=False)
    text = models.CharField(max_length=MAX_PART_CHARS, db_collation="C")  # by bytes: a prefix is a range of the index
    place = models.PositiveSmallIntegerField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["player", "text"], name="one_name_part")]
        indexes: ClassVar = [models.Index(fields=["place", "text", "player"], name="name_part_order")]

    def __str__(self) -> str:
        return f"{self.player_id} {self.text}"


class Claim(models.Model):
    """An account says that a name is theirs: with a code to put into the name of a fresh game, or with words to staff.

    Rows are kept: the codes of all of them are removed from names inside replays (``players.accounts.claims.codes``).
    """

    class State(TextChoices):
        OPEN = "open", _("waiting for the verification game")
        REQUESTED = "requested", _("waiting for a moderator")
        GRANTED = "granted", _("granted")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    WAITING: ClassVar = (State.OPEN, State.REQUESTED)
    MAX_CHARS: ClassVar = 1_000

    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="claims_made")
    name = models.CharField(max_length=MAX_NAME_CHARS)
    state = models.CharField(max_length=9, choices=State.options, default=State.OPEN)
    code = models.CharField(max_length=8, unique=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)  # when the game with the code was analysed
    replay = models.ForeignKey("replays.Replay", models.SET_NULL, null=True, blank=True, related_name="+")  # that game
    text = models.TextField(max_length=MAX_CHARS, blank=True, default="")  # what the claimant wrote to staff
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=255, blank=True, default="")  # what staff answered

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["name", "user"], condition=models.Q(state__in=["open", "requested"]), name="one_waiting_claim"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], name="claims_for_staff", condition=models.Q(state="requested")),
        ]

    def __str__(self) -> str:
        return f"{self.shown_name} {self.state}"

    @property
    def shown_name(self) -> str:
        return shown_name(self.name)


class PersonalBest(models.Model):
    """A player's best value of one statistic on one level in one style ("NF", "FL" or "all").

    ``rank_key`` is the value signed so that smaller is better: one index serves both directions.
    Rank is 1 + the number of strictly better rows; ties share it and are listed by ``achieved_at``, then ``player``.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="personal_bests", db_index=False)
    statistic = models.CharField(max_length=16)
    level = models.CharField(max_length=16)
    style = models.CharField(max_length=3)
    value = models.FloatField()
    rank_key = models.FloatField()
    replay = models.ForeignKey("replays.Replay", models.CASCADE, related_name="personal_bests")
    achieved_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "statistic", "level", "style"], name="one_personal_best"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["statistic", "level", "style", "rank_key", "achieved_at", "id"], name="board_order"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.statistic} {self.level} {self.style} {self.value}"


class CombinedBest(models.Model):
    """The sum of a player's bests on Beginner 8x8, Intermediate and Expert; only players who have all three.

    Order: ``rank_key`` (of the sum), then the rank keys of Expert and of Intermediate, then ``achieved_at`` (of the
    latest of the three), then ``player``.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="combined_bests", db_index=False)
    statistic = models.CharField(max_length=16)
    style = models.CharField(max_length=3)
    value = models.FloatField()
    rank_key = models.FloatField()
    expert_key = models.FloatField()
    intermediate_key = models.FloatField()
    achieved_at = models.DateTimeField()
    beginner = models.ForeignKey(PersonalBest, models.CASCADE, related_name="+")
    intermediate = models.ForeignKey(PersonalBest, models.CASCADE, related_name="+")
    expert = models.ForeignKey(PersonalBest, models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "statistic", "style"], name="one_combined_best"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=[
                    "statistic", "style", "rank_key", "expert_key", "intermediate_key", "achieved_at", "id",
                ],
                name="combined_order",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.player_id} {self.statistic} {self.style} {self.value}"


class SecondCount(models.Model):
    """Number of a player's ranked games that ended in one integer second (counted from 1), and the first of them.

    A sub-N count is the sum over ``second`` <= N - 1.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="second_counts", db_index=False)
    level = models.CharField(max_length=16)
    style = models.CharField(max_length=3)
    second = models.PositiveIntegerField()
    games = models.PositiveIntegerField()
    first_at = models.DateTimeField()
    first_replay = models.ForeignKey("replays.Replay", models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "level", "style", "second"], name="one_second_count"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["level", "style", "second"], include=["player", "games"], name="second_board"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.level} {self.style} {self.second}: {self.games}"


class RecordEvent(models.Model):
    """A site record, or a personal best of ``LOGGED_STATISTICS``, logged when the game was added.

    ``old_value`` is None for the first.  ``level`` is "combined" for sums: ``replay`` completed it, ``second_replay`` and
    ``third_replay`` are its other games.  ``rank_before`` and ``rank_after`` are the player's ranks on that board before
    and after; the first is None if the player had no row.
    """

    class Kind(TextChoices):
        PERSONAL = "personal", _("personal best")
        SITE = "site", _("site record")

    kind = models.CharField(max_length=8, choices=Kind.options)
    player = models.ForeignKey(Player, models.CASCADE, related_name="record_events", db_index=False)
    statistic = models.CharField(max_length=16)
    level = models.CharField(max_length=16)
    style = models.CharField(max_length=3)
    old_value = models.FloatField(null=True)
    new_value = models.FloatField()
    rank_before = models.PositiveIntegerField(null=True)
    rank_after = models.PositiveIntegerField()
    replay = models.ForeignKey("replays.Replay", models.CASCADE, related_name="record_events")
    second_replay = models.ForeignKey("replays.Replay", models.CASCADE, null=True, related_name="+", db_index=False)
    third_replay = models.ForeignKey("replays.Replay", models.CASCADE, null=True, related_name="+", db_index=False)
    happened_at = models.DateTimeField()
    updated_at = models.DateTimeField(db_default=Now(), editable=False)  # by a trigger (``players.db.change_triggers``)

    class Meta:
        indexes: ClassVar = [
            # Partial: for personal bests, which are most of the rows, the primary key finds the newest ones.
            models.Index(fields=["style", "-id"], name="site_records_newest", condition=models.Q(kind="site")),
            models.Index(fields=["kind", "statistic", "level", "style", "-id"], name="events_of_board"),
            models.Index(fields=["player", "-id"], name="events_of_player"),
            *(
                models.Index(fields=[name], name=f"sums_of_{name}", condition=models.Q(level=COMBINED))
                for name in ("second_replay", "third_replay")
            ),
            # A player's way to the best of one board, for the trends of a page of it.
            models.Index(
                fields=["player", "statistic", "level", "style", "id"],
                name="events_of_player_board",
                condition=models.Q(kind="personal"),
            ),
            # Whose time improved since a day (``players.profile.top_lists.improvements``).
            models.Index(
                fields=["level", "style", "happened_at"],
                name="events_of_times_by_date",
                condition=models.Q(kind="personal", statistic="time"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.player_id} {self.statistic} {self.level} {self.style} {self.new_value}"


class RankCheckpoint(models.Model):
    """Number of rows of a board better than ``rank_key`` (``ahead``) when the board was last counted.

    See ``leaderboards.ranks.checkpoints``.  ``level`` is "combined" for sums.
    """

    statistic = models.CharField(max_length=16)
    level = models.CharField(max_length=16)
    style = models.CharField(max_length=3)
    rank_key = models.FloatField()
    ahead = models.PositiveIntegerField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["statistic", "level", "style", "rank_key"], include=["ahead"], name="marks_of_board"),
        ]

    def __str__(self) -> str:
        return f"{self.statistic} {self.level} {self.style} {self.rank_key}: {self.ahead}"


class RankChange(models.Model):
    """A row of a board was inserted (``old_key`` NULL), deleted (``new_key`` NULL) or updated since its last count."""

    statistic = models.CharField(max_length=16)
    level = models.CharField(max_length=16)
    style = models.CharField(max_length=3)
    old_key = models.FloatField(null=True)
    new_key = models.FloatField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["statistic", "level", "style"], include=["old_key", "new_key"], name="changes_of_board"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.statistic} {self.level} {self.style} {self.old_key} -> {self.new_key}"


class LevelChange(models.Model):
    """An entry of the change log: the ranked games of a player on a level changed (``players.db.change_log``).

    ``log_position``: see ``players.db.log_position``.  No foreign key, since the player may be deleted.
    """

    player_number = models.BigIntegerField()
    level = models.CharField(max_length=16)
    log_position = models.BigIntegerField(db_default=LogPosition())
    noted_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["level", "log_position"], include=["player_number"], name="changes_of_level"),
            models.Index(fields=["noted_at"], name="level_changes_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.player_number}"


class Change(models.Model):
    """An entry of the feed of changes: a public row came, changed or went (``players.db.changes``).

    Triggers of the database write it (``players.db.change_triggers``), so no way of writing can forget it.  No foreign
    key, since the row may be gone.  ``log_position``: see ``players.db.log_position``.  Deletions are stored for good.
    ``identity``: game and board of a record, which a freeze takes back and its end stores again under another number.
    """

    class Thing(models.TextChoices):
        REPLAY = "replay"
        PLAYER = "player"
        RECORD = "record"
        UPLOAD = "upload"  # private: a file was analysed, and accepted or rejected
        FEED = "feed"  # deleted: places given before mean nothing any more; changed: entries up to here were deleted

    class Kind(models.TextChoices):
        CREATED = "created"
        CHANGED = "changed"
        HIDDEN = "hidden"  # no longer public, which readers are told as deleted
        DELETED = "deleted"

    thing = models.CharField(max_length=6)
    thing_id = models.BigIntegerField()
    kind = models.CharField(max_length=7)
    updated_at = models.DateTimeField(db_default=Now())
    log_position = models.BigIntegerField(db_default=LogPosition())
    identity = models.TextField(db_default="", editable=False)  # of a record that goes, or comes again

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["log_position", "id"], name="changes_in_order"),
            models.Index(fields=["identity"], name="records_taken_back", condition=~models.Q(identity="")),
            models.Index(fields=["updated_at"], name="changes_by_age"),
            models.Index(
                fields=["thing", "thing_id"],
                name="what_was_deleted",
                condition=models.Q(kind="deleted") | models.Q(thing="feed"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.thing} {self.thing_id} {self.kind}"
