from __future__ import annotations

from typing import Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import PublicView, Values
from players.web.links import absolute_address
from replays.watch.clips.clip_times import FROM, TO
from replays.watch.clips.services import ADDRESS_CLIP_LIMIT, CLIP_LIMIT, Clip, State, ask, clip_of
from replays.watch.pictures.selectors import pictured_replay

CLIP_QUERY: Final = (FROM, TO)


class ClipSerializer(serializers.Serializer[Values]):
    """A clip, and how far it is."""

    state = serializers.ChoiceField(
        choices=[state.value for state in State],
        help_text="none: nobody asked for it; waiting and drawing: ask again in a second; failed: ask again in a "
        "minute; ready: it is at url.",
    )
    from_ms = serializers.IntegerField(help_text="Where it begins, in ms since the opening, rounded to 100.")
    to_ms = serializers.IntegerField(help_text="Where it ends.")
    url = serializers.CharField(allow_null=True, help_text="The GIF; null until it is ready.")


def _values(clip: Clip, state: State) -> Values:
    url = absolute_address(clip.address("replay-clip-gif")) if state is State.READY else None
    return {"state": state.value, "from_ms": clip.from_ms, "to_ms": clip.to_ms, "url": url}


class ClipView(PublicView):
    """A clip of a replay."""

    query = {"GET": CLIP_QUERY, "POST": CLIP_QUERY}
    permission_classes = [AllowAny]
    token_scopes = {"POST": Scope.READ}  # it changes nothing that is anybody's
    rate_limits = {"POST": (CLIP_LIMIT, ADDRESS_CLIP_LIMIT)}

    @extend_schema(operation_id="replays_clip", responses={200: ClipSerializer})
    def get(self, request: Request, pk: int) -> Response:
        """Return how far a clip of a replay is."""
        clip = self._clip(pk)
        return Response(ClipSerializer(_values(clip, clip.state)).data)

    @extend_schema(operation_id="replays_clip_make", responses={200: ClipSerializer, 202: ClipSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Have a clip of a replay drawn.

        A GIF of at most 6 seconds. Who asks for the same one again gets the same.
        """
        clip = self._clip(pk)
        state = ask(clip, request)
        answer = ClipSerializer(_values(clip, state)).data
        return Response(answer, status=status.HTTP_200_OK if state is State.READY else status.HTTP_202_ACCEPTED)

    def _clip(self, pk: int) -> Clip:
        return clip_of(pictured_replay(pk), self.params["from"], self.params["to"])
