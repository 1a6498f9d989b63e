"""Cells are ``[row, column]``, counted from 0."""

from __future__ import annotations

from rest_framework import serializers

from analysis.multiplayer.laying import DELTAS_SHOWN
from players.web.api import Values
from replays.play.laying.selectors import LaidBoard, parameters_of


class LayingParametersSerializer(serializers.Serializer[Values]):
    """The parameters of a board."""

    rows = serializers.IntegerField(help_text="Rows of the board.")
    columns = serializers.IntegerField(help_text="Columns of the board.")
    area = serializers.IntegerField(help_text="Side of an area, in cells.")
    area_mines = serializers.IntegerField(help_text="Mines of a full area.")
    modulus = serializers.IntegerField(help_text="Modulus of the sequence of numbers.")
    start_number = serializers.IntegerField(help_text="The number that the sequence starts from.")


class LayingAreaSerializer(serializers.Serializer[Values]):
    """An area, in the order in which they are laid."""

    top = serializers.IntegerField(help_text="First row, from 0.")
    left = serializers.IntegerField(help_text="First column, from 0.")
    height = serializers.IntegerField(help_text="Number of rows.")
    width = serializers.IntegerField(help_text="Number of columns.")
    mines = serializers.IntegerField(help_text="Mines of the area.")


class LayingStepSerializer(serializers.Serializer[Values]):
    """The swap of one cell with another."""

    cell = serializers.ListField(
        child=serializers.IntegerField(), min_length=2, max_length=2, help_text="Row and column of the cell."
    )
    fibonacci = serializers.IntegerField(help_text="The Fibonacci number that delta is multiplied by.")
    deltas = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=f"Every value of delta; the last was taken.  Of more than {DELTAS_SHOWN} the first ones and the last.",
    )
    multiplications = serializers.IntegerField(help_text="How many multiplications the step took.")
    swapped_with = serializers.ListField(
        child=serializers.IntegerField(),
        min_length=2,
        max_length=2,
        help_text="Row and column of the cell that it is swapped with.",
    )


class LaidBoardSerializer(serializers.Serializer[Values]):
    """A board laid by the multiplayer paper."""

    link = serializers.CharField(help_text="A page that shows the same.")
    laying = LayingParametersSerializer(help_text="The parameters of the board.")
    mines = serializers.IntegerField(help_text="Number of mines.")
    board = serializers.ListField(child=serializers.CharField(), help_text="A text a row: * a mine, . any other cell.")
    areas = LayingAreaSerializer(many=True, help_text="The areas, in the order in which they are laid.")
    steps = LayingStepSerializer(many=True, help_text="The requested steps.")


def board_values(board: LaidBoard, link: str) -> Values:
    return {
        "link": link,
        "laying": parameters_of(board.laying),
        "mines": board.mine_count,
        "board": board.rows,
        "areas": [area._asdict() for area in board.areas],
        "steps": [step._asdict() for step in board.steps],
    }
