from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import PublicView, read_query
from players.web.parameters import NO_PARAMETERS
from players.web.parsers import JsonParser
from players.web.users import required_user, signed_in_user
from replays.odds.positions.api import POSITION_PROBLEMS, CalculatingView
from replays.odds.positions.budget import count_position
from replays.watch.training.selectors import puzzle_or_404, training_of
from replays.watch.training.serializers import (
    PuzzleAnswerSerializer,
    PuzzleChoiceSerializer,
    PuzzleSerializer,
    TrainingSerializer,
)
from replays.watch.training.services import answer_store


class PuzzleView(CalculatingView):
    """A slip of a replay as a puzzle."""

    token_scopes = {"POST": Scope.UPLOAD}
    parser_classes = [JsonParser]

    @extend_schema(operation_id="replays_puzzle", responses={200: PuzzleSerializer, **POSITION_PROBLEMS})
    def get(self, request: Request, pk: int, event: int) -> Response:
        """Return a slip as a puzzle.

        The position before a needless or worse guess or a certain mine (``event`` of a remark of the review), without flags.
        """
        read_query(NO_PARAMETERS, request)
        count_position(request)
        return Response(PuzzleSerializer(puzzle_or_404(request, pk, event)).data)

    @extend_schema(
        operation_id="replays_puzzle_answer",
        request=PuzzleChoiceSerializer,
        responses={200: PuzzleAnswerSerializer, **POSITION_PROBLEMS},
    )
    def post(self, request: Request, pk: int, event: int) -> Response:
        """Answer a puzzle.

        Judged by the exact probabilities of the position. Of your own slips the first answer of a turn counts.
        """
        read_query(NO_PARAMETERS, request)
        given = PuzzleChoiceSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        count_position(request)
        puzzle = puzzle_or_404(request, pk, event)
        verdict = puzzle.verdict(**given.validated_data)
        user = signed_in_user(request)
        counted = user is not None and answer_store(
            user, puzzle.replay, event, right=verdict.right, today=timezone.localdate()
        )
        values = {
            "right": verdict.right, "provable": verdict.provable, "risk": verdict.risk,
            "least_risk": verdict.least_risk, "best": verdict.best, "counted": counted,
            "steps": puzzle.steps,
        }  # fmt: skip
        return Response(PuzzleAnswerSerializer(values).data)


class TrainingView(PublicView):
    """The training of an account."""

    permission_classes = [IsAuthenticated]

    @extend_schema(operation_id="me_training", responses={200: TrainingSerializer})
    def get(self, request: Request) -> Response:
        """Return your training.

        Today's set of your own slips, the boxes, and how it went.
        """
        read_query(NO_PARAMETERS, request)
        return Response(TrainingSerializer(training_of(required_user(request), timezone.localdate())).data)
