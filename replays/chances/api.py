"""The REST interface of risks and moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language, gettext
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analysis.statistics import LUCK_VERSION
from replays.api import problem, viewer_of
from replays.chances.answers import BadMoment, luck_to_show, moment_to_show
from replays.chances.serializers import LuckSerializer, MomentSerializer, luck_values, moment_values
from replays.models import Replay
from replays.selectors import replay_detail
from replays.serializers import ProblemSerializer
from replays.tools.throttles import PositionThrottle

_MAX_DIGITS = 9
_RESPONSES: dict[int, Any] = {
    404: OpenApiResponse(description="No such replay, or it has not been analysed, or its file is lost."),
    429: OpenApiResponse(description="Too many in a while."),
}


class _ChancesView(APIView):
    """Anyone may ask, with or without an account; it is counted with the positions of the tools."""

    permission_classes = [AllowAny]
    throttle_classes = [PositionThrottle]


def _analysed_or_404(pk: int, request: Request) -> Replay:
    try:
        replay = replay_detail(pk, viewer_of(request))
    except Replay.DoesNotExist as error:
        raise Http404(gettext("There is no such replay.")) from error
    if replay.status != Replay.Status.DONE:
        raise Http404(gettext("There is no recording: the replay has not been analysed."))
    return replay


def _unless_known(request: Request, tag: str, make: Callable[[], Response]) -> HttpResponseBase:
    """The answer, or 304: it follows from the game and from our code, whose changes raise the version."""
    etag = quote_etag(f"{tag}-{LUCK_VERSION}-{get_language()}")
    response: HttpResponseBase | None = get_conditional_response(request._request, etag=etag)
    if response is None:
        response = make()
    if response.status_code in (200, 304):
        response["ETag"] = etag
        response["Cache-Control"] = "private, no-cache"
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


class LuckView(_ChancesView):
    """The risks of one replay."""

    @extend_schema(operation_id="replays_luck", responses={200: LuckSerializer, **_RESPONSES})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Every click of a replay that opened cells: the risk that it took, and the least that there was."""
        replay = _analysed_or_404(pk, request)
        tag = f"{replay.game_hash}-luck-{replay.luck_version}"
        return _unless_known(
            request, tag, lambda: Response(LuckSerializer(luck_values(replay, luck_to_show(replay))).data)
        )


class MomentView(_ChancesView):
    """One moment of one replay."""

    @extend_schema(
        operation_id="replays_position",
        parameters=[
            OpenApiParameter("event", int, description="How many events are played."),
            OpenApiParameter("time_ms", int, description="Or: the time since the opening."),
        ],
        responses={200: MomentSerializer, 400: OpenApiResponse(ProblemSerializer), **_RESPONSES},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """The board as its player saw it, with the chance of a mine in every closed cell, and what follows in words."""
        replay = _analysed_or_404(pk, request)
        try:
            event, time_ms = (_whole(request, name) for name in ("event", "time_ms"))
            tag = f"{replay.game_hash}-moment-{event}-{time_ms}"
            return _unless_known(
                request,
                tag,
                lambda: Response(
                    MomentSerializer(moment_values(moment_to_show(replay, event=event, time_ms=time_ms))).data
                ),
            )
        except BadMoment:
            return problem("bad_moment")


def _whole(request: Request, name: str) -> int | None:
    """A parameter as a whole number, ``None`` without it.  Raises :class:`BadMoment`."""
    text = request.query_params.get(name)
    if text is None:
        return None
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS):
        raise BadMoment
    return int(text)
