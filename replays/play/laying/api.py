from __future__ import annotations

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import ProblemSerializer
from players.web.links import absolute_address
from players.web.problems import CONTENT_TYPE
from replays.odds.luck.api import ComputedView
from replays.odds.positions.budget import POSITION_LIMIT, conditional, query_tag
from replays.play.laying.selectors import LAYING_QUERY, laid_board, query_string
from replays.play.laying.serializers import LaidBoardSerializer, board_values
from replays.upload.kernels import require_kernels


class LayingView(ComputedView):
    """Boards laid by the multiplayer paper, for anyone; counted like positions of the probability tool."""

    query = {"GET": LAYING_QUERY}
    rate_limits = {"GET": (POSITION_LIMIT,)}

    @extend_schema(
        operation_id="laying",
        responses={
            200: LaidBoardSerializer,
            (400, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "No board can be laid from these parameters."),
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Lay a board of multiplayer rooms.

        Its mines, its areas, and the requested steps: a swap of labels for each cell.
        """
        values = self.params
        require_kernels("rooms")

        def make() -> Response:
            board = laid_board(values, values["first_step"], values["steps"])
            link = absolute_address(f"{reverse('tool-laying')}?{query_string(board.laying)}")
            return Response(LaidBoardSerializer(board_values(board, link)).data)

        return conditional(request, query_tag(request, "laying"), make)
