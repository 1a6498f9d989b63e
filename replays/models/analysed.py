from __future__ import annotations

from typing import ClassVar, Final

from django.db import models
from django.db.models import Q

from replays.models.replay import Replay

#: The columns of ``PlayTrace`` that hold one shingle each.
SKETCH_COLUMNS: Final = tuple(f"sketch_{number}" for number in range(1, 7))


class PlayTrace(models.Model):
    """Facts that are compared between games: order of clicks, the board, the seal, habits of the hand and its mouse.

    See ``analysis.evidence``.  None of the keys is unique: equal ones are a finding, not an error.

    ``sketch``: the smallest shingles of a won game of a ranked level, 64 bits each, little endian; ``sketch_1`` to
    ``sketch_6``: the first six again, by which others are found.  ``compared_at``: when it was last compared with all
    others by its sketch (``replays.trust.evidence.similar``); NULL until the night after it was analysed.
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
    sketch = models.BinaryField(max_length=128, null=True)
    sketch_1 = models.BigIntegerField(null=True)
    sketch_2 = models.BigIntegerField(null=True)
    sketch_3 = models.BigIntegerField(null=True)
    sketch_4 = models.BigIntegerField(null=True)
    sketch_5 = models.BigIntegerField(null=True)
    sketch_6 = models.BigIntegerField(null=True)
    compared_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            *(
                models.Index(fields=[name], name=f"trace_by_{name}", condition=Q(**{f"{name}__isnull": False}))
                for name in ("clicks", "clicks_start", "board", "clicks_on_board", "seal_hash", *SKETCH_COLUMNS)
            ),
            models.Index(fields=["replay"], name="trace_to_compare", condition=Q(compared_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.replay_id}: {self.opening_clicks} opening clicks"


class StatisticQuantiles(models.Model):
    """Spread of one statistic over the ranked games of a level: its sorted values, or 1,001 of them at even distances.

    ``games``, ``players``: of how many; ``values``: float64, little endian.  Made anew every hour (``replays.watch.standing``).
    """

    level = models.CharField(max_length=16)
    statistic = models.CharField(max_length=16)
    games = models.PositiveIntegerField()
    players = models.PositiveIntegerField(default=0, db_default=0)
    values = models.BinaryField()
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["level", "statistic"], name="one_table_of_quantiles"),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.statistic}: {self.games} games"


class NeedlessGuess(models.Model):
    """A click with an avoidable risk, so that a player can look at it (``replays.watch.review``) and repeat it.

    ``is_needless``: some cell was certainly safe; otherwise another one was only much safer (``analysis.luck.WORSE_BY``).
    """

    replay = models.ForeignKey(Replay, models.CASCADE, related_name="needless", db_index=False)
    event = models.PositiveIntegerField()  # its place among the events of the file
    time_ms = models.IntegerField()  # since the opening
    risk = models.FloatField()
    rule = models.CharField(max_length=16, blank=True)  # the easiest rule that shows a safe cell; "" if none was found
    is_needless = models.BooleanField(default=True, db_default=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["replay", "event"], name="needless_guess_once")]

    def __str__(self) -> str:
        return f"{self.replay_id}: {self.time_ms} ms"


class TrainingCard(models.Model):
    """A slip that an account repeats (``replays.watch.training``): its box, and the day from which it is asked again.

    ``event``: its place among the events of the file.  ``due_on``: NULL once it has left the last box.
    """

    user = models.ForeignKey("players.User", models.CASCADE, related_name="training_cards", db_index=False)
    replay = models.ForeignKey(Replay, models.CASCADE, related_name="training_cards")
    event = models.PositiveIntegerField()
    box = models.PositiveSmallIntegerField()
    due_on = models.DateField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "replay", "event"], name="one_training_card"),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "due_on"], name="training_cards_due")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.replay_id} {self.event}"


class TrainingDay(models.Model):
    """Numbers of the slips that an account repeated on a day, and of those that it got right."""

    user = models.ForeignKey("players.User", models.CASCADE, related_name="training_days", db_index=False)
    day = models.DateField()
    tried = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "day"], name="one_training_day")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.day}"


class RecomputeNote(models.Model):
    """Bests of an account that have other values since their files were analysed again on a day (``replays.own.me``).

    ``changes``: by "level statistic" the values before and after, and the replay that holds the best now; the last two are
    None if nothing is left.
    """

    user = models.ForeignKey("players.User", models.CASCADE, related_name="recompute_notes", db_index=False)
    day = models.DateField()
    changed_at = models.DateTimeField()
    changes = models.JSONField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "day"], name="one_recompute_note")]

    def __str__(self) -> str:
        return f"{self.user_id}: {len(self.changes)} bests"
