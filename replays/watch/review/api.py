from __future__ import annotations

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.review import REVIEW_VERSION
from players.people.selectors import player_of_id
from players.web.api import PublicView, page_values, read_query
from players.web.parameters import CURSOR, NO_PARAMETERS, SIZE, choice, query_of
from players.web.rate_limits import visitor_of
from replays.odds.luck.api import ComputedView
from replays.odds.luck.selectors import analysed_or_404
from replays.odds.positions.budget import conditional
from replays.watch.review.selectors import RULES, needless_page, replay_review
from replays.watch.review.serializers import NeedlessGuessesSerializer, ReviewSerializer

NeedlessQuery = query_of(
    choice("rule", RULES, description="Only guesses beside which this rule shows a safe cell."), CURSOR, SIZE
)


class ReviewView(ComputedView):
    """The review of one replay."""

    @extend_schema(operation_id="replays_review", responses={200: ReviewSerializer})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Review how a replay was played.

        Remarks (guesses, wasted clicks, missed chords, slow stretches, detours) and scores.
        """
        replay = analysed_or_404(request, pk)
        read_query(NO_PARAMETERS, request)
        return conditional(
            request,
            f"{replay.game_hash}-review-{REVIEW_VERSION}-{replay.statistics_version}",
            lambda: Response(ReviewSerializer(replay_review(replay, visitor_of(request))).data),
        )


class NeedlessGuessesView(PublicView):
    """The needless guesses of one player."""

    @extend_schema(
        operation_id="players_needless_guesses", parameters=[NeedlessQuery], responses={200: NeedlessGuessesSerializer}
    )
    def get(self, request: Request, pk: int) -> Response:
        """List a player's games with needless guesses.

        Guesses although some cell was certainly safe; the game uploaded last comes first.
        """
        player = player_of_id(pk)
        values = read_query(NeedlessQuery, request)
        page = needless_page(player, values["rule"], values["cursor"], values["size"])
        return Response(NeedlessGuessesSerializer(page_values(page, page.rows)).data)
