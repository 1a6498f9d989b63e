from __future__ import annotations

from rest_framework import serializers

from analysis.time_convention import value_text
from players.leaderboards.pages.serializers import ALL_LEVELS, LEVELS
from players.leaderboards.passing.selectors import Passings
from players.models import Claim
from players.people.serializers import PlayerRefSerializer
from players.web.api import ReplayRefSerializer, TextField
from players.web.statistic_names import StatisticField
from replays.models import Replay
from replays.own.me.notes import Kind, Note
from replays.own.me.selectors import Home, OwnGame, OwnPlace, OwnRung, Questions, Rival


class PassingsSerializer(serializers.Serializer[Passings]):
    """Players who passed the player on a board, and players whom the player passed."""

    passed_by = PlayerRefSerializer(many=True, help_text="Some of them, the newest first.")
    passed_by_count = serializers.IntegerField(help_text="How many players passed the player.")
    passed = PlayerRefSerializer(many=True, help_text="Some of them, the nearest first.")
    passed_count = serializers.IntegerField(help_text="How many players the player passed.")
    is_new = serializers.BooleanField(help_text="The player was not on the board before; nobody is counted.")
    complete = serializers.BooleanField(help_text="Whether the counts are exact, and not lower bounds.")


class OwnPlaceSerializer(serializers.Serializer[OwnPlace]):
    """The place of the player on a board of all styles."""

    level = serializers.CharField(source="key.level", help_text=ALL_LEVELS)
    statistic = StatisticField(source="key.statistic")
    rank = serializers.IntegerField(source="best.rank")
    value = serializers.FloatField(source="best.value")
    text = serializers.SerializerMethodField()
    replay = ReplayRefSerializer(source="best.replay_id", allow_null=True, help_text="Null for sums.")
    moved = PassingsSerializer(allow_null=True, help_text="Since the last visit; null during the first one.")

    def get_text(self, place: OwnPlace) -> str:
        return value_text(place.key.row, place.best.value, precision_ms=place.best.precision_ms)


class OwnRungSerializer(serializers.Serializer[OwnRung]):
    """The next rung of the sub ladder of a level."""

    level = serializers.CharField(help_text=LEVELS)
    n = serializers.IntegerField(source="rung.n", help_text="The next sub-N.")
    best = serializers.FloatField(source="best.value", help_text="The best time, in s.")
    missing = serializers.FloatField(source="missing_s", help_text="By how much it must be beaten, in s.")
    replay = ReplayRefSerializer(source="best.replay_id", help_text="The game of the best time.")


class OwnRivalSerializer(serializers.Serializer[Rival]):
    """The player before the account's on the board of a level, or of the leader the one after it."""

    level = serializers.CharField(help_text=LEVELS)
    player = PlayerRefSerializer(source="row.player")
    rank = serializers.IntegerField(source="row.rank")
    value = serializers.FloatField(source="row.value", help_text="The best time, in s.")
    replay = ReplayRefSerializer(source="row.replay_id", help_text="The game of the best time.")
    gap = serializers.FloatField(source="gap_s", help_text="The difference of the best times, in s.")
    is_ahead = serializers.BooleanField(help_text="False: the account's player leads.")


class OwnGameSerializer(serializers.Serializer[OwnGame]):
    """One of the last games of the player."""

    id = serializers.IntegerField(source="line.pk")
    level = serializers.CharField(source="line.level")
    result = serializers.ChoiceField(source="line.result", choices=Replay.Result.choices)
    time = serializers.FloatField(source="line.time", allow_null=True, help_text="In s.")
    bv = serializers.IntegerField(source="line.bv", allow_null=True, help_text="3BV of the board.")
    bvs = serializers.FloatField(source="line.bvs", allow_null=True, help_text="3BV/s of the game.")
    uploaded_at = serializers.DateTimeField(source="line.uploaded_at")
    likes = serializers.IntegerField(source="line.likes_count", help_text="Number of likes.")
    comments = serializers.IntegerField(source="line.comments_count", help_text="Without those that staff hid.")
    is_best = serializers.BooleanField(help_text="Whether it is the player's best time of the level.")
    difference = serializers.FloatField(
        source="difference_s", allow_null=True, help_text="To that best, in s; of games that were won."
    )


class OpenClaimSerializer(serializers.Serializer[Claim]):
    """A claim of the account that waits, without its code."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="The name that is claimed.")
    state = serializers.ChoiceField(choices=Claim.State.choices, help_text="How far the claim is.")


class QuestionsSerializer(serializers.Serializer[Questions]):
    """Questions that wait for an answer of the account."""

    games_waiting = serializers.IntegerField(help_text="Games that others uploaded under its names.")
    names = serializers.ListField(
        child=serializers.CharField(),
        help_text="Names in its uploads that nobody claims; asked while the account has no name and claims none.",
    )
    claims = OpenClaimSerializer(many=True, help_text="Claims that wait for something.")


class NoteSerializer(serializers.Serializer[Note]):
    """A note on what happened to games or bests of the account."""

    kind = serializers.ChoiceField(choices=[(kind.value, kind.value) for kind in Kind], help_text="What happened.")
    at = serializers.DateTimeField(help_text="When it happened.")
    replay = serializers.IntegerField(
        source="replay_number", allow_null=True, help_text="Of recomputed bests the first, null if none is left."
    )
    name = TextField(help_text="Of the file; null for recomputed bests.")
    state = serializers.CharField(help_text="What the game is now, in words.")
    text = TextField(help_text="Why, or null; of recomputed bests the values before and after, and the rank now.")
    is_new = serializers.BooleanField(help_text="Since the last visit.")
    games = serializers.IntegerField(help_text="Latest uploads with the same reason; the note is about the newest.")


class HomeSerializer(serializers.Serializer[Home]):
    """The contents of the start page of an account."""

    player = PlayerRefSerializer(allow_null=True, help_text="The player of the account; null if it has none.")
    since = serializers.DateTimeField(
        allow_null=True, help_text="When the account looked at the start page of the site before; null if it did not."
    )
    places = OwnPlaceSerializer(many=True, help_text="Places on boards.")
    rungs = OwnRungSerializer(many=True, help_text="The next rungs of the sub ladder.")
    rivals = OwnRivalSerializer(many=True, help_text="The next player on each board.")
    games = OwnGameSerializer(many=True, help_text="The last games.")
    questions = QuestionsSerializer(help_text="What waits for an answer.")
    notes = NoteSerializer(many=True, help_text="What happened lately.")
