from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView, read_query
from players.web.parameters import NO_PARAMETERS
from replays.browse.help.selectors import glossary, ranking_rules
from replays.browse.help.serializers import GlossarySerializer, RankingSerializer


class GlossaryView(PublicView):
    """The words of the community and the statistics."""

    @extend_schema(operation_id="glossary", responses={200: GlossarySerializer})
    def get(self, request: Request) -> Response:
        """Return the glossary in English and Chinese.

        The meaning of every word is in the language of the request.
        """
        read_query(NO_PARAMETERS, request)
        return Response(GlossarySerializer({"rows": glossary()}).data)


class RankingView(PublicView):
    """The rules of what counts."""

    @extend_schema(operation_id="ranking", responses={200: RankingSerializer})
    def get(self, request: Request) -> Response:
        """Return which games count on leaderboards.

        The numbers of this site behind `/help/ranking/`.
        """
        read_query(NO_PARAMETERS, request)
        return Response(RankingSerializer(ranking_rules()).data)
