from __future__ import annotations

from rest_framework import serializers

from analysis.review import Annotation, Kind, Reason, Review, Scores, Weight
from replays.odds.positions.serializers import CellField
from replays.watch.review import review_texts


class AnnotationSerializer(serializers.Serializer[Annotation]):
    """A remark about a moment of a game."""

    kind = serializers.ChoiceField(
        choices=[(kind.value, kind.value) for kind in Kind], help_text="What the remark is about."
    )
    weight = serializers.ChoiceField(
        choices=[(weight.value, weight.value) for weight in Weight], help_text="How bad it was."
    )
    event = serializers.IntegerField(help_text="The place among the events of the file, from 0.")
    time_ms = serializers.IntegerField(help_text="Since the opening.")
    cell = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="Row and column from 0; null outside of the board."
    )
    cells = serializers.ListField(child=CellField(), help_text="The cells that it is about.")
    reason = serializers.ChoiceField(
        choices=[(reason.value, reason.value) for reason in Reason],
        allow_null=True,
        help_text="Why a click had no effect.",
    )
    risk = serializers.FloatField(allow_null=True, help_text="The risk that was taken.")
    least_risk = serializers.FloatField(allow_null=True, help_text="The least risk that there was.")
    rule = serializers.CharField(allow_null=True, help_text="Name of the rule that would have shown it.")
    survived = serializers.BooleanField(help_text="Whether the click hit no mine.")
    span_ms = serializers.IntegerField(allow_null=True, help_text="Length of a slow stretch.")
    ratio = serializers.FloatField(allow_null=True, help_text="The way of a detour by the straight way.")
    text = serializers.SerializerMethodField(help_text="In the language of the request.")

    def get_text(self, one: Annotation) -> str:
        return f"{review_texts.title(one.kind)}: {review_texts.detail(one)}"


class ScoresSerializer(serializers.Serializer[Scores]):
    """Plain numbers; null where they are not defined."""

    accuracy = serializers.FloatField(
        allow_null=True, help_text="The percentage of opening clicks that took no avoidable risk."
    )
    needless_risk = serializers.FloatField(
        allow_null=True, help_text="Risk beyond that of the safest cells, in coin flips; null after a certain mine."
    )
    opening_guesses = serializers.IntegerField(help_text="Clicks with an avoidable risk in the first two seconds.")
    misreads = serializers.IntegerField(help_text="Clicks with an avoidable risk after the first two seconds.")
    economy = serializers.FloatField(allow_null=True, help_text="corr")
    route = serializers.FloatField(allow_null=True, help_text="gznt")
    pace = serializers.FloatField(allow_null=True, help_text="1 - time of slow stretches / time.")


class ReviewSerializer(serializers.Serializer[Review]):
    """The remarks about a game in order, and its scores."""

    annotations = AnnotationSerializer(many=True, help_text="The remarks, in order.")
    scores = ScoresSerializer(help_text="Scores of the whole game.")
