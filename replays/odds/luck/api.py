from __future__ import annotations

from typing import Final

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from players.web.api import PublicView
from players.web.parameters import BadParameter, choice, integer
from players.web.rate_limits import visitor_of
from replays.odds.luck.selectors import analysed_or_404, known_snapshot, replay_luck
from replays.odds.luck.serializers import LuckSerializer, SnapshotSerializer, luck_values, snapshot_values
from replays.odds.positions.budget import POSITION_LIMITS, conditional
from replays.odds.positions.positions import Flags
from replays.odds.positions.serializers import FLAGS_HELP
from replays.trust.reasons import sentence

_MOST: Final = 10**9 - 1
SNAPSHOT_QUERY: Final = (
    integer("event", least=-_MOST, most=_MOST, description="How many events are played."),
    integer("time_ms", least=-_MOST, most=_MOST, description="Or: the time since the opening."),
    choice("flags", [flags.value for flags in Flags], default=Flags.TRUSTED.value, description=FLAGS_HELP),
)


class ComputedView(PublicView):
    """A view for anyone; requests count towards the same limit as the probability tool."""

    permission_classes = [AllowAny]
    rate_limits = {"GET": POSITION_LIMITS}
    needs_kernels = True


class LuckView(ComputedView):
    """The risks of one replay."""

    @extend_schema(operation_id="replays_luck", responses={200: LuckSerializer})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """List the risks that a replay took.

        Every click that opened cells: the risk that it took, and the least that there was.
        """
        replay = analysed_or_404(request, pk)
        tag = f"{replay.game_hash}-luck-{replay.luck_version}"
        return conditional(
            request,
            tag,
            lambda: Response(LuckSerializer(luck_values(replay, replay_luck(replay, visitor_of(request)))).data),
        )


class PositionView(ComputedView):
    """The board of one replay at one point of its game."""

    query = {"GET": SNAPSHOT_QUERY}

    @extend_schema(operation_id="replays_position", responses={200: SnapshotSerializer})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Return the board at one moment of a replay.

        As its player saw it, with the chance of a mine in every closed cell, and what follows in words.
        """
        replay = analysed_or_404(request, pk)
        values = self.params
        event, time_ms, flags = values["event"], values["time_ms"], Flags(values["flags"])
        if (event is None) == (time_ms is None):
            raise BadParameter({"event": sentence("bad_moment")})

        def make() -> Response:
            known = known_snapshot(replay, event=event, time_ms=time_ms, flags=flags, visitor=visitor_of(request))
            return Response(SnapshotSerializer(snapshot_values(known)).data)

        return conditional(request, f"{replay.game_hash}-moment-{event}-{time_ms}-{flags}", make)
