from __future__ import annotations

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.solver import Rules, Strength
from players.web.api import PublicView
from players.web.links import absolute_address
from players.web.rate_limits import visitor_of
from replays.odds.positions.api import POSITION_PROBLEMS, CalculatingView
from replays.odds.positions.budget import conditional, count_position, query_tag
from replays.odds.solver_page.selectors import SOLVER_QUERY, GameQuery, measured_stages, next_move, played_game
from replays.odds.solver_page.serializers import (
    SolverAnswerSerializer,
    SolverGameSerializer,
    SolverPositionSerializer,
    SolverStagesSerializer,
    game_values,
    move_values,
    position_of,
    stage_values,
)


class SolverMoveView(CalculatingView):
    """The next move of a stage of the solver."""

    body = {"POST": SolverPositionSerializer}

    @extend_schema(operation_id="solver_move", responses={200: SolverAnswerSerializer, **POSITION_PROBLEMS})
    def post(self, request: Request) -> Response:
        """Choose the solver's next move in a position.

        By one stage of the solver, with its reasons.
        """
        count_position(request)
        values = self.given
        rules = Rules(values["rules"])
        flags, thought = next_move(
            position_of(values), Strength(values["stage"]), rules, values["seed"], visitor_of(request)
        )
        return Response(SolverAnswerSerializer(move_values(thought, rules) | {"flag_use": flags.value}).data)


class SolverGameView(CalculatingView):
    """A game of the solver."""

    query = {"GET": SOLVER_QUERY}

    @extend_schema(operation_id="solver_game", responses={200: SolverGameSerializer, **POSITION_PROBLEMS})
    def get(self, request: Request) -> HttpResponseBase:
        """Let the solver play a whole game.

        Move by move, with reasons; the same parameters give the same game.
        """
        query = GameQuery.of(self.params)

        def make() -> Response:
            course = played_game(query, visitor_of(request))
            link = absolute_address(f"{reverse('tool-solver')}?{query.parameters}")
            return Response(SolverGameSerializer(game_values(query, course, link)).data)

        return conditional(request, query_tag(request, "solver-game"), make)


class SolverStagesView(PublicView):
    """The stages of the solver."""

    permission_classes = [AllowAny]

    @extend_schema(operation_id="solver_stages", responses={200: SolverStagesSerializer})
    def get(self, request: Request) -> Response:
        """List the win rate of each stage of the solver.

        Measured on the same boards for all of them.
        """
        return Response(SolverStagesSerializer({"stages": [stage_values(stage) for stage in measured_stages()]}).data)
