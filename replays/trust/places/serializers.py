from __future__ import annotations

from rest_framework import serializers

from players.models import MAX_ID
from players.web.api import KnownChoiceField, PageSerializer, ReplayRefSerializer, StatedTimeField, TextField, Values
from players.web.json_bodies import JsonBody
from replays.models import Contest, Replay
from replays.trust.judging.selectors import judgement_text
from replays.trust.places.selectors import FileShown, PlaceFile, PlaceShown


class EqualFileSerializer(serializers.Serializer[FileShown]):
    """Another file of the same play."""

    replay = ReplayRefSerializer(source="replay.pk")
    same_game = serializers.BooleanField(help_text="Whether it has the same name and result as well.")
    holds = serializers.BooleanField(help_text="Whether its game holds the place of the play.")
    judgement = serializers.ChoiceField(
        source="replay.judgement", choices=Replay.Judgement.choices, help_text="Whether and how the other file counts."
    )


class ContestSerializer(serializers.Serializer[Contest]):
    """An account's word that a game is the true one."""

    account = serializers.IntegerField(
        source="user_id", allow_null=True, help_text="Number of the account; null: the operator of the site."
    )
    state = serializers.ChoiceField(choices=Contest.State.choices, help_text="What became of it.")


class DisputeFileSerializer(serializers.Serializer[PlaceFile]):
    """A file of a place."""

    id = serializers.IntegerField(source="replay.pk")
    game = serializers.IntegerField(
        source="replay.game", help_text="Files with the same name and result have one number."
    )
    holds = serializers.BooleanField(help_text="Whether its game holds the place.")
    name = TextField(source="replay.identifier", help_text="The name inside the replay.")
    player = serializers.IntegerField(source="replay.player_id", allow_null=True, help_text="Number of the player.")
    owner = serializers.IntegerField(
        source="replay.player.user_id", allow_null=True, default=None, help_text="The account that owns the name."
    )
    senders = serializers.SerializerMethodField(help_text="Numbers of all accounts that sent it, the first one first.")
    uploaded_at = serializers.DateTimeField(source="replay.uploaded_at")
    played_at = StatedTimeField(source="replay.stated_at", allow_null=True)
    date_trusted = serializers.BooleanField(source="replay.date_trusted", help_text="Whether its date counts.")
    level = serializers.CharField(source="replay.level")
    time = serializers.FloatField(source="replay.time", allow_null=True, help_text="Time in seconds, from 0.")
    evidence = KnownChoiceField(Replay.Evidence.values, source="replay.evidence")
    seal_in_doubt = serializers.BooleanField(help_text="As of a replay.")
    ranked = serializers.BooleanField(source="replay.ranked", help_text="Whether the game counts on leaderboards.")
    judgement = serializers.ChoiceField(source="replay.judgement", choices=Replay.Judgement.choices)
    text = serializers.SerializerMethodField(help_text="Why, as a sentence; null if it is accepted.")
    findings = serializers.ListField(child=serializers.CharField(), help_text="The findings, as sentences.")
    appeals = serializers.SerializerMethodField(help_text="The texts of open appeals.")
    objections = serializers.SerializerMethodField(help_text="The texts of open objections.")
    contests = ContestSerializer(many=True, help_text="Who says, or said, that its game is the true one.")

    def get_senders(self, file: PlaceFile) -> list[int]:
        return [user.pk for user in file.senders]

    def get_text(self, file: PlaceFile) -> str | None:
        return judgement_text(file.replay) or None

    def get_appeals(self, file: PlaceFile) -> list[str]:
        return [appeal.text for appeal in file.appeals]

    def get_objections(self, file: PlaceFile) -> list[str]:
        return [objection.text for objection in file.objections]


class DisputeSerializer(serializers.Serializer[PlaceShown]):
    """The place of a play that came in several files."""

    id = serializers.IntegerField(source="place.pk")
    held_at = serializers.DateTimeField(source="place.held_at", help_text="Since when its game holds it.")
    decided_at = serializers.DateTimeField(source="place.decided_at", allow_null=True, help_text="When staff decided.")
    reason = TextField(source="place.reason", help_text="What staff wrote.")
    files = DisputeFileSerializer(many=True, help_text="Those of the game that holds it come first.")
    more = serializers.IntegerField(help_text="Number of files that are not listed.")


class DisputesSerializer(PageSerializer):
    """A page of places; a cursor is null where they end."""

    rows = DisputeSerializer(many=True)


class DisputeDecisionSerializer(JsonBody[Values]):
    """A decision about a place."""

    replay = serializers.IntegerField(
        min_value=1, max_value=MAX_ID, allow_null=True, help_text="The file that counts; null: they are not one play."
    )
    reason = serializers.CharField(max_length=255, help_text="Everybody can read it.")
    honest_mistakes = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID),
        max_length=100,
        default=list,
        help_text="Numbers of accounts that sent another game and lose nothing by that.",
    )
