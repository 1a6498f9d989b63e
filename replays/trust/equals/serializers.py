from __future__ import annotations

from rest_framework import serializers

from players.web.api import KnownChoiceField, PageSerializer, ReplayRefSerializer, StatedTimeField, TextField, Values
from players.web.json_bodies import JsonBody
from replays.models import GameLink, Replay
from replays.trust.equals.selectors import LinkShown, PairShown, PairSide
from replays.trust.equals.services import DECISIONS
from replays.trust.equals.stands import Stands
from replays.trust.judging.selectors import judgement_text
from replays.trust.judging.serializers import FindingSerializer

STATES = [state.value for state in Stands]


class GameLinkSerializer(serializers.Serializer[LinkShown]):
    """Another file of the same game, or of one much like it."""

    replay = ReplayRefSerializer(source="other.pk")
    kind = serializers.ChoiceField(choices=GameLink.Kind.choices, help_text="What both share.")
    text = serializers.CharField(help_text="The same as a sentence.")
    stands = serializers.ChoiceField(
        source="state",
        choices=STATES,
        help_text="Which of the two can count; “first” is the one with the lower number, “neither”: staff must decide.",
    )
    judgement = serializers.ChoiceField(
        source="other.judgement", choices=Replay.Judgement.choices, help_text="Whether and how the other file counts."
    )


class PairSideSerializer(serializers.Serializer[PairSide]):
    """One of two linked files."""

    id = serializers.IntegerField(source="replay.pk")
    name = TextField(source="replay.identifier", help_text="The name inside the replay.")
    player = serializers.IntegerField(source="replay.player_id", allow_null=True, help_text="Number of the player.")
    owner = serializers.IntegerField(
        source="replay.player.user_id", allow_null=True, default=None, help_text="The account that owns the name."
    )
    uploader = serializers.IntegerField(
        source="replay.uploader_id", allow_null=True, help_text="Number of the account that uploaded it."
    )
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
    findings = FindingSerializer(source="replay.findings", many=True, help_text="What the analysis noticed.")
    appeals = serializers.SerializerMethodField(help_text="The texts of open appeals.")
    objections = serializers.SerializerMethodField(help_text="The texts of open objections.")

    def get_text(self, side: PairSide) -> str | None:
        return judgement_text(side.replay) or None

    def get_appeals(self, side: PairSide) -> list[str]:
        return [appeal.text for appeal in side.appeals]

    def get_objections(self, side: PairSide) -> list[str]:
        return [objection.text for objection in side.objections]


class PairSerializer(serializers.Serializer[PairShown]):
    """Two linked files that wait for staff."""

    id = serializers.IntegerField(source="link.pk")
    kind = serializers.ChoiceField(
        source="link.kind", choices=GameLink.Kind.choices, help_text="Why the files are linked."
    )
    made_at = serializers.DateTimeField(source="link.made_at", help_text="When they were linked.")
    stands = serializers.ChoiceField(choices=STATES, help_text="What the rules say; “neither”: staff must decide.")
    sides = PairSideSerializer(many=True, help_text="The first to arrive comes first.")


class PairsSerializer(PageSerializer):
    """A page of pairs; a cursor is null where they end."""

    rows = PairSerializer(many=True)


class PairDecisionSerializer(JsonBody[Values]):
    """A decision about a pair."""

    stands = serializers.ChoiceField(choices=DECISIONS, help_text="“both”: they are not the same game.")
    reason = serializers.CharField(max_length=255, help_text="Everybody can read it.")
