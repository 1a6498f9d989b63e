from __future__ import annotations

from typing import Any

from rest_framework import serializers

from players.web.api import KnownChoiceField, PageSerializer, ReplayRefSerializer, TextField, Values
from players.web.json_bodies import JsonBody
from replays.models import Appeal, Replay
from replays.trust.judging.findings import finding_sentence
from replays.trust.judging.selectors import judgement_text
from replays.trust.judging.services import DECISIONS


class FindingSerializer(serializers.Serializer[dict[str, Any]]):
    """Something about the file or the way in which the game was played that its reader should know."""

    code = serializers.CharField(help_text="Stable, for programs.")
    params = serializers.DictField(help_text="The values that the text names.")
    text = serializers.SerializerMethodField(help_text="The finding as a sentence.")

    def get_text(self, finding: dict[str, Any]) -> str:
        return finding_sentence(finding["code"], finding["params"])


class AppealTextSerializer(JsonBody[Values]):
    """The text of an appeal."""

    text = serializers.CharField(max_length=Appeal.MAX_CHARS, help_text="Why the judgement is wrong.")


def _texts(replay: Replay, prefetched: str) -> list[str]:
    """The texts of the appeals or objections that ``judgement_page`` has put on the row."""
    return [one.text for one in getattr(replay, prefetched)]


class DecisionSerializer(JsonBody[Values]):
    """A decision of staff."""

    judgement = serializers.ChoiceField(choices=DECISIONS, help_text="The judgement.")
    reason = serializers.CharField(
        max_length=255, allow_blank=True, default="", help_text="Needed unless it is accepted; everybody can read it."
    )


class JudgedReplaySerializer(serializers.Serializer[Replay]):
    """A replay that waits for staff, or that they did not accept."""

    id = serializers.IntegerField()
    level = TextField(help_text="Null unless the file could be read.")
    player = serializers.IntegerField(source="player_id", allow_null=True, help_text="Number of the player.")
    uploader = serializers.IntegerField(
        source="uploader_id", allow_null=True, help_text="Number of the account that uploaded it."
    )
    uploaded_at = serializers.DateTimeField()
    evidence = KnownChoiceField(Replay.Evidence.values)
    judgement = serializers.ChoiceField(choices=Replay.Judgement.choices)
    judgement_code = TextField(help_text="Why, as a stable word; null if it is accepted.")
    text = serializers.SerializerMethodField(help_text="The same as a sentence.")
    provisional_until = serializers.DateTimeField(allow_null=True, help_text="When a provisional game becomes final.")
    judged_at = serializers.DateTimeField(allow_null=True, help_text="When staff decided.")
    appeals = serializers.SerializerMethodField(help_text="The texts of open appeals.")
    objections = serializers.SerializerMethodField(help_text="The texts of open objections.")

    def get_text(self, replay: Replay) -> str | None:
        return judgement_text(replay) or None

    def get_appeals(self, replay: Replay) -> list[str]:
        return _texts(replay, "open_appeals")

    def get_objections(self, replay: Replay) -> list[str]:
        return _texts(replay, "open_objections")


class JudgementQueueSerializer(PageSerializer):
    """A page of the queue; a cursor is null where it ends."""

    rows = JudgedReplaySerializer(many=True)


class AppealSerializer(serializers.Serializer[Appeal]):
    """An appeal and its answer."""

    id = serializers.IntegerField()
    replay = ReplayRefSerializer(source="replay_id")
    text = serializers.CharField(help_text="Why the judgement is wrong, in the words of the account.")
    created_at = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=Appeal.State.choices, help_text="What staff decided.")
    answer = TextField(help_text="What staff answered; it may be null.")
    answered_at = serializers.DateTimeField(allow_null=True, help_text="When staff decided; null if they have not yet.")


class AppealsSerializer(serializers.Serializer[Values]):
    """The appeals of one replay, the latest first."""

    rows = AppealSerializer(many=True)
