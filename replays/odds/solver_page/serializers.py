"""Cells are ``[row, column]``, counted from 0."""

from __future__ import annotations

from rest_framework import serializers

from analysis.solver import Rules, Strength
from analysis.solver.course import Course, Thought, Turn
from analysis.solver.stages import Stage
from players.web.api import Values
from players.web.json_bodies import JsonBody
from players.web.parameters import Parsed
from replays.odds.positions.positions import MAX_CELLS, Flags, PositionQuery
from replays.odds.positions.serializers import (
    FLAGS_HELP,
    CellField,
    DeductionStepSerializer,
    FlagUseField,
    RowsField,
    cells,
)
from replays.odds.solver_page.selectors import MAX_SEED, PUBLISHED, RULES, GameQuery
from replays.odds.solver_page.solver_texts import move_text, stage_text


class SolverPositionSerializer(JsonBody[Values]):
    """A position, and who is to move."""

    rows = RowsField(help_text="As for /api/v1/probability/.")
    mines = serializers.IntegerField(min_value=0, max_value=MAX_CELLS, help_text="Of the whole board.")
    flags = serializers.ChoiceField([flags.value for flags in Flags], default=Flags.TRUSTED.value, help_text=FLAGS_HELP)
    stage = serializers.ChoiceField(
        [stage.value for stage in Strength], default=Strength.FULL.value, help_text="The player."
    )
    rules = serializers.ChoiceField(
        [rules.value for rules in RULES], default=Rules.XP.value, help_text="Of the first click, on a closed board."
    )
    seed = serializers.IntegerField(min_value=0, max_value=MAX_SEED, default=0, help_text="Of guesses at random.")


def position_of(values: Parsed) -> PositionQuery:
    return PositionQuery(tuple(values["rows"]), values["mines"], Flags(values["flags"]))


class SolverMoveSerializer(serializers.Serializer[Values]):
    """A move: the cells that the player opens, and what could be known before it."""

    cells = serializers.ListField(
        child=CellField(), help_text="Several only if all are certain; none if the player gives up."
    )
    reason = serializers.CharField(
        help_text="first, certain, chance, safety, look-ahead, endgame, pocket, nothing or give-up."
    )
    text = serializers.CharField(help_text="In words, in the language of the request.")
    mine = serializers.FloatField(help_text="The greatest chance of a mine in the cells.")
    win = serializers.FloatField(allow_null=True, help_text="Null unless perfect play is known.")
    certain_safe = serializers.ListField(
        child=CellField(), allow_null=True, help_text="All cells that are safe for certain, seen by the player or not; null before the first click."
    )  # fmt: skip
    steps = DeductionStepSerializer(many=True, help_text="The deduction of the cells of a certain move.")


class SolverAnswerSerializer(SolverMoveSerializer):
    """A move in a position that was asked about."""

    flag_use = FlagUseField()


class SolverClickSerializer(serializers.Serializer[Values]):
    """A click, and the cells that it opens: none if it hits a mine."""

    cell = CellField()
    opened = serializers.ListField(child=CellField(), help_text="The cells that it opens; none if it hits a mine.")


class SolverTurnSerializer(SolverMoveSerializer):
    """A move in a game."""

    clicks = SolverClickSerializer(many=True, help_text="The clicks of the turn.")


class SolverGameSerializer(serializers.Serializer[Values]):
    """A whole game."""

    link = serializers.CharField(help_text="A page that shows the same.")
    level = serializers.CharField()
    rules = serializers.CharField(help_text="How the first click is treated.")
    stage = serializers.CharField(help_text="The stage of the solver.")
    seed = serializers.IntegerField(help_text="The number that the game comes from.")
    mines = serializers.IntegerField(help_text="Mines of the whole board.")
    board = serializers.ListField(child=serializers.CharField(), help_text="A text a row: * a mine, else its number.")
    won = serializers.BooleanField(help_text="Whether the game was won.")
    turns = SolverTurnSerializer(many=True, help_text="The turns, in order.")


class SolverStageSerializer(serializers.Serializer[Values]):
    """The measured strength of a stage."""

    level = serializers.CharField()
    rules = serializers.CharField(help_text="How the first click is treated.")
    stage = serializers.CharField(help_text="The stage of the solver.")
    name = serializers.CharField(help_text="In words, in the language of the request.")
    games = serializers.IntegerField(help_text="Number of games played.")
    wins = serializers.IntegerField(help_text="Number of games won.")
    win_rate = serializers.FloatField(help_text="Share of games won.")
    interval = serializers.ListField(child=serializers.FloatField(), help_text="Wilson's interval of 95%.")
    guesses_a_game = serializers.FloatField(help_text="Guesses per game, on average.")
    ms_a_game = serializers.FloatField(help_text="Of processor time.")
    lost_explored = serializers.ListField(
        child=serializers.IntegerField(), help_text="Lost games by the tenth of the safe cells that was open."
    )
    seed = serializers.IntegerField(help_text="Of the match.")
    date = serializers.DateField(help_text="When it was measured.")
    commit = serializers.CharField(help_text="Of the program that played.")
    published = serializers.CharField(allow_null=True, help_text="Percent that xienaoban publishes for this method.")


class SolverStagesSerializer(serializers.Serializer[Values]):
    """The table of stages."""

    stages = SolverStageSerializer(many=True, help_text="One row a level, a rule and a stage.")


def move_values(thought: Thought, rules: Rules) -> Values:
    move = thought.move
    return {
        "cells": move.cells,
        "reason": move.reason.value,
        "text": move_text(thought, rules),
        "mine": 1.0 - move.safe,
        "win": move.win,
        "certain_safe": None if thought.known is None else cells(thought.known.certain_safe),
        "steps": thought.steps,
    }


def game_values(query: GameQuery, course: Course, link: str) -> Values:
    return {
        "link": link,
        "level": query.level.value, "rules": query.rules.value, "stage": query.stage.value, "seed": query.seed,
        "mines": course.board.mine_count,
        "board": [
            "".join("*" if mine else str(number) for mine, number in zip(mines, numbers, strict=True))
            for mines, numbers in zip(course.board.mines.tolist(), course.numbers.tolist(), strict=True)
        ],
        "won": course.won,
        "turns": [_turn_values(turn, query.rules) for turn in course.turns],
    }  # fmt: skip


def _turn_values(turn: Turn, rules: Rules) -> Values:
    clicks = [{"cell": cell, "opened": opened} for cell, opened in turn.opened]
    return move_values(turn.thought, rules) | {"clicks": clicks}


def stage_values(stage: Stage) -> Values:
    match, score = stage.match, stage.score
    return {
        "level": match.level.value, "rules": match.rules.value, "stage": match.strength.value,
        "name": stage_text(match.strength),
        "games": score.games, "wins": score.wins, "win_rate": score.win_rate, "interval": score.interval,
        "guesses_a_game": score.guesses_a_game, "ms_a_game": score.ms_a_game, "lost_explored": score.lost_explored,
        "seed": match.seed, "date": stage.date, "commit": stage.commit,
        "published": PUBLISHED.get((match.rules, match.strength)),
    }  # fmt: skip
