from __future__ import annotations

from django.urls import reverse
from django.utils.cache import patch_cache_control
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import ProblemSerializer, PublicView, read_query
from players.web.links import absolute_address
from players.web.problems import CONTENT_TYPE
from replays.odds.positions.budget import PositionThrottle
from replays.play.laying.selectors import LayingQuery, laid_board, query_string
from replays.play.laying.serializers import LaidBoardSerializer, board_values
from replays.upload.kernels import require_kernels

_CACHED_SECONDS = 3600


class LayingView(PublicView):
    """Boards laid by the multiplayer paper, for anyone; counted like positions of the probability tool."""

    permission_classes = [AllowAny]
    throttle_classes = [PositionThrottle]
    needs_kernels = True

    @extend_schema(
        operation_id="laying",
        parameters=[LayingQuery],
        responses={
            200: LaidBoardSerializer,
            (400, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "No board can be laid from these parameters."),
            (429, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Too many in a while."),
        },
    )
    def get(self, request: Request) -> Response:
        """Lay a board of multiplayer rooms.

        Its mines, its areas, and the requested steps: a swap of labels for each cell.
        """
        values = read_query(LayingQuery, request)
        require_kernels("rooms")
        board = laid_board(values, values["first_step"], values["steps"])
        link = absolute_address(f"{reverse('tool-laying')}?{query_string(board.laying)}")
        response = Response(LaidBoardSerializer(board_values(board, link)).data)
        patch_cache_control(response, public=True, max_age=_CACHED_SECONDS)
        return response
