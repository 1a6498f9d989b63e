from __future__ import annotations

from rest_framework import serializers

from players.web.api import ReplayRefSerializer
from players.web.json_bodies import JsonBody
from replays.models import TrainingDay
from replays.odds.positions.serializers import CellField, DeductionStepSerializer
from replays.watch.training.selectors import Box, Puzzle, Slip, Training


class PuzzleSerializer(serializers.Serializer[Puzzle]):
    """The position before a slip."""

    event = serializers.IntegerField(help_text="Place of the slip among the events of the file, from 0.")
    mines = serializers.IntegerField(help_text="Mines of the whole board.")
    rows = serializers.ListField(child=serializers.CharField(), help_text="One text a row: a number, or “.” closed.")


class PuzzleChoiceSerializer(JsonBody[None]):
    """The cell that is to be opened."""

    row = serializers.IntegerField(min_value=0, help_text="From 0.")
    column = serializers.IntegerField(min_value=0, help_text="From 0.")


class PuzzleAnswerSerializer(serializers.Serializer[dict[str, object]]):
    """Whether a cell was right, and what could be known.  The position alone decides; the mines of the game play no part."""

    right = serializers.BooleanField(help_text="Certainly safe; where nothing is, of the least risk.")
    provable = serializers.BooleanField(help_text="Whether some cell was certainly safe.")
    risk = serializers.FloatField(help_text="The chance of a mine in the chosen cell.")
    least_risk = serializers.FloatField(help_text="The least risk that there was.")
    best = serializers.ListField(child=CellField(), help_text="All cells that are right.")
    steps = DeductionStepSerializer(many=True, help_text="The deduction of what was certainly safe, step by step.")
    counted = serializers.BooleanField(help_text="Whether it counts in your training: your own slip, and its turn.")


class SlipSerializer(serializers.Serializer[Slip]):
    """A slip that is to be repeated today."""

    replay = ReplayRefSerializer(source="replay_id")
    event = serializers.IntegerField(help_text="Place of the slip among the events of the file, from 0.")
    box = serializers.IntegerField(help_text="Where it is, from 1; new slips are in the first.")


class BoxSerializer(serializers.Serializer[Box]):
    """A box of slips."""

    number = serializers.IntegerField(help_text="From 1.")
    days = serializers.IntegerField(allow_null=True, help_text="After which its slips are asked again; null: never, they are learned.")  # fmt: skip
    cards = serializers.IntegerField(help_text="Slips in it.")


class TrainingDaySerializer(serializers.ModelSerializer[TrainingDay]):
    """Slips that were repeated on one day."""

    class Meta:
        model = TrainingDay
        fields = ("day", "tried", "right")
        extra_kwargs = {
            "day": {"help_text": "In the time zone of the account."},
            "tried": {"help_text": "Slips whose turn it was."},
            "right": {"help_text": "How many of them were answered rightly."},
        }


class TrainingSerializer(serializers.Serializer[Training]):
    """The training of an account."""

    today = serializers.DateField(help_text="In the time zone of the account.")
    tried = serializers.IntegerField(help_text="Slips repeated today.")
    right = serializers.IntegerField(help_text="How many of them were answered rightly.")
    slips = SlipSerializer(many=True, help_text="What is left of the set of today.")
    boxes = BoxSerializer(many=True, help_text="The boxes; the last one holds what is learned.")
    days = TrainingDaySerializer(many=True, help_text="The last 60 days with answers, oldest first.")
