from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView, read_query
from players.web.parameters import NO_PARAMETERS
from replays.odds.luck.selectors import analysed_or_404
from replays.watch.standing.selectors import standing_of
from replays.watch.standing.serializers import StandingSerializer, standing_values


class StandingView(PublicView):
    """The standing of one replay."""

    @extend_schema(operation_id="replays_standing", responses={200: StandingSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return where a replay stands.

        The shares of its level's and its player's games that it beats, its ranks, and the games around it.
        """
        replay = analysed_or_404(request, pk)
        read_query(NO_PARAMETERS, request)
        return Response(StandingSerializer(standing_values(standing_of(replay))).data)
