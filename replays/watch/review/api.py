from __future__ import annotations

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.review import REVIEW_VERSION
from players.web.rate_limits import visitor_of
from replays.odds.luck.api import ComputedView
from replays.odds.luck.selectors import analysed_or_404
from replays.odds.positions.budget import conditional
from replays.watch.review.selectors import replay_review
from replays.watch.review.serializers import ReviewSerializer


class ReviewView(ComputedView):
    """The review of one replay."""

    @extend_schema(operation_id="replays_review", responses={200: ReviewSerializer})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Review how a replay was played.

        Remarks (guesses, wasted clicks, missed chords, slow stretches, detours) and scores.
        """
        replay = analysed_or_404(request, pk)
        return conditional(
            request,
            f"{replay.game_hash}-review-{REVIEW_VERSION}-{replay.statistics_version}",
            lambda: Response(ReviewSerializer(replay_review(replay, visitor_of(request))).data),
        )
