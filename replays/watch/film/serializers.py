"""Films and odds as JSON: columns of equal length, units in their names; and the settings of the viewer.

The classes describe the columns in the schema.  Their values are written by orjson, which takes arrays as they are: a
film has up to a million events, and a list of Python numbers is ten times as large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from django.utils.translation import gettext as _
from rest_framework import serializers

from analysis.film import FILM_VERSION, ODDS_VERSION, Film, OddsPack
from analysis.formulas import MAX_CHARACTERS, BadFormula
from analysis.recording import Kind
from analysis.statistics import LUCK_VERSION, VERSION
from analysis.zini import KINDS, RouteStep
from players.web.api import Values
from players.web.json_bodies import JsonBody
from players.web.statistic_names import code_name
from replays.odds.positions.serializers import CellField
from replays.watch.film.counters import ROW_NAMES, own_formula, refusal_text

_KINDS: Final = tuple(kind.name.lower() for kind in Kind)
_FACES: Final = ("closed", "flag", "question", "open")
#: What ended a position, by the numbers of ``analysis.film.film_odds``.
_ENDS: Final = ("certain", "first", "guess", "needless", "unknown", "none")
_COUNTERS: Final = ("lcl", "rcl", "dcl", "lce", "rce", "dce", "rce_strict", "flags", "bvdone", "opdone", "isdone")
_HALF_PERCENTS: Final = 2
LAYERS: Final = ("bv", "openings", "heat", "odds", "zini")
TRAILS: Final = ("recent", "click", "all", "off")
CLICKS: Final = ("left", "right", "chord")
#: Rows of one's own, as ``film/counters.js`` has it.
MOST_FORMULAS: Final = 20


def _integers(help_text: str = "") -> serializers.ListField:
    return serializers.ListField(child=serializers.IntegerField(), help_text=help_text)


def _words(words: tuple[str, ...], help_text: str = "") -> serializers.ListField:
    return serializers.ListField(child=serializers.ChoiceField([(word, word) for word in words]), help_text=help_text)


class FilmBoardSerializer(serializers.Serializer[Values]):
    """The board; numbers row by row."""

    rows = serializers.IntegerField(help_text="Rows of the board.")
    columns = serializers.IntegerField(help_text="Columns of the board.")
    mines = serializers.ListField(
        child=serializers.CharField(), help_text="One text a row; “*” is a mine, “.” is none."
    )
    opening = serializers.ListField(child=_integers(), help_text="The number of the opening of each cell; 0 for none.")
    island = serializers.ListField(child=_integers(), help_text="The number of the island of each cell; 0 for none.")


class FilmEventsSerializer(serializers.Serializer[Values]):
    """Every event up to the one that decided the game."""

    time_ms = _integers("Since the opening; below 0 before it.")
    x_px = _integers("At `cell_px` a cell; it may lie outside of the board.")
    y_px = _integers("As `x_px`.")


_COUNTED = {name: _integers("A counter of the registry, after the act.") for name in _COUNTERS}


class FilmActsSerializer(type("_Counted", (serializers.Serializer,), _COUNTED)):  # type: ignore[misc]
    """Every event that is no move, and what the click machine has counted after it."""

    event = _integers("Its place among the events, from 0.")
    kind = _words(_KINDS, "What the act was.")
    held = _integers(
        "Bits of what is held afterwards: 1 left, 2 right, 4 middle, 8 left valid, 16 right valid, 32 shift, 64 marks on."
    )
    path_px = serializers.ListField(
        child=serializers.FloatField(),
        help_text="The way of the cursor, at 16 px a cell. Between acts it grows with every event on the board.",
    )


class FilmFacesSerializer(serializers.Serializer[Values]):
    """Every cell that an act changed, in their order."""

    act = _integers("Its place among the acts, from 0.")
    row = _integers("From 0.")
    column = _integers("From 0.")
    face = _words(_FACES, "What the cell shows afterwards.")


class FilmSerializer(serializers.Serializer[Values]):
    """A game event by event: what the viewer of the page plays."""

    version = serializers.IntegerField(help_text="Of the content.")
    statistics_version = serializers.IntegerField(help_text="Of the counters.")
    game_hash = serializers.CharField(help_text="Hash of the board and the events: the same for the same game.")
    result = serializers.ChoiceField([(name, name) for name in ("won", "lost", "unfinished")])
    question_marks = serializers.BooleanField(help_text="Whether they were on at the beginning.")
    cell_px = serializers.IntegerField(help_text="Size of a cell in the recording.")
    precision_ms = serializers.IntegerField(help_text="Every time is a multiple of it.")
    time_ms = serializers.IntegerField(help_text="Time of the game in milliseconds.")
    opening_act = serializers.IntegerField(help_text="The act that opened the first cell.")
    board = FilmBoardSerializer(help_text="The board.")
    events = FilmEventsSerializer(help_text="Every event.")
    acts = FilmActsSerializer(help_text="Every event that is no move.")
    faces = FilmFacesSerializer(help_text="Every cell that changed.")


class PositionsSerializer(serializers.Serializer[Values]):
    """Positions that the player saw between two clicks that opened cells."""

    act = _integers("How many acts are played when it begins.")
    counted = serializers.ListField(
        child=serializers.BooleanField(), help_text="False: its layouts would take too long to count."
    )
    ended_by = _words(_ENDS, "What the click was that ended it.")


class ChancesSerializer(serializers.Serializer[Values]):
    """The chances of cells that are not what they were in the position before."""

    position = _integers("Its place among the positions, from 0.")
    row = _integers("From 0.")
    column = _integers("From 0.")
    mine_percent = serializers.ListField(
        child=serializers.FloatField(),
        help_text="In steps of 0.5. 0 and 100 are certain, never rounded. The exact chances are those of `position/`.",
    )


class OddsSerializer(serializers.Serializer[Values]):
    """The chances of mines at every moment of a film."""

    version = serializers.IntegerField(help_text="Of the content.")
    luck_version = serializers.IntegerField(help_text="Of the definitions.")
    game_hash = serializers.CharField(help_text="Hash of the board and the events: the same for the same game.")
    complete = serializers.BooleanField(help_text="False: there was no time for all positions; ask again later.")
    positions = PositionsSerializer(help_text="The positions.")
    chances = ChancesSerializer(help_text="The chances that changed.")


class FormulaField(serializers.CharField):
    """A formula of a visitor; what is none is refused with the reason."""

    def to_internal_value(self, data: str) -> str:
        text = str(super().to_internal_value(data))
        try:
            own_formula(text)
        except BadFormula as error:
            raise serializers.ValidationError(refusal_text(error)) from error
        return text


class RouteStepSerializer(serializers.Serializer[Values]):
    """A step of a route at one cell: a left click, flags, a chord, in this order, each of them only if needed."""

    cell = CellField()
    opens = serializers.BooleanField(help_text="Whether it begins with a left click.")
    flags = serializers.ListField(child=CellField(), help_text="Cells that are flagged next.")
    chords = serializers.BooleanField(help_text="Whether it ends with a chord.")
    clicks = serializers.IntegerField(help_text="Clicks up to the end of this step.")


class RouteSerializer(serializers.Serializer[Values]):
    """The clicks of a ZiNi, in order."""

    kind = serializers.ChoiceField([(name, name) for name in KINDS], help_text="Which ZiNi.")
    steps = RouteStepSerializer(many=True, help_text="The steps; after the last one the board is solved.")


def route_values(kind: str, steps: Sequence[RouteStep], columns: int) -> Values:
    def cell(number: int) -> list[int]:
        return [number // columns, number % columns]

    return {
        "kind": kind,
        "steps": [
            {
                "cell": cell(step.cell), "opens": step.opens, "flags": [cell(flag) for flag in step.flags],
                "chords": step.chords, "clicks": step.clicks,
            }
            for step in steps
        ],
    }  # fmt: skip


class ViewerSettingsSerializer(JsonBody[Values]):
    """The settings of the viewer; what is left out is as it is for a new visitor."""

    rate = serializers.FloatField(required=False, min_value=0.05, max_value=16.0, help_text="Speed.")
    layers = serializers.ListField(
        child=serializers.ChoiceField([(name, name) for name in LAYERS]),
        required=False,
        max_length=len(LAYERS),
        help_text="What is drawn over the board.",
    )
    trail = serializers.ChoiceField(
        [(name, name) for name in TRAILS], required=False, help_text="How much of the cursor's path is drawn."
    )
    clicks = serializers.ListField(
        child=serializers.ChoiceField([(name, name) for name in CLICKS]),
        required=False,
        max_length=len(CLICKS),
        help_text="Which clicks are marked on the board.",
    )
    smooth = serializers.BooleanField(required=False, help_text="Whether the cursor glides.")
    letters = serializers.BooleanField(required=False, help_text="Whether single letters are keys.")
    rows = serializers.ListField(
        child=serializers.CharField(max_length=32),
        required=False,
        max_length=len(ROW_NAMES),
        help_text="The counters that are shown: names of statistics.",
    )
    formulas = serializers.ListField(
        child=FormulaField(max_length=MAX_CHARACTERS),
        required=False,
        max_length=MOST_FORMULAS,
        help_text="Rows of one's own.",
    )

    def validate_rows(self, names: list[str]) -> list[str]:
        rows = [code_name(name) for name in names]
        for name, row in zip(names, rows, strict=True):
            if row not in ROW_NAMES:
                raise serializers.ValidationError(refusal_text(BadFormula("name", name)))
        return rows

    def validate(self, attrs: Values) -> Values:
        """Each name once; a speed that is no number is refused."""
        rate = attrs.get("rate")
        if isinstance(rate, float) and not math.isfinite(rate):
            raise serializers.ValidationError({"rate": _("Enter a number.")})
        for name in ("layers", "clicks", "rows"):
            if name in attrs:
                attrs[name] = list(dict.fromkeys(attrs[name]))  # type: ignore[call-overload]
        return attrs


def film_values(film: Film) -> Values:
    events, columns = film.events, film.board.columns
    row, column = np.divmod(film.cells, columns)
    names = {kind.value: kind.name.lower() for kind in Kind}
    return {
        "version": FILM_VERSION,
        "statistics_version": VERSION,
        "game_hash": film.game_hash,
        "result": film.result.value,
        "question_marks": bool(film.question_marks),
        "cell_px": film.cell_px,
        "precision_ms": film.precision_ms,
        "time_ms": film.time_ms,
        "opening_act": film.start_act,
        "board": {
            "rows": film.board.rows,
            "columns": columns,
            "mines": ["".join("*" if cell else "." for cell in line) for line in film.board.mines.tolist()],
            "opening": np.ascontiguousarray(film.facts.opening_id),
            "island": np.ascontiguousarray(film.facts.island_id),
        },
        "events": {
            "time_ms": events["time_ms"].astype(np.int64) - int(events["time_ms"][0]) + film.before_ms,
            "x_px": np.ascontiguousarray(events["x_px"]),
            "y_px": np.ascontiguousarray(events["y_px"]),
        },
        "acts": {
            "event": film.places,
            "kind": [names[kind] for kind in events["kind"][film.places].tolist()],
            "held": film.held,
            **{name: np.ascontiguousarray(film.counters[:, place]) for place, name in enumerate(_COUNTERS)},
            "path_px": film.path,
        },
        "faces": {
            "act": np.repeat(np.arange(len(film.places)), film.changed),
            "row": row,
            "column": column,
            "face": [_FACES[face] for face in film.faces.tolist()],
        },
    }


def odds_values(pack: OddsPack) -> Values:
    row, column = np.divmod(pack.cells, pack.film.board.columns)
    return {
        "version": ODDS_VERSION,
        "luck_version": LUCK_VERSION,
        "game_hash": pack.film.game_hash,
        "complete": pack.is_complete,
        "positions": {
            "act": pack.acts,
            "counted": pack.uncounted == 0,
            "ended_by": [_ENDS[end] for end in pack.ended_by.tolist()],
        },
        "chances": {
            "position": np.repeat(np.arange(len(pack.changed)), pack.changed),
            "row": row,
            "column": column,
            "mine_percent": pack.values / _HALF_PERCENTS,
        },
    }
