"""Cells are ``[row, column]``, counted from 0."""

from __future__ import annotations

from rest_framework import serializers

from analysis.multiplayer.laying import DELTAS_SHOWN
from players.web.api import Values
from replays.play.laying.selectors import LaidBoard, parameters_of


class LayingParametersSerializer(serializers.Serializer[Values]):
    """The parameters of a board."""

    rows = serializers.IntegerField()
    columns = serializers.IntegerField()
    area = serializers.IntegerField()
    area_mines = serializers.IntegerField()
    modulus = serializers.IntegerField()
    start_number = serializers.IntegerField()


class LayingAreaSerializer(serializers.Serializer[Values]):
    """An area, in the order in which they are laid."""

    top = serializers.IntegerField()
    left = serializers.IntegerField()
    height = serializers.IntegerField()
    width = serializers.IntegerField()
    mines = serializers.IntegerField()


class LayingStepSerializer(serializers.Serializer[Values]):
    """The swap of one cell with another."""

    cell = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    fibonacci = serializers.IntegerField(help_text="The Fibonacci number that delta is multiplied by.")
    deltas = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=f"Every value of delta; the last was taken.  Of more than {DELTAS_SHOWN} the first ones and the last.",
    )
    multiplications = serializers.IntegerField()
    swapped_with = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)


class LaidBoardSerializer(serializers.Serializer[Values]):
    """A board laid by the multiplayer paper."""

    link = serializers.CharField(help_text="A page that shows the same.")
    laying = LayingParametersSerializer()
    mines = serializers.IntegerField()
    board = serializers.ListField(child=serializers.CharField(), help_text="A text a row: * a mine, . any other cell.")
    areas = LayingAreaSerializer(many=True)
    steps = LayingStepSerializer(many=True)


def board_values(board: LaidBoard, link: str) -> Values:
    """The values of :class:`LaidBoardSerializer`."""
    return {
        "link": link,
        "laying": parameters_of(board.laying),
        "mines": board.mine_count,
        "board": board.rows,
        "areas": [area._asdict() for area in board.areas],
        "steps": [step._asdict() for step in board.steps],
    }
